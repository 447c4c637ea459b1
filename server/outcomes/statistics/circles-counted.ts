import { sql, type RawBuilder } from 'kysely'
import { circleApplyType, circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { idleDays } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { during, duringDays } from './figures.ts'
import { begun, ofSubject, stages as lessonStages, unpublished } from './published.ts'

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

/** The circles that existed in the period, that the asking person's area covers and that fit, as `c`. */
export const countedCircles = (ctx: Reader, input: CircleFilter): RawBuilder<unknown> => sql`(
    select *
    from (
      ${founded(ctx.actor.schoolId)}
      and ${inScope(ctx.scope, { college: 'i.ciCollegeId', department: 'i.guideUnitId' })}
      and ${ofKind(input)}
      and ${input.collegeId ? sql`i."ciCollegeId" = ${input.collegeId}::uuid` : sql`true`}
      and ${input.lacking ? sql`i."ciCollegeId" is null` : sql`true`}
    ) f
    where f."since" <= ${dayOf(momentOf(ctx, input))}::date
      and
      ${input.startTime ? sql`(f."closeTime" is null or f."closeTime" >= ${input.startTime}::timestamptz)` : sql`true`}
  ) c`

/** Joined to circles `c`: those who belong to them at a moment, as `m`; a circle that is closed has nobody. */
export const membersAt = (at: string): RawBuilder<unknown> => sql`
    join "circleMember" m on m."schoolId" = c."schoolId"
      and m."ciId" = c."ciId"
      and m."joinTime" <= ${at}::timestamptz
      and (m."quitTime" is null or m."quitTime" > ${at}::timestamptz)
      and (c."closeTime" is null or c."closeTime" > ${at}::timestamptz)`

/** Whether a student `s` belongs now to some circle of the wanted kind, whoever looks after that. */
export const isMember = ({ actor }: Reader, input: CircleFilter): RawBuilder<boolean> => sql<boolean>`
    s."suId" in (
      select m."suId"
      from "circleMember" m
      join "circle" i on i."schoolId" = m."schoolId" and i."ciId" = m."ciId"
      where m."schoolId" = ${actor.schoolId}
        and m."quitTime" is null
        and i."delFlag" = '0'
        and i."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}
        and i."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
        and ${ofKind(input)}
    )`

/** Activities: courses that were published and not called off. */
const heldActivity = sql<boolean>`(
    l."delFlag" = '0'
    and l."publishTime" is not null
    and l."liStatus" <> all(${[...unpublished, ...lessonStages.stopped]}::text[])
  )`

/** Joined to circles `c`: the activities that they published in the period, as `l`, with what became of them as `t`. */
export const activities = (input: CircleFilter): RawBuilder<unknown> => sql`
    join "lesson" l
      on l."schoolId" = c."schoolId"
      and l."liCircleId" = c."ciId"
      and ${heldActivity}
      and ${during('l.publishTime', input)}
      and ${ofSubject(input)}
    join "statLesson" t on t."schoolId" = l."schoolId" and t."liId" = l."liId"`

/** The beginning of the latest activity of a circle `c` that has begun, of whatever period. */
export const lastActivity = ({ clock }: Reader): RawBuilder<string | null> =>
  sql<string | null>`(
      select max(l."startTime")
      from "lesson" l
      where l."schoolId" = c."schoolId" and l."liCircleId" = c."ciId" and ${heldActivity} and ${begun(clock.now())}
    )`

/**
 * Conditions on `c` by what the cards and the list call them. A circle is idle when it is in service, old enough, and
 * its last activity too long ago.
 */
export function circleStages(ctx: Reader, input: CircleFilter) {
  const long = addDays(ctx.clock.now(), -idleDays)
  return {
    active: sql<boolean>`(c."ciStatus" = ${sql.lit(circleStatus.enabled)})`,
    disabled: sql<boolean>`(c."ciStatus" = ${sql.lit(circleStatus.disabled)})`,
    mending: sql<boolean>`(c."ciStatus" = ${sql.lit(circleStatus.rectifying)})`,
    added: duringDays('c.since', input),
    closed: sql<boolean>`(c."ciStatus" = ${sql.lit(circleStatus.dissolved)} and ${during('c.closeTime', input)})`,
    guided: sql<boolean>`(
        c."closeTime" is null
        and exists (select from "circleTeacher" x where x."schoolId" = c."schoolId" and x."ciId" = c."ciId")
      )`,
    idle: sql<boolean>`(
        c."ciStatus" = ${sql.lit(circleStatus.enabled)}
        and c."since" <= ${dayOf(long)}::date
        and not exists (
          select
          from "lesson" l
          where l."schoolId" = c."schoolId"
            and l."liCircleId" = c."ciId"
            and ${heldActivity}
            and ${begun(ctx.clock.now())}
            and l."startTime" > ${long}::timestamptz
        )
      )`,
  }
}
