import { isOneOf } from '../../core/codes/code-list.ts'
import { taskStatus as taskStatusCodes } from '../../core/codes/programme.ts'
import type { FlowProgress } from '../lessons/lessons.schema.ts'

/** Somebody who has, or had, to do with a step of an approval. */
export type PersonOfStep = FlowProgress['steps'][number]['people'][number]

/** Whether it was their decision, or the one that was made in their place. */
export const hasDecided = ({ taskStatus }: PersonOfStep): boolean =>
  isOneOf(taskStatus, taskStatusCodes.passed, taskStatusCodes.refused, taskStatusCodes.autoPassed)

/** Whether they decided, handed it on or said what they think. */
export const hasActed = (person: PersonOfStep): boolean =>
  hasDecided(person) ||
  isOneOf(person.taskStatus, taskStatusCodes.transferred, taskStatusCodes.delegated, taskStatusCodes.advised)
