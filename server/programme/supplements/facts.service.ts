import { sql } from 'kysely'
import { anyOf } from '../../core/database/any-of.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/**
 * The facts of students' supplement records, as a transcript prints them, in one statement; withdrawn ones too, for
 * their reversals still name them.
 */
export const supplementFacts = (ctx: Context, suIds: string[]) =>
  from(ctx, 'supplement as s', { withDeleted: true })
    .innerJoin('lessonLevel as v', withinSchool('v.llId', 's.lisLevel'))
    .select([
      's.suId',
      's.lisId as bizId',
      'v.llName as levelName',
      's.lisPartakeMode as partakeMode',
      's.lisAward as awardName',
      's.lisOrg as org',
    ])
    .select([sql<string>`s."lisObtainDate"::timestamptz`.as('startTime'), sql<string | null>`null`.as('endTime')])
    .where(anyOf('s.suId', suIds))
    .execute()
