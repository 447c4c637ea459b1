import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'

/** What a transcript says of a participation beside its credit. */
export interface RecordFacts {
  suId: string
  bizId: string
  levelName: string
  partakeMode: string
  awardName: string
  org: string
  startTime: string
  endTime: string | null
}

/** The facts of students' participations in courses, in one statement. */
export const lessonFacts = (ctx: Context, suIds: string[]): Promise<RecordFacts[]> =>
  from(ctx, 'registration as r')
    .innerJoin('lesson as l', withinSchool('l.liId', 'r.liId'))
    .innerJoin('lessonLevel as v', withinSchool('v.llId', 'l.liLevel'))
    .select([
      'r.suId',
      'r.liId as bizId',
      'v.llName as levelName',
      'r.partakeMode',
      'r.awardName',
      'l.liSponsorName as org',
      'l.startTime',
      'l.endTime',
    ])
    .where(anyOf('r.suId', suIds))
    .where('l.liStatus', 'in', [lessonStatus.completed, lessonStatus.archived, lessonStatus.abnormal])
    .execute()
