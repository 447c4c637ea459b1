import type { Output } from '../../contract/core/call.ts'
import { thresholdApi } from '../../contract/thresholds/thresholds.calls.ts'
import type { Context } from '../core/context.ts'
import { under } from '../people/people.service.ts'
import { warningOverview } from './warnings.queries.ts'

/** How many students are warned, for those who may see it; null for others. */
export const warningsFor = async (ctx: Context, filter: { collegeId?: string | undefined }): Promise<Output<typeof thresholdApi.overview> | null> =>
  ctx.actor.permits.has(thresholdApi.overview.permit) ? warningOverview(under(ctx, thresholdApi.overview.permit), filter) : null
