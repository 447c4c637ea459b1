import dayjs from 'dayjs'
import type { CalendarSession } from '../../../contract/student/calendar.calls.ts'

const dayFormat = 'YYYY-MM-DD'

/** The days of the weeks that hold a month (`yyyy-MM`), each week from Monday. Pure. */
export function daysOfMonth(month: string): string[] {
  const first = dayjs(`${month}-01`)
  const start = first.subtract((first.day() + 6) % 7, 'day')
  const end = first.endOf('month')
  const weeks = Math.ceil((end.diff(start, 'day') + 1) / 7)
  return Array.from({ length: weeks * 7 }, (_, at) => start.add(at, 'day').format(dayFormat))
}

/** The days of the week of a day, from Monday. Pure. */
export function daysOfWeek(day: string): string[] {
  const start = dayjs(day).subtract((dayjs(day).day() + 6) % 7, 'day')
  return Array.from({ length: 7 }, (_, at) => start.add(at, 'day').format(dayFormat))
}

/** A day so many months or weeks away; of a longer month the last day that the other one has. Pure. */
export const moved = (day: string, by: number, unit: 'month' | 'week'): string =>
  dayjs(day).add(by, unit).format(dayFormat)

/** Sessions by each day on which they take place; one that lasts over midnight is on both. Pure. */
export function byDay(sessions: readonly CalendarSession[]): Map<string, CalendarSession[]> {
  const days = new Map<string, CalendarSession[]>()
  for (const session of sessions) {
    const last = session.endTime.slice(0, 10)
    for (let day = dayjs(session.startTime.slice(0, 10)); day.format(dayFormat) <= last; day = day.add(1, 'day')) {
      const key = day.format(dayFormat)
      days.set(key, [...(days.get(key) ?? []), session])
    }
  }
  return days
}

/** Today, as the phone has it. */
export const today = (): string => dayjs().format(dayFormat)

const weekdays = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']

/** A day as people say it. */
export const dayName = (day: string): string => `${dayjs(day).format('M 月 D 日')} ${weekdays[dayjs(day).day()]!}`
