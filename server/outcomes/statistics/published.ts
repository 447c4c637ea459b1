import { sql, type RawBuilder } from 'kysely'
import { lessonStatus, lessonPersonRole } from '../../../contract/core/codes/programme.ts'
import { finishedLessonStatuses, underwayLessonStatuses } from '../../../contract/core/codes/lesson-stages.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { during } from './figures.ts'

/** Statuses of a course before its publication: it is in no statistic yet. */
export const unpublished: readonly string[] = [
  lessonStatus.draft,
  lessonStatus.publishInReview,
  lessonStatus.publishRefused,
  lessonStatus.publishPassed,
]
/** Where a published course stands, for the cards and the list behind them. */
export const stages = {
  running: underwayLessonStatuses,
  done: finishedLessonStatuses,
  stopped: [lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal],
} as const

export interface LessonFilter {
  startTime?: string | undefined
  endTime?: string | undefined
  collegeId?: string | undefined
  lsId?: string | undefined
  llId?: string | undefined
  lacking?: 'college' | undefined
}

/**
 * The published courses that the asking person's area covers, or without any area those of their own, and that fit, as
 * `l`, with what became of them as `t`.
 * Taken down ones stay: they are counted as such.
 */
export function publishedLessons(ctx: Pick<Context, 'actor' | 'scope'>, input: LessonFilter): RawBuilder<unknown> {
  const { actor, scope } = ctx
  const { collegeId, lacking } = input
  return sql`"lesson" l
    join "statLesson" t on t."schoolId" = l."schoolId" and t."liId" = l."liId"
    where l."schoolId" = ${actor.schoolId}
      and l."delFlag" = '0'
      and l."publishTime" is not null
      and l."liStatus" <> all(${unpublished}::text[])
      and ${during('l.publishTime', input)}
      and ${hasOwnOnly(ctx) ? ownLesson(actor.suId) : inScope(scope, { college: 'l.liCollegeId', department: 'l.liDepartmentId', path: 'l.lsPath' })}
      and ${ofSubject(input)}
      and ${collegeId ? sql`l."liCollegeId" = ${collegeId}::uuid` : sql`true`}
      and ${lacking ? sql`l."liCollegeId" is null` : sql`true`}`
}

/** Whether the right was given for one's own records only: then figures are of those. */
export const hasOwnOnly = ({ scope }: Pick<Context, 'scope'>): boolean => !scope.whole && scope.areas.length === 0

/** A course `l` that a person made, leads or guides. */
const ownLesson = (suId: string) => sql<boolean>`(
    l."createBy" = ${suId}::uuid
    or l."liPrincipalId" = ${suId}::uuid
    or exists (
      select
      from "lessonPerson" x
      where x."schoolId" = l."schoolId"
        and x."liId" = l."liId"
        and x."suId" = ${suId}::uuid
        and x."lpRole" = ${sql.lit(lessonPersonRole.teacher)}
    )
  )`

/** A node of the curriculum with all below it, and a level, as a condition on a course `l`. */
export const ofSubject = ({ lsId, llId }: Pick<LessonFilter, 'lsId' | 'llId'>): RawBuilder<boolean> =>
  sql<boolean>`(
      ${lsId ? sql`l."lsPath" @> array[${lsId}::uuid]` : sql`true`}
      and ${llId ? sql`l."liLevel" = ${llId}` : sql`true`}
    )`

/** Courses whose attendance says something: begun, and neither taken down nor called off. */
export const begun = (now: string): RawBuilder<boolean> =>
  sql<boolean>`(
      l."startTime" <= ${now}::timestamptz and l."liStatus" <> all(${stages.stopped as unknown as string[]}::text[])
    )`

/** Who holds a course: a circle, a college, or else somebody of the whole school. */
export const organiserOf = sql`case
    when l."liCircleId" is not null then 'circle'
    when l."liCollegeId" is not null then 'college'
    else 'school'
  end`

/** Stars of a course: how many gave any, and their sum. */
export const starCount = sql`(t."stars"[1] + t."stars"[2] + t."stars"[3] + t."stars"[4] + t."stars"[5])`
export const starSum = sql`(t."stars"[1] + 2 * t."stars"[2] + 3 * t."stars"[3] + 4 * t."stars"[4] + 5 * t."stars"[5])`
