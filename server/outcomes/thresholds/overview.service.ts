import type { Output } from '../../../contract/core/call.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { under } from '../../school/people/people.service.ts'
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
