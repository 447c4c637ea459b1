import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** The labels that scores are kept for (those below a group), in the order of the school. `fullScore` in hundredths. */
export const scoredLabels = (ctx: Context) =>
  from(ctx, 'qualityLabel as l')
    .innerJoin('qualityLabel as g', withinSchool('g.sqlId', 'l.sqlPid'))
    .select(['l.sqlId', 'l.sqlName', 'l.fullScore', 'g.sqlId as groupId', 'g.sqlName as groupName'])
    .where('l.enable', '=', enableStatus.enabled)
    .orderBy('g.sqlSort')
    .orderBy('l.sqlSort')
    .execute()
