import { peopleKind } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import type { activeApi, loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, percent, ratio, type CardKind } from './figures.ts'
import { lastDays, spanFrom } from './login-days.ts'
import { isByDay, stepsOf, type Span } from './periods.ts'
import { eachPerson, groupsOf } from './people-asked.ts'
import { collegeNames } from './places.ts'
import { dayBits, placesOfDay } from './sign-in-columns.ts'
import {
  dayText,
  daysOfSpan,
  ownSignIns,
  rowAfter,
  signInsAsked,
  weekdayOf,
  type SignInsAsked,
} from './sign-ins-asked.ts'

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
interface Day {
  date: string
  people: number
  times: number
}
/** What is found in one pass over the people asked about. */
interface Found {
  groups: Came[]
  /** Of each span that is gone through its days, of which there are some. */
  days: Day[][]
  /** Of the first of these: sign-ins of each group, people by month, sign-ins by weekday (Monday first) and hour. */
  timesOf: Map<string, number>
  peopleOfMonth: Map<string, number>
  heat: number[][]
}

/**
 * Goes through the people asked about.
 * @param spans within which people are counted; @param walked of these the first ones, whose days are gone through
 */
function signInsFound(
  asked: SignInsAsked,
  spans: readonly Span[],
  walked: readonly Span[],
  by: 'collegeId' | 'grade',
): Found {
  const { places } = asked.people.columns
  const { groupOf } = groupsOf(places, (place) => `${place.plKind} ${place[by] ?? ''}`)
  const groups: Came[] = []
  const counted = spans.map(daysOfSpan)
  const gone = walked.map(daysOfSpan).map(({ from, to }) => ({
    from,
    to,
    people: new Uint32Array(Math.max(0, to - from + 1)),
    times: new Float64Array(Math.max(0, to - from + 1)),
  }))
  const sums = new Map<string, number>()
  const heat = new Float64Array(7 * 24)
  const { key, times } = asked.columns.signIns.columns
  const own = ownSignIns(asked)
  const months = monthsOf(gone[0])
  // spans that end on the same day are found by one search
  const ends = [...new Set([...counted, ...gone].map(({ to }) => to))]
  const [endOfCounted, endOfGone] = [counted, gone].map((all) => all.map(({ to }) => ends.indexOf(to))) as [
    number[],
    number[],
  ]
  const after = new Int32Array(ends.length)
  eachPerson(asked.people, (person, at) => {
    const group = (groups[groupOf[at]!] ??= {
      id: places[at]![by] ?? '',
      kind: places[at]!.plKind,
      all: 0,
      ever: 0,
      came: counted.map(() => 0),
    })
    group.all++
    const rows = own(person)
    if (rows.start === rows.end) return
    group.ever++
    for (let end = 0; end < ends.length; end++) after[end] = rowAfter(asked, rows, ends[end]!)
    for (let span = 0; span < counted.length; span++) {
      const last = after[endOfCounted[span]!]! - 1
      if (last >= rows.start && key[last]! >= counted[span]!.from * placesOfDay) group.came[span]!++
    }
    for (let which = 0; which < gone.length; which++) {
      const span = gone[which]!
      const first = span.from * placesOfDay
      let [sum, month] = [0, -1]
      for (let row = after[endOfGone[which]!]! - 1; row >= rows.start && key[row]! >= first; row--) {
        const place = key[row]! & (placesOfDay - 1)
        const day = key[row]! >> dayBits
        if (place > 0) {
          if (which === 0) heat[weekdayOf(day) * 24 + place - 1]! += times[row]!
          continue
        }
        const on = day - span.from
        span.people[on]!++
        span.times[on]! += times[row]!
        sum += times[row]!
        if (which === 0 && months.of[on] !== month) {
          month = months.of[on]!
          months.people[month]!++
        }
      }
      if (which === 0) sums.set(group.id, (sums.get(group.id) ?? 0) + sum)
    }
  })
  return {
    groups: Object.values(groups),
    days: gone.map(({ from, people, times: ofDays }) =>
      Array.from(people, (n, at) => ({ date: dayText(from + at), people: n, times: ofDays[at]! })).filter(
        (day) => day.people > 0,
      ),
    ),
    timesOf: sums,
    peopleOfMonth: new Map(months.names.map((name, at) => [name, months.people[at]!])),
    heat: Array.from({ length: 7 }, (_, day) => [...heat.subarray(day * 24, day * 24 + 24)]),
  }
}

/** The months of a span: their names, the month of each day, and room for a count of each. */
function monthsOf(span: { from: number; to: number } | undefined) {
  const names: string[] = []
  const of = Array.from({ length: span ? Math.max(0, span.to - span.from + 1) : 0 }, (_, at) => {
    const name = dayText(span!.from + at).slice(0, 7)
    if (names.at(-1) !== name) names.push(name)
    return names.length - 1
  })
  return { names, of, people: names.map(() => 0) }
}

/** Sums of everything over groups. */
const total = (groups: readonly Came[]): Pick<Came, 'all' | 'ever' | 'came'> => ({
  all: groups.reduce((sum, { all }) => sum + all, 0),
  ever: groups.reduce((sum, { ever }) => sum + ever, 0),
  came: (groups[0]?.came ?? []).map((_, at) => groups.reduce((sum, { came }) => sum + came[at]!, 0)),
})
interface LoginFigures {
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

export const loginKinds: CardKind<LoginFigures>[] = [
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

function figuresOf(span: Span, now: string, groups: readonly Came[], at: number, days: readonly Day[]): LoginFigures {
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

async function barsOf(
  ctx: Context,
  { tab }: Pick<Input, 'tab'>,
  { groups, timesOf }: Found,
  by: 'collegeId' | 'grade',
): Promise<Output<typeof loginStatApi.grade>['rows']> {
  const colleges = await collegeNames(ctx)
  const named = (id: string) =>
    by === 'collegeId'
      ? (colleges.get(id) ?? '')
      : id === ''
        ? { 1: '未登记年级', 2: '教职工', 3: '教职工与未登记' }[tab]
        : `${id} 级`
  return [...new Set(groups.map(({ id }) => id))]
    .map((id) => {
      const {
        all,
        came: [people = 0],
      } = total(groups.filter((one) => one.id === id))
      return { id, name: named(id), people, times: timesOf.get(id) ?? 0, total: all, rate: percent(people, all) }
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
 * People and sign-ins by day, or by month: people of a month are counted once. What lies ahead is no zero and is left
 * out.
 */
function trendOf(span: Span, now: string, { days: [days = []], peopleOfMonth }: Found) {
  const byDay = isByDay(span)
  const steps = stepsOf({ ...span, endTime: span.endTime < now ? span.endTime : now }, byDay)
  const sums = new Map<string, Day>()
  for (const { date, people, times } of days) {
    const step = byDay ? date : date.slice(0, 7)
    const sum = sums.get(step) ?? { date: step, people: 0, times: 0 }
    sums.set(step, sum)
    sum.people += people
    sum.times += times
  }
  return steps.map((date) => {
    const { people, times } = sums.get(date) ?? { people: 0, times: 0 }
    return { date, people: byDay ? people : (peopleOfMonth.get(date) ?? 0), times }
  })
}

/** What is found in spans of the people asked about, and the figures of each span. */
function foundIn(asked: SignInsAsked, spans: readonly Span[], now: string) {
  const found = signInsFound(
    asked,
    spans.flatMap((one) => partsOf(one, now)),
    spans,
    'collegeId',
  )
  return { found, figures: spans.map((one, at) => figuresOf(one, now, found.groups, at * 3, found.days[at]!)) }
}

/** What the cards of each span are calculated from, of everybody whom the asking person may see. */
export const loginFigures = async (ctx: Context, spans: readonly Span[]): Promise<LoginFigures[]> =>
  foundIn(await signInsAsked(ctx, {}, peopleKind.all), spans, ctx.clock.now()).figures

/** Sign-ins: cards, colleges, trend, and the hours of the week. */
export const loginsByCollege = (ctx: Context, input: Input): Promise<Output<typeof loginStatApi.college>> =>
  cachedAnswer(ctx, 'loginCollege', input, async (asOf) => {
    const now = ctx.clock.now()
    const [asked, { previous, lastYear }] = await together(signInsAsked(ctx, input, input.tab), comparisons(ctx, input))
    const span = spanFrom(asked.columns, input, now)
    const compared = [span, ...(previous ? [previous] : []), ...(lastYear ? [lastYear] : [])]
    const { found, figures } = foundIn(asked, compared, now)
    const rows = await barsOf(ctx, input, found, 'collegeId')
    const own = loginKinds.filter(({ key }) => input.tab === peopleKind.all || (key !== 'students' && key !== 'staff'))
    const cards = cardsOf(own, figures[0]!, previous && figures[1]!, lastYear && figures.at(-1)!)
    return {
      cards,
      asOf,
      previous,
      lastYear,
      ...asSeries(rows),
      rows,
      trend: trendOf(span, now, found),
      heat: found.heat,
    }
  })

/** Sign-ins of students by grade. */
export const loginsByGrade = (
  ctx: Context,
  input: Checked<typeof loginStatApi.grade>,
): Promise<Output<typeof loginStatApi.grade>> =>
  cachedAnswer(ctx, 'loginGrade', input, async () => {
    const asked = await signInsAsked(ctx, input, input.tab)
    const span = spanFrom(asked.columns, input, ctx.clock.now())
    const rows = await barsOf(ctx, input, signInsFound(asked, [span], [span], 'grade'), 'grade')
    return { ...asSeries(rows), rows }
  })

/** What the home screen shows of how lively the console is. */
export const activePeople = (
  ctx: Context,
  input: Checked<typeof activeApi.info>,
): Promise<Output<typeof activeApi.info>> =>
  cachedAnswer(ctx, 'active', { ...input, today: dayOf(ctx.clock.now()) }, async () => {
    const now = ctx.clock.now()
    const asked = await signInsAsked(ctx, {}, peopleKind.all)
    const span =
      input.startTime || input.endTime
        ? spanFrom(asked.columns, input, now)
        : { startTime: addDays(dayOf(now), -29), endTime: dayOf(now) }
    const found = signInsFound(
      asked,
      [1, 7, 30].map((length) => lastDays({ startTime: now, endTime: now }, length, now)),
      [span],
      'collegeId',
    )
    const [today = 0, week = 0, month = 0] = total(found.groups).came
    return { today, week, month, trend: trendOf(span, now, found) }
  })
