import { sql, type RawBuilder } from 'kysely'
import { loginState as loginStateCodes } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { maskedAddress } from '../../core/secrets/masks.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { cameIn, daysIn, lastDays, spanOf } from './login-days.ts'
import { atPlaces, personsAt } from './places.ts'

/** What somebody signed in with, in a word. */
export const terminalOf = (agent: string): string =>
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
  from: RawBuilder<unknown>
  /** The condition on `d`, a person's day, that it is looked at: within the span, and of the wanted weekday. */
  days: RawBuilder<unknown>
  /** How often somebody came on such a day, or at its wanted hour. */
  times: RawBuilder<unknown>
}

const ever = sql`exists (select from "statLoginYear" y where y."schoolId" = s."schoolId" and y."suId" = s."suId")`

/** Those whom a figure counts, as `s` and `p`, and which of their days it looks at. */
async function matching(ctx: Context, input: Filter, more: RawBuilder<unknown> = sql`true`): Promise<Found> {
  const { loginState, weekday, hour } = input
  const whole = await spanOf(ctx, input)
  const span =
    loginState === loginStateCodes.last7Days || loginState === loginStateCodes.last30Days
      ? lastDays(whole, Number(loginState), ctx.clock.now())
      : whole
  const came = { 1: cameIn(span), 7: cameIn(span), 30: cameIn(span), ever, 0: sql`not ${ever}`, all: sql`true` }[
    loginState
  ]
  const days = sql`${daysIn('d.logDay', span)}
    and ${weekday ? sql`extract(isodow from d."logDay") = ${sql.lit(Number(weekday))}` : sql`true`}`
  const times = hour === undefined ? sql`d."times"` : sql`d."hours"[${sql.lit(hour + 1)}]`
  const then =
    weekday || hour !== undefined
      ? sql`exists (
          select
          from "loginDay" d
          where d."schoolId" = s."schoolId" and d."suId" = s."suId" and ${days} and ${times} > 0
        )`
      : sql`true`
  return {
    days,
    times,
    from: sql`from ${personsAt}
      join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
      where ${atPlaces(ctx, input, input.tab)} and ${came} and ${then} and ${more}`,
  }
}

async function rowsOf(
  { db, actor }: Context,
  { from, days, times }: Found,
  limit: number,
  offset: number,
): Promise<Output<typeof loginStatApi.detail>['records']> {
  const { rows } = await sql<Row>`
      select k."suId", k."suiName", k."suiNumber", k."suiType", coalesce(o."scName", '') "collegeName",
        coalesce(k."suiGrade", '') "grade", coalesce(t."times", 0)::int "times", t."lastTime",
        coalesce(t."agent", '') "agent", coalesce(t."ip", '') "ip"
      from (select p.* ${from} order by p."suiNumber", p."suId" limit ${limit} offset ${offset}) k
      left join "college" o on o."schoolId" = k."schoolId" and o."scId" = k."suiCollegeId"
      left join lateral (
        select sum(${times}) "times", max(d."lastTime") "lastTime",
          (array_agg(d."agent" order by d."logDay" desc))[1] "agent",
          (array_agg(d."ip" order by d."logDay" desc))[1] "ip"
        from "loginDay" d
        where d."schoolId" = ${actor.schoolId} and d."suId" = k."suId" and ${days}
      ) t on true
      order by k."suiNumber", k."suId"`.execute(db)
  const opens = { student: actor.permits.has('student:list'), staff: actor.permits.has('teacher:list') }
  return rows.map(({ agent, ip, ...row }) => ({
    ...row,
    terminal: terminalOf(agent),
    ip: maskedAddress(ip),
    opens: row.suiType === personType.student ? opens.student : opens.staff,
  }))
}

/** People behind the figures of the sign-ins, by number. */
export async function loginDetail(
  ctx: Context,
  input: Checked<typeof loginStatApi.detail>,
): Promise<Output<typeof loginStatApi.detail>> {
  const found = await matching(ctx, input)
  const [rows, all] = await Promise.all([
    rowsOf(ctx, found, input.pageSize, offsetOf(input)),
    sql<{ n: number }>`select count(*)::int "n" ${found.from}`.execute(ctx.db),
  ])
  return asPage(rows, all.rows[0]!.n, input)
}

/** The next ones after a number, for the export. */
export const loginsAfter = async (ctx: Context, filter: Filter, last: string | undefined, limit: number) =>
  rowsOf(ctx, await matching(ctx, filter, last === undefined ? sql`true` : sql`p."suiNumber" > ${last}`), limit, 0)
