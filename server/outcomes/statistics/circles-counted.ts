import { sql, type RawBuilder } from 'kysely'
import { circleApplyType, circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { idleDays } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { lessonsOf, type LessonRow } from './lesson-rows.ts'
import { groupsOfLessons, hasBegun, isAtStage, isDuring, isOfSubject, wasPublished } from './published.ts'

export interface CircleFilter {
  startTime?: string | undefined
  endTime?: string | undefined
  collegeId?: string | undefined
  ciClass?: string | undefined
  ciLevel?: string | undefined
  lsId?: string | undefined
  llId?: string | undefined
  lacking?: 'college' | undefined
}
type Reader = Pick<Context, 'actor' | 'scope' | 'clock'>

/** The end of the period, or now where that lies ahead: what is counted at a moment is counted then. */
export const momentOf = ({ clock }: Pick<Context, 'clock'>, { endTime }: CircleFilter): string =>
  endTime && endTime < clock.now() ? endTime : clock.now()

const ofKind = ({ ciClass, ciLevel }: CircleFilter) =>
  sql<boolean>`(
      ${ciClass ? sql`i."ciClass" = ${ciClass}::uuid` : sql`true`}
      and ${ciLevel ? sql`i."ciLevel" = ${ciLevel}` : sql`true`}
    )`

/**
 * Founded circles with the day since when they are there (`since`) and the moment they were closed (`closeTime`). One
 * that was closed without an application says when it was last changed.
 */
const founded = (schoolId: string): RawBuilder<unknown> => sql`
    select i.*,
      coalesce(i."foundDate", i."createTime"::date) "since",
      case
        i."ciStatus"
        when ${sql.lit(circleStatus.dissolved)} then coalesce(
          (
            select max(a."auditTime")
            from "circleApply" a
            where a."schoolId" = i."schoolId"
              and a."ciId" = i."ciId"
              and a."caType" = ${sql.lit(circleApplyType.dissolution)}
              and a."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}
          ), i."updateTime"
        )
      end "closeTime"
    from "circle" i
    where i."schoolId" = ${schoolId} and i."delFlag" = '0' and i."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}`

/** The circles that the asking person's area covers and that fit, as `c`, whatever the period. */
const circlesSeen = (ctx: Reader, input: CircleFilter): RawBuilder<unknown> => sql`(
    ${founded(ctx.actor.schoolId)}
    and ${inScope(ctx.scope, { college: 'i.ciCollegeId', department: 'i.guideUnitId' })}
    and ${ofKind(input)}
    and ${input.collegeId ? sql`i."ciCollegeId" = ${input.collegeId}::uuid` : sql`true`}
    and ${input.lacking ? sql`i."ciCollegeId" is null` : sql`true`}
  ) c`

/** Those that existed in the period. */
export const countedCircles = (ctx: Reader, input: CircleFilter): RawBuilder<unknown> => sql`(
    select *
    from ${circlesSeen(ctx, input)}
    where c."since" <= ${dayOf(momentOf(ctx, input))}::date
      and
      ${input.startTime ? sql`(c."closeTime" is null or c."closeTime" >= ${input.startTime}::timestamptz)` : sql`true`}
  ) c`

/** Joined to circles `c`: those who belong to them at a moment, as `m`; a circle that is closed has nobody. */
export const membersAt = (at: string): RawBuilder<unknown> => sql`
    join "circleMember" m on m."schoolId" = c."schoolId"
      and m."ciId" = c."ciId"
      and m."joinTime" <= ${at}::timestamptz
      and (m."quitTime" is null or m."quitTime" > ${at}::timestamptz)
      and (c."closeTime" is null or c."closeTime" > ${at}::timestamptz)`

/** Those who belong now to some circle of the wanted kind, as `m`, whoever looks after that. */
const membersNow = ({ actor }: Reader, input: CircleFilter): RawBuilder<unknown> => sql`
      from "circleMember" m
      join "circle" i on i."schoolId" = m."schoolId" and i."ciId" = m."ciId"
      where m."schoolId" = ${actor.schoolId}
        and m."quitTime" is null
        and i."delFlag" = '0'
        and i."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}
        and i."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
        and ${ofKind(input)}`

/** The ids of those who do. */
export async function currentMembers(ctx: Context, input: CircleFilter): Promise<Set<string>> {
  const { rows } = await sql<{ suId: string }>`select distinct m."suId" ${membersNow(ctx, input)}`.execute(ctx.db)
  return new Set(rows.map(({ suId }) => suId))
}

/** Whether a course is an activity: published and not called off. */
const isHeld = (row: LessonRow): boolean => row.liCircleId !== null && wasPublished(row) && !isAtStage(row, 'stopped')

/** Activities by their circle. */
export type Activities = ReadonlyMap<string, readonly LessonRow[]>

/** The activities of all circles of the school, of whatever period. */
export const activitiesEver = async (ctx: Context): Promise<Activities> =>
  groupsOfLessons((await lessonsOf(ctx)).filter(isHeld), ({ liCircleId }) => liCircleId!)

/** Those of a circle that were published in the period and fit. */
export const activitiesOf = (activities: Activities, ciId: string, input: CircleFilter): LessonRow[] =>
  (activities.get(ciId) ?? []).filter((row) => isDuring(row.publishTime!, input) && isOfSubject(row, input))

/** The beginning of the latest activity of a circle that has begun, of whatever period. */
export function lastActivity(activities: Activities, ciId: string, now: string): string | null {
  let last: string | null = null
  for (const row of activities.get(ciId) ?? [])
    if (hasBegun(row, now) && (last === null || row.startTime > last)) last = row.startTime
  return last
}

/**
 * Whether a circle lies idle: it is in service, old enough, and its last activity too long ago.
 */
export function isIdle(
  circle: Pick<Circle, 'ciId' | 'ciStatus' | 'since'>,
  activities: Activities,
  now: string,
): boolean {
  const long = addDays(now, -idleDays)
  const last = lastActivity(activities, circle.ciId, now)
  return circle.ciStatus === circleStatus.enabled && circle.since <= dayOf(long) && (last === null || last <= long)
}

/** A circle that is counted, by what it is grouped and told apart by. */
export interface Circle {
  ciId: string
  ciNo: string
  ciName: string
  ciClass: string
  ciCollegeId: string | null
  ciStatus: string
  /** The day since when it is there. */
  since: string
  closeTime: string | null
  isGuided: boolean
}

/**
 * The circles that the asking person's area covers and that fit, whatever the period, in the order of their numbers.
 */
export const circlesEver = async (ctx: Context, input: CircleFilter): Promise<Circle[]> =>
  (
    await sql<Circle>`
      select c."ciId", c."ciNo", c."ciName", c."ciClass"::text "ciClass", c."ciCollegeId", c."ciStatus", c."since",
        c."closeTime",
        exists (select from "circleTeacher" x where x."schoolId" = c."schoolId" and x."ciId" = c."ciId") "isGuided"
      from ${circlesSeen(ctx, input)}
      order by c."ciNo", c."ciId"`.execute(ctx.db)
  ).rows

/** Those of them that existed in the period. */
export function thereIn(ctx: Reader, circles: readonly Circle[], input: CircleFilter): Circle[] {
  const last = dayOf(momentOf(ctx, input))
  return circles.filter(
    ({ since, closeTime }) =>
      since <= last && (input.startTime === undefined || closeTime === null || closeTime >= input.startTime),
  )
}

/** The circles of a whole filter with the activities of all. */
export async function circlesIn(
  ctx: Context,
  input: CircleFilter,
): Promise<{ circles: Circle[]; activities: Activities }> {
  const [ever, activities] = await together(circlesEver(ctx, input), activitiesEver(ctx))
  return { circles: thereIn(ctx, ever, input), activities }
}

/** What the cards and the list call circles. */
export function circleStages(ctx: Reader, input: CircleFilter, activities: Activities) {
  const now = ctx.clock.now()
  return {
    active: ({ ciStatus }: Circle) => ciStatus === circleStatus.enabled,
    disabled: ({ ciStatus }: Circle) => ciStatus === circleStatus.disabled,
    mending: ({ ciStatus }: Circle) => ciStatus === circleStatus.rectifying,
    added: ({ since }: Circle) => isDayDuring(since, input),
    closed: ({ ciStatus, closeTime }: Circle) =>
      ciStatus === circleStatus.dissolved && closeTime !== null && isDuring(closeTime, input),
    guided: ({ closeTime, isGuided }: Circle) => closeTime === null && isGuided,
    idle: (circle: Circle) => isIdle(circle, activities, now),
  }
}

const isDayDuring = (day: string, { startTime, endTime }: CircleFilter): boolean =>
  (startTime === undefined || day >= dayOf(startTime)) && (endTime === undefined || day <= dayOf(endTime))

/** How many members each circle has at a moment; a circle that is closed then has nobody and is not told. */
export async function memberCounts(ctx: Context, input: CircleFilter, at: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ ciId: string; members: number }>`
    select c."ciId", count(*)::int "members"
    from ${countedCircles(ctx, input)} ${membersAt(at)}
    group by 1`.execute(ctx.db)
  return new Map(rows.map(({ ciId, members }) => [ciId, members]))
}
