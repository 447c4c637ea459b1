import dayjs, { type Dayjs } from 'dayjs'
import type { Input } from '../../../contract/core/call.ts'
import type { ownActivityApi } from '../../../contract/student/activities.calls.ts'

/** What of the list is looked at. */
export const views = [
  ['open', '报名中'],
  ['all', '全部'],
  ['mine', '我的'],
] as const
export type View = (typeof views)[number][0]

/** The stretches of time that are offered; `range` is two days of one's own. */
export const stretches = [
  ['', '不限'],
  ['today', '今天'],
  ['week', '本周'],
  ['month', '本月'],
  ['range', '自选日期'],
] as const

/** The filters beside view and name, as the address keeps them. */
export const filterNames = ['kind', 'module', 'level', 'place', 'when', 'from', 'to', 'credit'] as const
export type FilterName = (typeof filterNames)[number]

const dayFormat = 'YYYY-MM-DD'

/** First and last day of a stretch of time, as far as it has them; a week begins on Monday. */
export function daysOf(query: URLSearchParams, today: Dayjs = dayjs()): { beginDate?: string; endDate?: string } {
  const days = (from: Dayjs, to: Dayjs) => ({ beginDate: from.format(dayFormat), endDate: to.format(dayFormat) })
  switch (query.get('when')) {
    case 'today':
      return days(today, today)
    case 'week': {
      const monday = today.subtract((today.day() + 6) % 7, 'day')
      return days(monday, monday.add(6, 'day'))
    }
    case 'month':
      return days(today.startOf('month'), today.endOf('month'))
    case 'range': {
      const [from, to] = [query.get('from'), query.get('to')]
      return { ...(from && { beginDate: from }), ...(to && { endDate: to }) }
    }
    default:
      return {}
  }
}

/** Which view an address names; what is open where it names none. */
export const viewOf = (query: URLSearchParams): View =>
  views.find(([view]) => view === query.get('view'))?.[0] ?? 'open'

/** What the list is asked for by an address. */
export function listInput(query: URLSearchParams, today?: Dayjs): Omit<Input<typeof ownActivityApi.list>, 'current'> {
  const view = viewOf(query)
  const given = (name: string) => query.get(name)?.trim() || undefined
  const parts = {
    liName: given('q'),
    open: view === 'open' ? '1' : undefined,
    mine: view === 'mine' ? '1' : undefined,
    liKind: given('kind'),
    lsId: given('module'),
    liLevel: given('level'),
    placeText: given('place'),
    minCredit: given('credit'),
    ...daysOf(query, today),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as never
}

/** How many filters an address sets; two days of one's own are one. */
export const filterCount = (query: URLSearchParams): number =>
  filterNames.filter((name) => name !== 'from' && name !== 'to' && query.get(name)).length

/** What to do where the list is empty. */
export function emptyText(query: URLSearchParams): string {
  if (filterCount(query) > 0) return '没有符合条件的活动，请放宽或清除筛选'
  if (query.get('q')?.trim()) return '没有名称相符的活动，请换个词'
  const view = viewOf(query)
  if (view === 'mine') return '您还没有报名过活动，可在“报名中”选一个报名'
  return view === 'open' ? '现在没有可以报名的活动，可在“全部”中看即将开放的' : '近期没有活动，学校发布后会出现在这里'
}
