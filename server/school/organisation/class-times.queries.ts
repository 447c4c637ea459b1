import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../../core/request/context.ts'
import { dayParts } from './class-times.ts'

type Reader = Pick<Context, 'db' | 'actor'>

/** A meeting of a class that lies within some stretch of time. */
interface BusyClass {
  scClassId: string
  ctName: string
  day: string
  startAt: string
  endAt: string
}

/**
 * The first meeting of each class that lies within some stretches of time, by the timetable. @param scClassId one class
 * alone
 */
export async function busyClasses(
  { db, actor }: Reader,
  times: readonly { startTime: string; endTime: string }[],
  scClassId?: string,
): Promise<BusyClass[]> {
  const parts = dayParts(times)
  if (parts.length === 0) return []
  const isOne: RawBuilder<unknown> = scClassId ? sql`t."scClassId" = ${scClassId}::uuid` : sql`true`
  const { rows } = await sql<BusyClass>`
    select distinct on (t."scClassId") t."scClassId", t."ctName", p."day"::text "day", t."startAt", t."endAt"
    from unnest(
      ${parts.map(({ day }) => day)}::date[], ${parts.map(({ from }) => from)}::text[],
      ${parts.map(({ to }) => to)}::text[]
    ) as p("day", "from", "to")
    join "classTime" t on t."weekday" = extract(isodow from p."day")
      and (p."day" - t."firstMonday") / 7 + 1 = any(t."weeks")
      and p."day" >= t."firstMonday"
      and t."startAt" < p."to"
      and t."endAt" > p."from"
    where t."schoolId" = ${actor.schoolId}
      and ${isOne}
    order by t."scClassId", p."day", t."startAt", t."ctName"`.execute(db)
  return rows
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

/** A meeting in words: `2026-09-09（周三）08:00–09:35 高等数学`. */
export const busyText = ({ ctName, day, startAt, endAt }: BusyClass): string =>
  `${day}（${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}）${startAt}–${endAt} ${ctName}`
