import { enableStatus } from '../../../contract/core/codes/platform.ts'
import type { Context } from '../../core/request/context.ts'

/** The labels that scores are kept for (those below a group), in the order of the school. `fullScore` in hundredths. */
export const scoredLabels = ({ db, actor }: Context) =>
  db
    .selectFrom('qualityLabel as l')
    .innerJoin('qualityLabel as g', (join) =>
      join.onRef('g.schoolId', '=', 'l.schoolId').onRef('g.sqlId', '=', 'l.sqlPid'),
    )
    .select(['l.sqlId', 'l.sqlName', 'l.fullScore', 'g.sqlId as groupId', 'g.sqlName as groupName'])
    .where('l.schoolId', '=', actor.schoolId)
    .where('l.enable', '=', enableStatus.enabled)
    .orderBy('g.sqlSort')
    .orderBy('l.sqlSort')
    .execute()
