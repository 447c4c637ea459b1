import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { anyOf } from '../../../core/database/any-of.ts'
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
export const lessonFacts = ({ db, actor }: Context, suIds: string[]): Promise<RecordFacts[]> =>
  db
    .selectFrom('registration as r')
    .innerJoin('lesson as l', (join) => join.onRef('l.schoolId', '=', 'r.schoolId').onRef('l.liId', '=', 'r.liId'))
    .innerJoin('lessonLevel as v', (join) =>
      join.onRef('v.schoolId', '=', 'l.schoolId').onRef('v.llId', '=', 'l.liLevel'),
    )
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
    .where('r.schoolId', '=', actor.schoolId)
    .where(anyOf('r.suId', suIds))
    .where('r.delFlag', '=', yesNo.no)
    .where('l.liStatus', 'in', [lessonStatus.completed, lessonStatus.archived, lessonStatus.abnormal])
    .execute()
