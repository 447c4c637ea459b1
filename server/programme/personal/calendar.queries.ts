import { sql } from 'kysely'
import { applyStatus, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { withinSchool, from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { clashOf } from '../lessons/model/admission.ts'
import { visibleLessons } from '../lessons/model/lessons.queries.ts'

/** A course in one of these states will not take place. */
const gone = [lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal] as const
/** A course in one of these states is not shown to those who take part. */
const inPreparation = [
  lessonStatus.draft,
  lessonStatus.publishInReview,
  lessonStatus.publishRefused,
  lessonStatus.publishPassed,
] as const

/** Whether a course in this state no longer takes place. */
export const isGone = (liStatus: string): boolean => (gone as readonly string[]).includes(liStatus)

const columns = [
  'lesson.liId',
  'lesson.liName',
  'lesson.liStatus',
  's.lseNo',
  's.startTime',
  's.endTime',
  sql<string>`coalesce(nullif("s"."placeText", ''), "lesson"."placeText")`.as('placeText'),
  'lesson.updateTime',
  'lesson.version',
] as const

/** The sessions between two moments of what a person has registered for, with what else they do at that time. */
export const ownSessions = (ctx: Context, start: string, end: string) =>
  from(ctx, 'registration as r')
    .innerJoin('person as p', (join) => join.onRef('p.schoolId', '=', 'r.schoolId').onRef('p.suId', '=', 'r.suId'))
    .innerJoin('lesson', withinSchool('lesson.liId', 'r.liId'))
    .innerJoin('lessonSession as s', withinSchool('s.liId', 'lesson.liId'))
    .select(columns)
    .select(['r.laStatus', 'r.version as registrationVersion', 'r.updateTime as registrationTime'])
    .select(clashOf(sql.ref('lesson.liId'), 'p').as('clash'))
    .where('r.suId', '=', ctx.actor.suId)
    .where('lesson.delFlag', '=', sql.lit(yesNo.no))
    .where('lesson.liStatus', 'not in', [...inPreparation])
    .where('s.startTime', '<=', end)
    .where('s.endTime', '>=', start)
    .orderBy('s.startTime')
    .orderBy('lesson.liId')
    .orderBy('s.lseNo')

/** The sessions between two moments of the courses that a person may see: of one college, or all. */
export function courseSessions(ctx: Context, scId: string | null, start: string, end: string) {
  const query = visibleLessons(ctx)
    .innerJoin('lessonSession as s', withinSchool('s.liId', 'lesson.liId'))
    .select(columns)
    .where('lesson.liStatus', 'not in', [...inPreparation])
    .where('s.startTime', '<=', end)
    .where('s.endTime', '>=', start)
    .orderBy('s.startTime')
    .orderBy('lesson.liId')
    .orderBy('s.lseNo')
  return scId === null ? query : query.where('lesson.liCollegeId', '=', scId)
}

/** Registrations that stand and are decided; those that stand and are not; all others are over. */
export const stateOfRegistration = (laStatus: string): 'confirmed' | 'tentative' | 'cancelled' =>
  laStatus === applyStatus.accepted
    ? 'confirmed'
    : laStatus === applyStatus.pending || laStatus === applyStatus.waitlisted
      ? 'tentative'
      : 'cancelled'
