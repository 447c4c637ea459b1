/** Times of classes in words and numbers: pure. */

/** Most weeks of a term. */
const maxWeek = 30

/**
 * The weeks that a text of the timetable names: `1-16周`, `1-15(单)`, `2-16双周`, `3、5,7-9`; null where it is none.
 */
export function weeksIn(text: string): number[] | null {
  const weeks = new Set<number>()
  const parts = text.replaceAll(/[\s第周()（）]/g, '').split(/[,，、;；]/)
  for (const part of parts) {
    const found = /^(\d{1,2})(?:[-~至—](\d{1,2}))?([单双]?)$/.exec(part)
    if (!found) return null
    const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])]
    if (first < 1 || last > maxWeek || last < first) return null
    for (let week = first; week <= last; week++)
      if (!found[3] || week % 2 === (found[3] === '单' ? 1 : 0)) weeks.add(week)
  }
  return weeks.size > 0 ? [...weeks].toSorted((a, b) => a - b) : null
}

/** Weeks as people write them: runs joined, `1-8,10`. */
export function weeksText(weeks: readonly number[]): string {
  const runs: [number, number][] = []
  for (const week of weeks) {
    const run = runs.at(-1)
    if (run && run[1] === week - 1) run[1] = week
    else runs.push([week, week])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}

/** A time of day as `08:05`, out of `8:05` or `08：05`; null where it is none. */
export function timeIn(text: string): string | null {
  const found = /^(\d{1,2})[:：](\d{2})(?::00)?$/.exec(text.trim())
  if (!found || Number(found[1]) > 23 || Number(found[2]) > 59) return null
  return `${found[1]!.padStart(2, '0')}:${found[2]}`
}

/** The Monday of the week in which a day lies, `2026-09-07`. */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** A stretch of one day. */
interface DayPart {
  day: string
  from: string
  to: string
}

/** Days of one stretch that are looked at; a longer one is no meeting. */
const maxDays = 14

/** Stretches of time, wall-clock text, as the days they touch. */
export function dayParts(times: readonly { startTime: string; endTime: string }[]): DayPart[] {
  return times.flatMap(({ startTime, endTime }) => {
    const parts: DayPart[] = []
    const last = endTime.slice(0, 10)
    for (let day = startTime.slice(0, 10); day <= last && parts.length < maxDays; day = dayAfter(day))
      parts.push({
        day,
        from: day === startTime.slice(0, 10) ? startTime.slice(11, 16) : '00:00',
        to: day === last ? endTime.slice(11, 16) : '24:00',
      })
    return parts.filter(({ from, to }) => from < to)
  })
}

const dayAfter = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}
