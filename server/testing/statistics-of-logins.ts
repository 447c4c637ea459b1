import { loginState } from '../../contract/core/codes/outcomes.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { activeApi, loginStatApi } from '../../contract/outcomes/statistics/login-statistics.calls.ts'
import type { CallInput } from './statistics-asked.ts'
import { by, grouped, inChinese, part, share, sumOf } from './statistics-numbers.ts'
import { lackings, lacks, type Facts, type Oracle, type Wanted } from './statistics-oracle.ts'
import type { Person, RawSchool } from './statistics-raw.ts'
import { daysOf, later, stepsOf, within } from './statistics-spans.ts'

type Day = RawSchool['loginDay'][number]
const persons = (days: readonly Day[]) => new Set(days.map(({ suId }) => suId)).size
const times = (days: readonly Day[]) => sumOf(days, (day) => day.times)

/** Sign-ins of some people within days; an open beginning is the school's first sign-in, an open end today. */
function signIns({ raw, now, persons: known }: Facts, people: readonly Person[], { startTime, endTime }: Wanted) {
  const ids = new Set(people.map(({ suId }) => suId))
  const all = raw.loginDay.filter(({ suId }) => ids.has(suId))
  const [to, end] = [(endTime ?? now).slice(0, 10), endTime ?? now]
  const first =
    raw.loginDay
      .filter(({ suId }) => known.some((p) => p.suId === suId))
      .map(({ logDay }) => logDay)
      .toSorted()[0] ?? to
  const from = startTime?.slice(0, 10) ?? (first < to ? first : to)
  const of = (a: string, b: string) => all.filter(({ logDay }) => a <= logDay && logDay <= b)
  const last = to < now.slice(0, 10) ? to : now.slice(0, 10)
  return { from, to, end, all, days: of(from, to), of, last }
}

/** The cards of sign-ins (docs/rules.md R50). */
function figures(facts: Facts, people: readonly Person[], wanted: Wanted, tab: string): Record<string, number | null> {
  const ofKind = (isStudent: boolean) =>
    new Set(people.filter((p) => (p.suiType === personType.student) === isStudent).map(({ suId }) => suId))
  const { from, all, days, of, last } = signIns(facts, people, wanted)
  return {
    people: persons(days),
    ...(tab === '3' && {
      students: persons(days.filter(({ suId }) => ofKind(true).has(suId))),
      staff: persons(days.filter(({ suId }) => ofKind(false).has(suId))),
    }),
    times: times(days),
    day: part(days.length, daysOf(from, last).length),
    week: persons(of(later(last, -6), last)),
    month: persons(of(later(last, -29), last)),
    activated: share(persons(all), people.length),
    never: people.length - persons(all),
  }
}

const trend = (facts: Facts, days: readonly Day[], from: string, end: string) =>
  stepsOf(from, end, facts.until(end)).map((date) => {
    const own = days.filter(({ logDay }) => logDay.startsWith(date))
    return { date, people: persons(own), times: times(own) }
  })

const peopleOf = (oracle: Oracle, tab: string, wanted: Wanted) => [
  ...(tab === '2' ? [] : oracle.students(wanted)),
  ...(tab === '1' ? [] : oracle.staff(wanted)),
]

/** What somebody signed in with, and an address without the part that tells one machine from another. */
const terminals = {
  'Mozilla/5.0 (Windows NT 10.0)': 'Windows',
  'Mozilla/5.0 (iPhone)': 'iOS',
  'MicroMessenger Android': '微信',
  '': '',
} as Record<string, string>
const addresses = {
  '127.0.0.1': '127.0.*.*',
  '::1': '0:0:0::*',
  '10.1.2.3': '10.1.*.*',
  '2001:db8:1:2::7': '2001:db8:1::*',
  '': '',
} as Record<string, string>

/** All calls about sign-ins for one selection. */
export async function logins(
  asked: CallInput,
  wanted: Wanted,
  { tab, pageSize, nth }: { tab: '1' | '2' | '3'; pageSize: number; nth: number },
): Promise<void> {
  const { facts } = asked
  const active = asked.oracle(activeApi.info)
  if (active) {
    const people = peopleOf(active, '3', {})
    const today = facts.now.slice(0, 10)
    const period = {
      ...(wanted.startTime && { startTime: wanted.startTime }),
      ...(wanted.endTime && { endTime: wanted.endTime }),
    }
    const span =
      period.startTime || period.endTime
        ? signIns(facts, people, period)
        : signIns(facts, people, { startTime: later(today, -29) })
    const since = (days: number) => persons(span.of(later(today, 1 - days), today))
    await asked.same(activeApi.info, period, {
      today: since(1),
      week: since(7),
      month: since(30),
      trend: trend(facts, span.days, span.from, span.end),
    })
  }
  const oracle = asked.oracle(loginStatApi.college)
  if (!oracle) return
  const people = peopleOf(oracle, tab, wanted)
  const { from, end, all, days, to, of, last } = signIns(facts, people, wanted)
  const bars = (key: (p: Person) => string, nameOf: (id: string) => string) =>
    [...grouped(people, key)].map(([id, own]) => {
      const ids = new Set(own.map(({ suId }) => suId))
      const theirs = days.filter(({ suId }) => ids.has(suId))
      return {
        id,
        name: nameOf(id),
        people: persons(theirs),
        times: times(theirs),
        total: own.length,
        rate: share(persons(theirs), own.length),
      }
    })
  const series = (rows: ReturnType<typeof bars>) => ({
    rows,
    xAxis: rows.map(({ name }) => name),
    series: [
      { name: '登录人数', data: rows.map((row) => row.people) },
      { name: '登录人次', data: rows.map((row) => row.times) },
    ],
  })
  const weekday = ({ logDay }: Day) => (new Date(`${logDay}T12:00:00Z`).getUTCDay() + 6) % 7
  await asked.cards(
    loginStatApi.college,
    { ...wanted, tab },
    (span) => figures(facts, people, span, tab),
    ['activated', 'never'],
    {
      ...series(
        bars(
          (p) => p.suiCollegeId ?? '',
          (id) => facts.collegeName(id, '未分学院'),
        ).toSorted(inChinese((row) => row.people)),
      ),
      trend: trend(facts, days, from, end),
      heat: Array.from({ length: 7 }, (_, day) =>
        Array.from({ length: 24 }, (__, hour) =>
          sumOf(
            days.filter((one) => weekday(one) === day),
            ({ hours }) => hours[hour]!,
          ),
        ),
      ),
    },
  )
  await asked.same(
    loginStatApi.grade,
    { ...wanted, tab },
    series(
      bars(
        (p) => (p.suiType === personType.student ? (p.suiGrade ?? '') : ''),
        (id) => (id === '' ? { 1: '未登记年级', 2: '教职工', 3: '教职工与未登记' }[tab] : `${id} 级`),
      ).toSorted((a, b) => a.id.localeCompare(b.id)),
    ),
  )

  const listed = (from_: readonly Person[], among = days, hour?: number) =>
    from_.toSorted(by(({ suiNumber }) => suiNumber)).map((p) => {
      const own = among.filter(({ suId }) => suId === p.suId).toSorted(by(({ logDay }) => logDay))
      return {
        suId: p.suId,
        suiName: p.suiName,
        suiNumber: p.suiNumber,
        suiType: p.suiType,
        collegeName: facts.collegeName(p.suiCollegeId, ''),
        grade: p.suiGrade ?? '',
        times: hour === undefined ? times(own) : sumOf(own, ({ hours }) => hours[hour]!),
        lastTime:
          own
            .map(({ lastTime }) => lastTime)
            .toSorted()
            .at(-1) ?? null,
        terminal: terminals[own.at(-1)?.agent ?? ''] ?? '其他',
        ip: addresses[own.at(-1)?.ip ?? '']!,
      }
    })
  const came = new Set(
    days.filter(({ logDay }) => within(logDay, { startTime: from, endTime: to })).map(({ suId }) => suId),
  )
  const ever = new Set(all.map(({ suId }) => suId))
  await asked.list(
    loginStatApi.detail,
    { ...wanted, tab },
    listed(people.filter(({ suId }) => came.has(suId))),
    pageSize,
  )
  await asked.list(
    loginStatApi.detail,
    { ...wanted, tab, loginState: loginState.never },
    listed(people.filter(({ suId }) => !ever.has(suId))),
    pageSize,
  )
  const [length, lacking] = [nth % 2 ? 7 : 30, lackings[nth % 3]!]
  const late = of(later(last, 1 - length), last)
  await asked.list(
    loginStatApi.detail,
    { ...wanted, tab, loginState: nth % 2 ? '7' : '30' },
    listed(
      people.filter(({ suId }) => late.some((day) => day.suId === suId)),
      late,
    ),
  )
  await asked.list(
    loginStatApi.detail,
    { ...wanted, tab, loginState: 'ever', lacking },
    listed(people.filter((p) => ever.has(p.suId) && lacks(p, lacking))),
  )
  await asked.list(loginStatApi.detail, { ...wanted, tab, loginState: 'all' }, listed(people))
  // those of a weekday, of an hour, and of an hour of a weekday
  const [day, hour] = [nth % 3 === 1 ? undefined : nth % 7, nth % 3 === 0 ? undefined : 7 + (nth % 16)]
  const then = days.filter((one) => day === undefined || weekday(one) === day)
  const seenThen = people.filter(({ suId }) =>
    then.some((one) => one.suId === suId && (hour === undefined ? one.times : one.hours[hour]!) > 0),
  )
  await asked.list(
    loginStatApi.detail,
    {
      ...wanted,
      tab,
      ...(day !== undefined && { weekday: String(day + 1) as '1' }),
      ...(hour !== undefined && { hour }),
    },
    listed(seenThen, then, hour),
  )
}
