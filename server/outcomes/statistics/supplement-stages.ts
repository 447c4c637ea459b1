import { sql } from 'kysely'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import type { supplementStages } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'

/** Statuses of a record by what the cards call them (docs/rules.md R19). */
const stages = {
  pass: [supplementStatus.passed, supplementStatus.inNotice, supplementStatus.credited],
  refuse: [supplementStatus.refused],
  pending: [supplementStatus.inReview],
  publicty: [supplementStatus.inNotice],
  granted: [supplementStatus.credited],
} as const satisfies Partial<Record<(typeof supplementStages)[number][0], readonly string[]>>
export type Stage = keyof typeof stages
/** That a record has a status that belongs to a stage. */
export const inStage = (stage: Stage) =>
  sql<boolean>`s."lisStatus" = any(${stages[stage] as unknown as string[]}::text[])`

/** Statuses are numbers below this one. */
export const statuses = 10
const tables = Object.fromEntries(
  Object.entries(stages).map(([stage, own]) => [
    stage,
    Uint8Array.from({ length: statuses }, (_, status) => Number((own as readonly string[]).includes(String(status)))),
  ]),
) as Record<Stage, Uint8Array>
/** The same of a status as a number. */
export const isOfStage = (stage: Stage, status: number): boolean => tables[stage][status] === 1
