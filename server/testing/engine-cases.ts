import { yesNo } from '../../contract/core/codes/platform.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../contract/core/codes/programme.ts'
import { flowCheckerType } from '../../contract/core/codes/rules.ts'
import type { EngineStep, EngineTask, Facts, Running } from '../rules/workflow/arrange.ts'
import { arrange } from '../rules/workflow/arrange.ts'

/** Makers for the tests of the engine: people are single letters, `i` the initiator, `z` an administrator. */
export const step = (
  stepSort: number,
  stepType: string,
  people: string,
  more: Partial<EngineStep> = {},
): EngineStep => ({
  stepSort,
  stepName: `步骤${stepSort}`,
  stepType,
  people: [...people],
  noApproverPolicy: 'admin',
  canReject: 'any',
  allowTransfer: yesNo.yes,
  allowAdd: yesNo.yes,
  wfsCheckerType: flowCheckerType.people,
  ...more,
})

let serial = 0
export const everybody = 'abcdefghixyz'
export const facts = (more: Partial<Facts> = {}): Facts => ({
  serving: new Set(everybody),
  deputies: new Map(),
  admins: ['z'],
  newId: () => `t${serial++}`,
  ...more,
})

/** An approval that has just begun. */
export const begun = (steps: EngineStep[], world = facts()): Running =>
  arrange({ insStatus: approvalStatus.running, stepSort: 0, initiatorId: 'i', steps, tasks: [] }, world)

/** The open task of a person; of several the first. */
export const taskOf = ({ tasks }: Running, person: string): EngineTask => {
  const task = tasks.find((one) => one.checkerId === person && one.taskStatus === taskStatusCodes.pending)
  if (!task) throw new Error(`${person} is not asked`)
  return task
}

/** Who is asked now, in words such as `a` or `b代a`, in order. */
export const asked = ({ tasks }: Running): string =>
  tasks
    .filter(({ taskStatus }) => taskStatus === taskStatusCodes.pending)
    .map(({ checkerId, onBehalfOf }) => (onBehalfOf ? `${checkerId}代${onBehalfOf}` : checkerId))
    .join(' ')

/** What became of every task: `a1` passed, `b7` lapsed. */
export const tasksText = ({ tasks }: Running): string =>
  tasks.map(({ checkerId, taskStatus }) => checkerId + taskStatus).join(' ')
