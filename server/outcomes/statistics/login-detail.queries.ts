import { sql, type RawBuilder } from 'kysely'
import { loginState as loginStateCodes } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { maskedAddress } from '../../core/secrets/masks.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { sortOf } from '../../core/database/sorting.ts'
import { pageByNumber, pageByValue, peopleFound, type PeopleFound } from './by-number.ts'
import { daysIn, lastDays, spanFrom } from './login-days.ts'
import { placesOfDay } from './sign-in-columns.ts'
import type { Span } from './periods.ts'
import { daysOfSpan, ownSignIns, rowAfter, signInsAsked, weekdayOf, type SignInsAsked } from './sign-ins-asked.ts'

/** What somebody signed in with, in a word. */
const terminalOf = (agent: string): string =>
  agent === ''
    ? ''
    : /MicroMessenger/i.test(agent)
      ? '微信'
      : /iPhone|iPad/i.test(agent)
        ? 'iOS'
        : /Android/i.test(agent)
          ? 'Android'
          : /Windows/i.test(agent)
            ? 'Windows'
            : /Mac OS/i.test(agent)
              ? 'macOS'
              : /Linux/i.test(agent)
                ? 'Linux'
                : '其他'

interface Row {
  suId: string
  suiName: string
  suiNumber: string
  suiType: string
  collegeName: string
  grade: string
  times: number
  lastTime: string | null
  agent: string
  ip: string
}

type Filter = Omit<Checked<typeof loginStatApi.detail>, 'current' | 'pageSize'>

interface Found {
  people: PeopleFound
  /** How often somebody came within the span, on days and at the hour that are wanted. */
  timesOf: (person: number) => number
  /** The condition on `d`, a person's day, that it is looked at: within the span, and of the wanted weekday. */
  days: RawBuilder<unknown>
  /** How often somebody came on such a day, or at its wanted hour. */
  times: RawBuilder<unknown>
}

/** States that ask for a day within the span. */
const ofSpan: readonly string[] = [loginStateCodes.withinPeriod, loginStateCodes.last7Days, loginStateCodes.last30Days]

/** Those whom a figure counts, and how often each came on the days that it looks at. */
function countedBy(
  asked: SignInsAsked,
  span: Span,
  { loginState, weekday, hour }: Filter,
): Pick<Found, 'people' | 'timesOf'> {
  const { from, to } = daysOfSpan(span)
  const { key, times } = asked.columns.signIns.columns
  const own = ownSignIns(asked)
  /** Whether a row is of the wanted weekday and hour. */
  const isWanted = (row: number): boolean => {
    const day = Math.floor(key[row]! / placesOfDay)
    return (
      key[row]! - day * placesOfDay === (hour === undefined ? 0 : hour + 1) &&
      (!weekday || weekdayOf(day) === Number(weekday) - 1) &&
      times[row]! > 0
    )
  }
  const timesOf = (person: number): number => {
    const rows = own(person)
    let sum = 0
    for (let row = rowAfter(asked, rows, to) - 1; row >= rows.start && key[row]! >= from * placesOfDay; row--)
      if (isWanted(row)) sum += times[row]!
    return sum
  }
  const people = peopleFound(asked.people, (person) => {
    const rows = own(person)
    const isEver = rows.end > rows.start
    if (loginState === loginStateCodes.never && isEver) return false
    if (loginState === loginStateCodes.ever && !isEver) return false
    const end = rowAfter(asked, rows, to)
    const isWithin = (row: number): boolean => row >= rows.start && key[row]! >= from * placesOfDay
    if (ofSpan.includes(loginState) && !isWithin(end - 1)) return false
    if (!weekday && hour === undefined) return true
    let row = end - 1
    while (isWithin(row) && !isWanted(row)) row--
    return isWithin(row)
  })
  return { people, timesOf }
}

/** Those whom a figure counts, and which of their days it looks at. */
async function matching(ctx: Context, input: Filter): Promise<Found> {
  const { loginState, weekday, hour } = input
  const asked = await signInsAsked(ctx, input, input.tab)
  const whole = spanFrom(asked.columns, input, ctx.clock.now())
  const span =
    loginState === loginStateCodes.last7Days || loginState === loginStateCodes.last30Days
      ? lastDays(whole, Number(loginState), ctx.clock.now())
      : whole
  return {
    ...countedBy(asked, span, input),
    days: sql`${daysIn('d.logDay', span)}
      and ${weekday ? sql`extract(isodow from d."logDay") = ${sql.lit(Number(weekday))}` : sql`true`}`,
    times: hour === undefined ? sql`d."times"` : sql`d."hours"[${sql.lit(hour + 1)}]`,
  }
}

/** These people, in their order. */
async function rowsOf(
  { db, actor }: Context,
  { days, times }: Found,
  suIds: readonly string[],
): Promise<Output<typeof loginStatApi.detail>['records']> {
  const { rows } = await sql<Row>`
      select k."suId", k."suiName", k."suiNumber", k."suiType", coalesce(o."scName", '') "collegeName",
        coalesce(k."suiGrade", '') "grade", coalesce(t."times", 0)::int "times", t."lastTime",
        coalesce(t."agent", '') "agent", coalesce(t."ip", '') "ip"
      from "person" k
      left join "college" o on o."schoolId" = k."schoolId" and o."scId" = k."suiCollegeId"
      left join lateral (
        select sum(${times}) "times", max(d."lastTime") "lastTime",
          (array_agg(d."agent" order by d."logDay" desc))[1] "agent",
          (array_agg(d."ip" order by d."logDay" desc))[1] "ip"
        from "loginDay" d
        where d."schoolId" = ${actor.schoolId} and d."suId" = k."suId" and ${days}
      ) t on true
      where k."schoolId" = ${actor.schoolId} and k."suId" = any(${suIds}::uuid[])
      order by array_position(${suIds}::uuid[], k."suId")`.execute(db)
  const opens = { student: actor.permits.has('student:list'), staff: actor.permits.has('teacher:list') }
  return rows.map(({ agent, ip, ...row }) => ({
    ...row,
    terminal: terminalOf(agent),
    ip: maskedAddress(ip),
    opens: row.suiType === personType.student ? opens.student : opens.staff,
  }))
}

/** People behind the figures of the sign-ins, by number unless the order of their sign-ins is asked for. */
export async function loginDetail(
  ctx: Context,
  input: Checked<typeof loginStatApi.detail>,
): Promise<Output<typeof loginStatApi.detail>> {
  const found = await matching(ctx, input)
  const { column, direction } = sortOf(input, { suiNumber: 'suiNumber', times: 'times' })
  const wanted = { offset: offsetOf(input), limit: input.pageSize, direction }
  const page =
    column === 'times' ? pageByValue(found.people, found.timesOf, wanted) : pageByNumber(found.people, wanted)
  return asPage(await rowsOf(ctx, found, page), found.people.count, input)
}

/** The next ones after a number, for the export. */
export async function loginsAfter(ctx: Context, filter: Filter, after: string | undefined, limit: number) {
  const found = await matching(ctx, filter)
  return rowsOf(ctx, found, pageByNumber(found.people, { offset: 0, limit, after }))
}
