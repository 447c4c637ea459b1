import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../contract/core/codes/programme.ts'
import type { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { asPage, countOf, likeText, offsetOf, titleContains } from '../core/database/paging.ts'
import { from, withinSchool } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { activeStatuses, clashOf, inRangeOfCourse } from '../programme/lessons/model/admission.ts'
import { activities, asRow, openAt, rowColumns, shownToParticipants } from './activity-rows.queries.ts'

type Input = Checked<typeof ownActivityApi.list>
type Answer<K extends keyof typeof ownActivityApi> = Output<(typeof ownActivityApi)[K]>

/** Published activities whose range includes the student and which are not over. */
const ahead = (ctx: Context) =>
  activities(ctx)
    .where('lesson.liStatus', '=', sql.lit(lessonStatus.published))
    .where('lesson.endTime', '>', ctx.clock.now())
    .where(inRangeOfCourse('lesson', 'p'))

/**
 * Where an activity stands in the list: what the student can register for comes first, then what else is open (full, or
 * theirs already), then the rest. A hint for the order; who may register is said by the activity's page.
 */
const rankAt = (now: string) => sql`case
      when not ${openAt(now)} then 2
      when "r"."laStatus" = any(${activeStatuses}::text[]) then 1
      when "passCount" >= "quota" and "waitlistOn" <> ${sql.lit(yesNo.yes)} then 1
      else 0
    end`

/** The conditions of the filters on a query of activities. */
function narrowed<Q extends ReturnType<typeof activities>>(query: Q, input: Input, now: string): Q {
  const { liName, liKind, lsId, liLevel, placeText, beginDate, endDate, minCredit } = input
  let rows: ReturnType<typeof activities> = query
  if (liName) rows = rows.where(titleContains('lesson.liName', liName))
  if (input.open) rows = rows.where(openAt(now))
  if (liKind) rows = rows.where('lesson.liKind', '=', liKind)
  if (lsId) rows = rows.where(sql<boolean>`"lesson"."lsPath" && ${[lsId]}::uuid[]`)
  if (liLevel) rows = rows.where('lesson.liLevel', '=', liLevel)
  if (placeText)
    rows = rows.where(sql<boolean>`"lesson"."placeText" || ' ' || "lesson"."campus" like ${likeText(placeText)}`)
  if (beginDate) rows = rows.where('lesson.endTime', '>=', beginDate)
  if (endDate) rows = rows.where('lesson.startTime', '<=', endDate)
  if (minCredit !== undefined) rows = rows.where('lesson.liCredit', '>=', minCredit)
  return rows as Q
}

/**
 * Published activities whose range includes the student and which are not over, those first that they can register for
 * now; or those that the student has registered for, the latest first.
 */
export async function listActivities(ctx: Context, input: Input): Promise<Answer<'list'>> {
  const now = ctx.clock.now()
  const query = narrowed(
    input.mine
      ? activities(ctx)
          .where('r.laId', 'is not', null)
          .where('lesson.liStatus', 'in', [...shownToParticipants])
      : ahead(ctx),
    input,
    now,
  )
  const [rows, total] = await Promise.all([
    query
      .leftJoin('curriculum', withinSchool('curriculum.lsId', 'lesson.lsId'))
      .leftJoin('lessonLevel', (join) =>
        join.onRef('lessonLevel.schoolId', '=', 'lesson.schoolId').onRef('lessonLevel.llId', '=', 'lesson.liLevel'),
      )
      .leftJoin('college', withinSchool('college.scId', 'lesson.liCollegeId'))
      .select(rowColumns)
      .select('lesson.liKind')
      .select([openAt(now).as('isOpen'), clashOf(sql.ref('lesson.liId'), 'p').as('clash')])
      .orderBy(input.mine ? sql`"lesson"."startTime" desc` : sql`${rankAt(now)}, "lesson"."startTime"`)
      .orderBy('lesson.liId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows.map(asRow), total, input)
}

/** What the list can be narrowed by: kinds, modules at the top and levels of the activities that it shows now. */
export async function activityChoices(ctx: Context): Promise<Answer<'choices'>> {
  const shown = await ahead(ctx)
    .select([sql<string>`"lesson"."lsPath"[1]`.as('lsId'), 'liLevel', 'liKind'])
    .distinct()
    .execute()
  const of = (values: string[]) => [...new Set(values)]
  if (shown.length === 0) return { kinds: [], modules: [], levels: [] }
  const [modules, levels] = await Promise.all([
    from(ctx, 'curriculum')
      .select(['lsId as id', 'lsName as name'])
      .where('lsId', 'in', of(shown.map(({ lsId }) => lsId)))
      .orderBy('lsSort')
      .orderBy('lsId')
      .execute(),
    from(ctx, 'lessonLevel')
      .select(['llId as id', 'llName as name'])
      .where('llId', 'in', of(shown.map(({ liLevel }) => liLevel)))
      .orderBy('llSort')
      .orderBy('llId')
      .execute(),
  ])
  return { kinds: of(shown.map(({ liKind }) => liKind)).toSorted(), modules, levels }
}
