import { sql } from 'kysely'
import { peopleKind } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import type { activeApi, loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, percent, ratio, type CardKind } from './figures.ts'
import { daysIn, firstDay, lastDays, spanOf, yearMasks } from './login-days.ts'
import { isByDay, stepsOf, type Span } from './periods.ts'
import { atPlaces, collegeNames, personsAt } from './places.ts'

type Input = Checked<typeof loginStatApi.college>

interface Came {
  /** The college or grade; empty for none. */
  id: string
  /** 1 students, 2 staff. */
  kind: string
  all: number
  /** Those who ever signed in. */
  ever: number
  /** For each span those who signed in within it, nobody twice. */
  came: number[]
}

/**
 * How many people there are and how many signed in within each of some spans, by college or grade and by whether they
 * study: all from one pass, for every pass checks each person of the school.
 */
async function peopleBy(
  { db, actor, clock }: Context,
  where: ReturnType<typeof atPlaces>,
  spans: readonly Span[],
  by: 'collegeId' | 'grade',
): Promise<Came[]> {
  const first = await firstDay({ db, actor })
  const [from, to] = [Number(dayOf(first ?? clock.now()).slice(0, 4)), Number(clock.now().slice(0, 4))]
  const known = Array.from({ length: Math.max(1, to - from + 1) }, (_, at) => from + at)
  const year = (at: number, column: string) => sql.ref(`y${at}.${column}`)
  const masks: { name: string; mask: string }[] = []
  const came = spans.map((span) => {
    const { years, masks: bits } = yearMasks(span)
    const parts = years.flatMap((one, at) => {
      const which = known.indexOf(one)
      if (which < 0) return []
      const name = `m${masks.length}`
      masks.push({ name, mask: bits[at]! })
      return [sql`bit_count(${year(which, 'days')} & ${sql.ref(`m.${name}`)}) > 0`]
    })
    return sql`count(*) filter (where ${parts.length === 0 ? sql`false` : sql.join(parts, sql` or `)})`
  })
  const { rows } = await sql<Came>`
        with m as materialized (
          select
          ${masks.length === 0 ? sql`1` : sql.join(masks.map(({ name, mask }) => sql`${mask}::bit(366) ${sql.ref(name)}`))}
        )
        select coalesce(pl.${sql.ref(by)}::text, '') "id", pl."plKind" "kind", count(*)::int "all",
          (
            count(*) filter (
              where
              ${sql.join(
                known.map((_, at) => sql`${year(at, 'suId')} is not null`),
                sql` or `,
              )}
            )
          )::int "ever", array[${came.length === 0 ? sql`` : sql.join(came)}]::int[] "came"
        from ${personsAt}
        cross join m
        ${sql.join(
          known.map(
            (one, at) =>
              sql`left join "statLoginYear" ${sql.ref(`y${at}`)} on ${year(at, 'schoolId')} = ${actor.schoolId} and ${year(at, 'logYear')} = ${one}::int and ${year(at, 'suId')} = s."suId"`,
          ),
          sql` `,
        )}
        where ${where}
        group by 1, 2`.execute(db)
  return rows
}

/** Sums of everything over groups. */
const total = (groups: readonly Came[]): Pick<Came, 'all' | 'ever' | 'came'> => ({
  all: groups.reduce((sum, { all }) => sum + all, 0),
  ever: groups.reduce((sum, { ever }) => sum + ever, 0),
  came: (groups[0]?.came ?? []).map((_, at) => groups.reduce((sum, { came }) => sum + came[at]!, 0)),
})
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
  {
    key: 'people',
    name: '登录人数',
    unit: '人',
    definition: '时间范围内至少登录过一次的人，每人只计一次',
    value: ({ people }) => people,
  },
  {
    key: 'students',
    name: '学生登录人数',
    unit: '人',
    definition: '登录人数中的学生',
    value: ({ students }) => students,
  },
  { key: 'staff', name: '教职工登录人数', unit: '人', definition: '登录人数中的教职工', value: ({ staff }) => staff },
  { key: 'times', name: '登录人次', unit: '人次', definition: '时间范围内的登录次数', value: ({ times }) => times },
  {
    key: 'day',
    name: '日均活跃',
    unit: '人',
    definition: '时间范围内每天登录人数的平均值，尚未到来的日子不计',
    value: ({ daily, days }) => ratio(daily, days),
  },
  { key: 'week', name: '周活跃', unit: '人', definition: '时间范围最后 7 天内登录过的人数', value: ({ week }) => week },
  {
    key: 'month',
    name: '月活跃',
    unit: '人',
    definition: '时间范围最后 30 天内登录过的人数',
    value: ({ month }) => month,
  },
  {
    key: 'activated',
    name: '激活率',
    unit: '%',
    definition: '曾经登录过的人数 ÷ 应有人数，与时间范围无关',
    value: ({ active, all }) => percent(active, all),
    standing: true,
  },
  {
    key: 'never',
    name: '从未登录',
    unit: '人',
    definition: '至今没有登录过的人数，与时间范围无关',
    value: ({ active, all }) => all - active,
    standing: true,
  },
]

/** What one span's cards are calculated from: the span itself, its last 7 and its last 30 days. */
const partsOf = (span: Span, now: string): Span[] => [span, lastDays(span, 7, now), lastDays(span, 30, now)]

function figuresOf(span: Span, now: string, groups: readonly Came[], at: number, days: readonly Day[]): Figures {
  const end = dayOf(span.endTime) < dayOf(now) ? span.endTime : now
  const length = Math.round((Date.parse(dayOf(end)) - Date.parse(dayOf(span.startTime))) / 86_400_000) + 1
  const { all, ever, came } = total(groups)
  const [people = 0, week = 0, month = 0] = came.slice(at)
  const ofKind = (kind: string) => total(groups.filter((one) => one.kind === kind)).came[at] ?? 0
  return {
    people,
    students: ofKind('1'),
    staff: ofKind('2'),
    week,
    month,
    all,
    active: ever,
    times: days.reduce((sum, { times }) => sum + times, 0),
    daily: days.reduce((sum, { people: each }) => sum + each, 0),
    days: Math.max(0, length),
  }
}

interface Day {
  date: string
  id: string
  people: number
  times: number
}

/** Sign-ins of every day of a span, by college or grade. People of several days are not the same as people. */
async function daysOf(
  { db, actor }: Context,
  where: ReturnType<typeof atPlaces>,
  span: Span,
  by: 'collegeId' | 'grade',
): Promise<Day[]> {
  const { rows } = await sql<Day>`
      select d."logDay" "date", coalesce(pl.${sql.ref(by)}::text, '') "id", sum(d."people")::int "people",
        sum(d."times")::int "times"
      from "statLogin" d
      join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId"
      where d."schoolId" = ${actor.schoolId} and ${daysIn('d.logDay', span)} and ${where}
      group by 1, 2`.execute(db)
  return rows
}

async function barsOf(
  ctx: Context,
  { tab }: Pick<Input, 'tab'>,
  groups: readonly Came[],
  days: readonly Day[],
  by: 'collegeId' | 'grade',
): Promise<Output<typeof loginStatApi.grade>['rows']> {
  const colleges = await collegeNames(ctx)
  const named = (id: string) =>
    by === 'collegeId'
      ? (colleges.get(id) ?? '')
      : id === ''
        ? { 1: '未登记年级', 2: '教职工', 3: '教职工与未登记' }[tab]
        : `${id} 级`
  const times = new Map<string, number>()
  for (const { id, times: more } of days) times.set(id, (times.get(id) ?? 0) + more)
  return [...new Set(groups.map(({ id }) => id))]
    .map((id) => {
      const {
        all,
        came: [people = 0],
      } = total(groups.filter((one) => one.id === id))
      return { id, name: named(id), people, times: times.get(id) ?? 0, total: all, rate: percent(people, all) }
    })
    .toSorted((a, b) =>
      by === 'grade' ? a.id.localeCompare(b.id) : b.people - a.people || a.name.localeCompare(b.name, 'zh'),
    )
}

const asSeries = (rows: Output<typeof loginStatApi.grade>['rows']) => ({
  xAxis: rows.map(({ name }) => name),
  series: [
    { name: '登录人数', data: rows.map(({ people }) => people) },
    { name: '登录人次', data: rows.map(({ times }) => times) },
  ],
})

/**
 * The steps of a trend: days, or the months as the spans that are looked at. What lies ahead is no zero and is left
 * out.
 */
function trendSteps(span: Span, now: string): { steps: string[]; months: Span[] } {
  const byDay = isByDay(span)
  const steps = stepsOf({ ...span, endTime: span.endTime < now ? span.endTime : now }, byDay)
  return { steps, months: byDay ? [] : steps.map((month) => monthWithin(month, span)) }
}

/**
 * People and sign-ins by day, or by month: people of a month are counted once.
 * @param came those of each month; nothing where there is nobody to count
 */
const trendOf = ({ steps, months }: ReturnType<typeof trendSteps>, days: readonly Day[], came: readonly number[]) =>
  steps.map((date, at) => {
    const own = days.filter((day) => day.date.startsWith(date))
    return {
      date,
      people: months.length > 0 ? (came[at] ?? 0) : own.reduce((sum, { people }) => sum + people, 0),
      times: own.reduce((sum, { times }) => sum + times, 0),
    }
  })

const monthWithin = (month: string, { startTime, endTime }: Span): Span => {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)
  const [from, to] = [dayOf(startTime), dayOf(endTime)]
  return { startTime: `${month}-01` < from ? from : `${month}-01`, endTime: last > to ? to : last }
}

/** Sign-ins: cards, colleges, trend, and the hours of the week. */
export const loginsByCollege = (ctx: Context, input: Input): Promise<Output<typeof loginStatApi.college>> =>
  cachedAnswer(ctx, 'loginCollege', input, async (asOf) => {
    const now = ctx.clock.now()
    const span = await spanOf(ctx, input)
    const { previous, lastYear } = await comparisons(ctx, input)
    const where = atPlaces(ctx, input, input.tab)
    const trend = trendSteps(span, now)
    const compared = [span, ...(previous ? [previous] : []), ...(lastYear ? [lastYear] : [])]
    const [groups, heat, ...days] = await Promise.all([
      peopleBy(ctx, where, [...compared.flatMap((one) => partsOf(one, now)), ...trend.months], 'collegeId'),
      sql<{
        day: number
        hours: number[]
      }>`
        select extract(isodow from d."logDay")::int "day",
          array[${sql.join(Array.from({ length: 24 }, (_, at) => sql`sum(d."hours"[${sql.lit(at + 1)}])::int`))}]
          "hours"
        from "statLogin" d
        join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId"
        where d."schoolId" = ${ctx.actor.schoolId} and ${daysIn('d.logDay', span)} and ${where}
        group by 1`.execute(ctx.db),
      ...compared.map((one) => daysOf(ctx, where, one, 'collegeId')),
    ])
    const figures = compared.map((one, at) => figuresOf(one, now, groups, at * 3, days[at]!))
    const rows = await barsOf(ctx, input, groups, days[0]!, 'collegeId')
    const hours = Array.from(
      { length: 7 },
      (_, at) => heat.rows.find(({ day }) => day === at + 1)?.hours ?? Array.from({ length: 24 }, () => 0),
    )
    const own = kinds.filter(({ key }) => input.tab === peopleKind.all || (key !== 'students' && key !== 'staff'))
    const cards = cardsOf(own, figures[0]!, previous && figures[1]!, lastYear && figures.at(-1)!)
    return {
      cards,
      asOf,
      previous,
      lastYear,
      ...asSeries(rows),
      rows,
      trend: trendOf(trend, days[0]!, total(groups).came.slice(compared.length * 3)),
      heat: hours,
    }
  })

export const loginsByGrade = (
  ctx: Context,
  input: Checked<typeof loginStatApi.grade>,
): Promise<Output<typeof loginStatApi.grade>> =>
  cachedAnswer(ctx, 'loginGrade', input, async () => {
    const span = await spanOf(ctx, input)
    const where = atPlaces(ctx, input, input.tab)
    const [groups, days] = await Promise.all([peopleBy(ctx, where, [span], 'grade'), daysOf(ctx, where, span, 'grade')])
    const rows = await barsOf(ctx, input, groups, days, 'grade')
    return { ...asSeries(rows), rows }
  })

/** What the home screen shows of how lively the console is. */
export const activePeople = (
  ctx: Context,
  input: Checked<typeof activeApi.info>,
): Promise<Output<typeof activeApi.info>> =>
  cachedAnswer(ctx, 'active', { ...input, today: dayOf(ctx.clock.now()) }, async () => {
    const now = ctx.clock.now()
    const where = atPlaces(ctx, {}, '3')
    const asked =
      input.startTime || input.endTime
        ? await spanOf(ctx, input)
        : { startTime: addDays(dayOf(now), -29), endTime: dayOf(now) }
    const trend = trendSteps(asked, now)
    const [groups, days] = await Promise.all([
      peopleBy(
        ctx,
        where,
        [...[1, 7, 30].map((length) => lastDays({ startTime: now, endTime: now }, length, now)), ...trend.months],
        'collegeId',
      ),
      daysOf(ctx, where, asked, 'collegeId'),
    ])
    const { came } = total(groups)
    const [today = 0, week = 0, month = 0] = came
    return { today, week, month, trend: trendOf(trend, days, came.slice(3)) }
  })
