import { sql } from 'kysely'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'

/**
 * The facts of students' supplement records, as a transcript prints them, in one statement; withdrawn ones too, for
 * their reversals still name them.
 */
export const supplementFacts = ({ db, actor }: Context, suIds: string[]) =>
  db
    .selectFrom('supplement as s')
    .innerJoin('lessonLevel as v', (join) =>
      join.onRef('v.schoolId', '=', 's.schoolId').onRef('v.llId', '=', 's.lisLevel'),
    )
    .select([
      's.suId',
      's.lisId as bizId',
      'v.llName as levelName',
      's.lisPartakeMode as partakeMode',
      's.lisAward as awardName',
      's.lisOrg as org',
    ])
    .select([sql<string>`s."lisObtainDate"::timestamptz`.as('startTime'), sql<string | null>`null`.as('endTime')])
    .where('s.schoolId', '=', actor.schoolId)
    .where(anyOf('s.suId', suIds))
    .execute()
