import type { Output } from '../../../contract/core/call.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { under } from '../../school/people/people.service.ts'
import { finalShortKind, levelKinds, type LevelCounts } from './overview-cards.ts'
import { warningCounts, warningOverview } from './overview.queries.ts'

const { permit } = thresholdApi.overview

/** How many students are warned, for those who may see it; null for others. */
export const warningsFor = async (
  ctx: Context,
  filter: { collegeId?: string | undefined },
): Promise<Output<typeof thresholdApi.overview> | null> =>
  ctx.actor.permits.has(permit) ? warningOverview(under(ctx, permit), filter) : null

/** The same in three numbers, for the first screen. */
export const warningCountsFor = async (ctx: Context) =>
  ctx.actor.permits.has(permit) ? warningCounts(under(ctx, permit)) : null

/** What the cards are calculated from: of all students whom the asking person may see. */
export interface WarningFigures extends LevelCounts {
  finalShort: number
}

/** The cards as they are calculated from the figures of any students. */
export const warningKinds = [
  ...levelKinds.map((kind) => ({ ...kind, standing: true })),
  { ...finalShortKind, value: ({ finalShort }: WarningFigures) => finalShort, standing: true },
]

/** The same figures for each span: they are of last night whatever the period. */
export async function warningFigures(ctx: Context, spans: readonly unknown[]): Promise<WarningFigures[]> {
  const { total, level1, level2, level3, cards } = await warningOverview(ctx, {})
  const finalShort = cards.find(({ key }) => key === finalShortKind.key)?.value ?? 0
  return spans.map(() => ({ total, level1, level2, level3, finalShort }))
}

/** The groups of the screen: of all students whom the asking person may see. */
export const warningOverviewOf = (ctx: Context) => warningOverview(ctx, {})
