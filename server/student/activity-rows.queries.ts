import { sql } from 'kysely'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyWay, lessonStatus } from '../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { ActivityRow } from '../../contract/student/activities.calls.ts'
import { from, withinSchool } from '../core/database/tenant.ts'
import type { Db } from '../core/database/pool.ts'

/** States of a course in which those who take part still look at it. */
export const shownToParticipants = [
  lessonStatus.published,
  lessonStatus.resultInReview,
  lessonStatus.resultRefused,
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.completed,
] as readonly string[]

/** Who asks. */
export interface Student {
  schoolId: string
  suId: string
}

/** Activities with their module, level and college, and the student's own registration, if they have one. */
export const activityRows = (db: Db, { schoolId, suId }: Student) =>
  from({ db, schoolId }, 'lesson')
    .innerJoin('person as p', (join) => join.onRef('p.schoolId', '=', 'lesson.schoolId').on('p.suId', '=', suId))
    .leftJoin('registration as r', (join) =>
      join
        .onRef('r.schoolId', '=', 'lesson.schoolId')
        .onRef('r.liId', '=', 'lesson.liId')
        .on('r.suId', '=', suId)
        .on('r.delFlag', '=', sql.lit(yesNo.no)),
    )
    .leftJoin('curriculum', withinSchool('curriculum.lsId', 'lesson.lsId'))
    .leftJoin('lessonLevel', (join) =>
      join.onRef('lessonLevel.schoolId', '=', 'lesson.schoolId').onRef('lessonLevel.llId', '=', 'lesson.liLevel'),
    )
    .leftJoin('college', withinSchool('college.scId', 'lesson.liCollegeId'))

/** What is open to registration at a moment, whoever may register; nobody does where the organiser names people. */
export const openAt = (now: string) =>
  sql<boolean>`("lesson"."startTime" > ${now}::timestamptz
    and "lesson"."applyWay" not in (${sql.lit(applyWay.importedList)}, ${sql.lit(applyWay.noRegistration)})
    and ("lesson"."applyStart" is null or "lesson"."applyStart" <= ${now}::timestamptz)
    and ("lesson"."applyEnd" is null or "lesson"."applyEnd" >= ${now}::timestamptz))`

/** The columns of an activity in lists, for {@link asRow}. */
export const rowColumns = [
  'lesson.liId',
  'lesson.liName',
  'lsName',
  'llName',
  'scName',
  'placeText',
  'lesson.startTime',
  'lesson.endTime',
  'applyStart',
  'applyEnd',
  'liHours',
  'liCredit',
  'quota',
  'passCount',
  'applyWay',
  'r.laStatus',
] as const

type Row = {
  liId: string
  liName: string
  lsName: string | null
  llName: string | null
  scName: string | null
  placeText: string
  startTime: string
  endTime: string
  applyStart: string | null
  applyEnd: string | null
  liHours: number
  liCredit: number
  quota: number
  passCount: number
  applyWay: string
  laStatus: string | null
  isOpen: boolean
}

/** A row of {@link rowColumns} as the student reads it; further columns stay as they are. */
export const asRow = <R extends Row>({ lsName, llName, scName, liHours, liCredit, ...row }: R) => ({
  ...row,
  applyWay: row.applyWay as ActivityRow['applyWay'],
  laStatus: row.laStatus as ActivityRow['laStatus'],
  lsName: lsName ?? '',
  levelName: llName ?? '',
  collegeName: scName ?? '',
  hours: fromHundredths(liHours),
  credit: fromHundredths(liCredit),
})
