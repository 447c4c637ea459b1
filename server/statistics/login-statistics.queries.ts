import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import type { activeApi, loginStatApi } from '../../contract/statistics/login-statistics.calls.ts'
import { addDays, dayOf } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import { answered } from './answers.ts'
import { cardsOf, comparisons, percent, ratio, type CardKind } from './figures.ts'
import { isByDay, stepsOf, type Span } from './periods.ts'
import { atPlaces, collegeNames, type PlaceFilter } from './places.ts'

type Input = Checked<typeof loginStatApi.college>
type Whose = PlaceFilter & { tab: '1' | '2' | '3' }

/** For each year of a span the bits of its days; the first bit is 1 January. */
export function yearMasks({ startTime, endTime }: Span): { years: number[]; masks: string[] } {
  const [from, to] = [dayOf(startTime), dayOf(endTime)]
  const years = Array.from({ length: Math.max(0, Number(to.slice(0, 4)) - Number(from.slice(0, 4)) + 1) }, (_, at) => Number(from.slice(0, 4)) + at)
  const dayOfYear = (day: string) => Math.round((Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000)
  const masks = years.map((year) => {
    const first = year === Number(from.slice(0, 4)) ? dayOfYear(from) : 0
    const last = year === Number(to.slice(0, 4)) ? dayOfYear(to) : 365
    return '0'.repeat(first) + '1'.repeat(Math.max(0, last - first + 1)) + '0'.repeat(365 - last)
  })
  return { years, masks }
}

/** That a person signed in within a span, as a condition on `s`, his totals. */
export const cameIn = (span: Span) => {
  const { years, masks } = yearMasks(span)
  return sql`exists (select from unnest(${years}::int[], ${masks}::text[]) m("year", "mask") join "statLoginYear" y on y."schoolId" = s."schoolId" and y."logYear" = m."year" and y."suId" = s."suId" and bit_count(y."days" & m."mask"::bit(366)) > 0)`
}

/** People who signed in within a span, nobody twice; by college, grade, or whether they study. */
async function peopleBy({ db, actor }: Context, where: ReturnType<typeof atPlaces>, span: Span, by: 'collegeId' | 'grade' | 'plKind'): Promise<{ id: string; people: number }[]> {
  const { years, masks } = yearMasks(span)
  const counted = years.length === 1 ? sql`count(*)` : sql`count(distinct y."suId")`
  const { rows } = await sql<{ id: string; people: number }>`
    select coalesce(pl.${sql.ref(by)}::text, '') "id", ${counted}::int "people" from unnest(${years}::int[], ${masks}::text[]) m("year", "mask")
      join "statLoginYear" y on y."schoolId" = ${actor.schoolId} and y."logYear" = m."year" and bit_count(y."days" & m."mask"::bit(366)) > 0
      join "statPerson" s on s."schoolId" = y."schoolId" and s."suId" = y."suId" join "statPlace" pl on pl."schoolId" = s."schoolId" and pl."plId" = s."plId"
    where ${where} group by 1`.execute(db)
  return rows
}

export const daysIn = (column: string, { startTime, endTime }: Span) => sql`${sql.ref(column)} between ${dayOf(startTime)}::date and ${dayOf(endTime)}::date`
const total = (rows: readonly { people: number }[]): number => rows.reduce((sum, { people }) => sum + people, 0)
/** The last days of a span that are not yet to come. */
export const lastDays = ({ endTime }: Span, days: number, now: string): Span => {
  const end = dayOf(endTime) < dayOf(now) ? dayOf(endTime) : dayOf(now)
  return { startTime: addDays(end, 1 - days), endTime: end }
}

interface Figures {
  people: number
  students: number
  staff: number
  times: number
  /** The people of every day added up. */
  daily: number
  days: number
  week: number
  month: number
  all: number
  active: number
}

const kinds: CardKind<Figures>[] = [
  { key: 'people', name: '登录人数', unit: '人', definition: '时间范围内至少登录过一次的人，每人只计一次', value: ({ people }) => people },
  { key: 'students', name: '学生登录人数', unit: '人', definition: '登录人数中的学生', value: ({ students }) => students },
  { key: 'staff', name: '教职工登录人数', unit: '人', definition: '登录人数中的教职工', value: ({ staff }) => staff },
  { key: 'times', name: '登录人次', unit: '人次', definition: '时间范围内的登录次数', value: ({ times }) => times },
  { key: 'day', name: '日均活跃', unit: '人', definition: '时间范围内每天登录人数的平均值，尚未到来的日子不计', value: ({ daily, days }) => ratio(daily, days) },
  { key: 'week', name: '周活跃', unit: '人', definition: '时间范围最后 7 天内登录过的人数', value: ({ week }) => week },
  { key: 'month', name: '月活跃', unit: '人', definition: '时间范围最后 30 天内登录过的人数', value: ({ month }) => month },
  { key: 'activated', name: '激活率', unit: '%', definition: '曾经登录过的人数 ÷ 应有人数，与时间范围无关', value: ({ active, all }) => percent(active, all), standing: true },
  { key: 'never', name: '从未登录', unit: '人', definition: '至今没有登录过的人数，与时间范围无关', value: ({ active, all }) => all - active, standing: true },
]

/** The span asked for; an open edge ends with the first sign-in, or today. */
export async function spanOf({ db, actor, clock }: Context, { startTime, endTime }: { startTime?: string | undefined; endTime?: string | undefined }): Promise<Span> {
  const end = endTime ?? clock.now()
  if (startTime) return { startTime, endTime: end }
  const { rows } = await sql<{ first: string | null }>`select min("logDay") "first" from "statLogin" where "schoolId" = ${actor.schoolId}`.execute(db)
  const first = rows[0]?.first ?? dayOf(end)
  return { startTime: first < dayOf(end) ? first : dayOf(end), endTime: end }
}

async function figuresOf(ctx: Context, whose: Whose, span: Span): Promise<Figures> {
  const where = atPlaces(ctx, whose, whose.tab)
  const now = ctx.clock.now()
  const [people, week, month, sums, ever] = await Promise.all([
    peopleBy(ctx, where, span, 'plKind'), peopleBy(ctx, where, lastDays(span, 7, now), 'collegeId'), peopleBy(ctx, where, lastDays(span, 30, now), 'collegeId'),
    sql<{ times: number; daily: number }>`select coalesce(sum(d."times"), 0)::int "times", coalesce(sum(d."people"), 0)::int "daily" from "statLogin" d join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId"
      where d."schoolId" = ${ctx.actor.schoolId} and ${daysIn('d.logDay', span)} and ${where}`.execute(ctx.db),
    sql<{ all: number; active: number }>`select count(*)::int "all", (count(*) filter (where exists (select from "statLoginYear" y where y."schoolId" = s."schoolId" and y."suId" = s."suId")))::int "active"
      from "statPerson" s join "statPlace" pl on pl."schoolId" = s."schoolId" and pl."plId" = s."plId" where ${where}`.execute(ctx.db),
  ])
  const end = dayOf(span.endTime) < dayOf(now) ? span.endTime : now
  const days = Math.round((Date.parse(dayOf(end)) - Date.parse(dayOf(span.startTime))) / 86_400_000) + 1
  const ofKind = (kind: string) => people.find(({ id }) => id === kind)?.people ?? 0
  return { people: total(people), students: ofKind('1'), staff: ofKind('2'), week: total(week), month: total(month), ...sums.rows[0]!, ...ever.rows[0]!, days: Math.max(0, days) }
}

async function bars(ctx: Context, whose: Whose, span: Span, by: 'collegeId' | 'grade'): Promise<Output<typeof loginStatApi.grade>['rows']> {
  const where = atPlaces(ctx, whose, whose.tab)
  const group = sql`coalesce(pl.${sql.ref(by)}::text, '')`
  const [people, times, all, colleges] = await Promise.all([
    peopleBy(ctx, where, span, by),
    sql<{ id: string; n: number }>`select ${group} "id", sum(d."times")::int "n" from "statLogin" d join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId" where d."schoolId" = ${ctx.actor.schoolId} and ${daysIn('d.logDay', span)} and ${where} group by 1`.execute(ctx.db),
    sql<{ id: string; n: number }>`select ${group} "id", count(*)::int "n" from "statPerson" s join "statPlace" pl on pl."schoolId" = s."schoolId" and pl."plId" = s."plId" where ${where} group by 1`.execute(ctx.db),
    collegeNames(ctx),
  ])
  const named = (id: string) => (by === 'collegeId' ? (colleges.get(id) ?? '') : id === '' ? { 1: '未登记年级', 2: '教职工', 3: '教职工与未登记' }[whose.tab] : `${id} 级`)
  return all.rows
    .map(({ id, n }) => {
      const came = people.find((row) => row.id === id)?.people ?? 0
      return { id, name: named(id), people: came, times: times.rows.find((row) => row.id === id)?.n ?? 0, total: n, rate: percent(came, n) }
    })
    .toSorted((a, b) => (by === 'grade' ? a.id.localeCompare(b.id) : b.people - a.people || a.name.localeCompare(b.name, 'zh')))
}

const asSeries = (rows: Output<typeof loginStatApi.grade>['rows']) => ({
  xAxis: rows.map(({ name }) => name),
  series: [{ name: '登录人数', data: rows.map(({ people }) => people) }, { name: '登录人次', data: rows.map(({ times }) => times) }],
})

/** People and sign-ins by day, or by month: people of a month are counted once. */
async function trendOf(ctx: Context, where: ReturnType<typeof atPlaces>, span: Span) {
  const byDay = isByDay(span)
  const step = sql`to_char(d."logDay", ${byDay ? 'YYYY-MM-DD' : 'YYYY-MM'})`
  const { rows } = await sql<{ date: string; people: number; times: number }>`select ${step} "date", sum(d."people")::int "people", sum(d."times")::int "times" from "statLogin" d join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId"
    where d."schoolId" = ${ctx.actor.schoolId} and ${daysIn('d.logDay', span)} and ${where} group by 1`.execute(ctx.db)
  // what lies ahead is no zero
  const now = ctx.clock.now()
  const steps = stepsOf({ ...span, endTime: span.endTime < now ? span.endTime : now }, byDay)
  const months = byDay ? [] : await Promise.all(steps.map(async (month) => total(await peopleBy(ctx, where, monthWithin(month, span), 'collegeId'))))
  return steps.map((date, at) => {
    const row = rows.find((one) => one.date === date)
    return { date, people: byDay ? (row?.people ?? 0) : months[at]!, times: row?.times ?? 0 }
  })
}

const monthWithin = (month: string, { startTime, endTime }: Span): Span => {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)
  const [from, to] = [dayOf(startTime), dayOf(endTime)]
  return { startTime: `${month}-01` < from ? from : `${month}-01`, endTime: last > to ? to : last }
}

/** Sign-ins: cards, colleges, trend, and the hours of the week. */
export const loginsByCollege = (ctx: Context, input: Input): Promise<Output<typeof loginStatApi.college>> =>
  answered(ctx, 'loginCollege', input, async (asOf) => {
    const span = await spanOf(ctx, input)
    const { previous, lastYear } = await comparisons(ctx, input)
    const where = atPlaces(ctx, input, input.tab)
    const [own, before, year, rows, trend, heat] = await Promise.all([
      figuresOf(ctx, input, span), previous && figuresOf(ctx, input, previous), lastYear && figuresOf(ctx, input, lastYear), bars(ctx, input, span, 'collegeId'), trendOf(ctx, where, span),
      sql<{ day: number; hours: number[] }>`select extract(isodow from d."logDay")::int "day", array[${sql.join(Array.from({ length: 24 }, (_, at) => sql`sum(d."hours"[${sql.lit(at + 1)}])::int`))}] "hours"
        from "statLogin" d join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId" where d."schoolId" = ${ctx.actor.schoolId} and ${daysIn('d.logDay', span)} and ${where} group by 1`.execute(ctx.db),
    ])
    const hours = Array.from({ length: 7 }, (_, at) => heat.rows.find(({ day }) => day === at + 1)?.hours ?? Array.from({ length: 24 }, () => 0))
    return { cards: cardsOf(kinds.filter(({ key }) => input.tab === '3' || (key !== 'students' && key !== 'staff')), own, before, year), asOf, previous, lastYear, ...asSeries(rows), rows, trend, heat: hours }
  })

export const loginsByGrade = (ctx: Context, input: Checked<typeof loginStatApi.grade>): Promise<Output<typeof loginStatApi.grade>> =>
  answered(ctx, 'loginGrade', input, async () => {
    const rows = await bars(ctx, input, await spanOf(ctx, input), 'grade')
    return { ...asSeries(rows), rows }
  })

/** What the home screen shows of how lively the console is. */
export const activePeople = (ctx: Context, input: Checked<typeof activeApi.info>): Promise<Output<typeof activeApi.info>> =>
  answered(ctx, 'active', { ...input, today: dayOf(ctx.clock.now()) }, async () => {
    const now = ctx.clock.now()
    const where = atPlaces(ctx, {}, '3')
    const of = async (days: number) => total(await peopleBy(ctx, where, lastDays({ startTime: now, endTime: now }, days, now), 'collegeId'))
    const asked = input.startTime || input.endTime ? await spanOf(ctx, input) : { startTime: addDays(dayOf(now), -29), endTime: dayOf(now) }
    const [today, week, month, trend] = await Promise.all([of(1), of(7), of(30), trendOf(ctx, where, asked)])
    return { today, week, month, trend }
  })
