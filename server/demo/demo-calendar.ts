import { holidayKind } from '../../contract/core/codes/school.ts'
import { statutoryDays } from '../../contract/school/school/statutory.ts'
import { addDays, dayOf, epochOf } from '../core/base/clock.ts'
import { systemContext } from '../core/request/system.ts'
import { newId } from '../core/base/ids.ts'
import { termsFrom } from '../school/school/calendar.ts'
import { saveHolidays } from '../school/school/holidays.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoSchool } from './demo-school.ts'

interface Range {
  hdName: string
  hdStart: string
  hdEnd: string
  /** `0` free, `1` a weekend day that is worked. */
  hdKind: '0' | '1'
}

/** `name: first day..last day; …`, the worked weekend days after a bar: as the State Council announced the years. */
const announced: Record<number, string> = {
  2024: '元旦 01-01..01-01; 春节 02-10..02-17|02-04,02-18; 清明节 04-04..04-06|04-07; 劳动节 05-01..05-05|04-28,05-11; 端午节 06-10..06-10; 中秋节 09-15..09-17|09-14; 国庆节 10-01..10-07|09-29,10-12',
  2025: '元旦 01-01..01-01; 春节 01-28..02-04|01-26,02-08; 清明节 04-04..04-06; 劳动节 05-01..05-05|04-27; 端午节 05-31..06-02; 国庆节 10-01..10-08|09-28,10-11',
  2026: '元旦 01-01..01-03|01-04; 春节 02-15..02-23|02-14,02-28; 清明节 04-04..04-06; 劳动节 05-01..05-05|05-09; 端午节 06-19..06-21; 中秋节 09-25..09-27; 国庆节 10-01..10-07|09-20,10-10',
}

/** The holidays of a year with the days worked for them; where they have not been announced, the days off by law. */
export function holidaysOf(year: number): Range[] {
  const known = announced[year]
  if (!known) return statutoryDays(year).map((one) => ({ ...one, hdKind: holidayKind.dayOff }))
  return known.split('; ').flatMap((one): Range[] => {
    const [days, worked = ''] = one.split('|') as [string, string?]
    const [hdName, from, to] = /^(\S+) (\S+)\.\.(\S+)$/.exec(days)!.slice(1) as [string, string, string]
    return [
      { hdName, hdStart: `${year}-${from}`, hdEnd: `${year}-${to}`, hdKind: holidayKind.dayOff },
      ...worked
        .split(',')
        .filter(Boolean)
        .map((day) => ({
          hdName,
          hdStart: `${year}-${day}`,
          hdEnd: `${year}-${day}`,
          hdKind: holidayKind.workday,
        })),
    ]
  })
}

/** What a day is to a university: lessons are held, examinations sat, or the students are away. */
export type DayKind = 'teaching' | 'exams' | 'summer' | 'winter' | 'holiday'

export interface DemoCalendar {
  kindOf(day: string): DayKind
  isWeekend(day: string): boolean
  /** Whether an office works on it; it does so in vacations too. */
  isWorked: (day: string) => boolean
}

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
const from = (day: string, weekday: number): string => addDays(day, (weekday - weekdayOf(day) + 7) % 7)

/**
 * The year of a university: teaching from 1 September to the middle of January and from the end of February (after the
 * Lantern Festival) to the beginning of July, two weeks of examinations at the end of each.
 */
export function universityCalendar(): DemoCalendar {
  const years = new Map<number, { special: Map<string, string>; spring: string; summer: string; winter: string }>()
  const yearOf = (year: number) => {
    const known = years.get(year)
    if (known) return known
    const ranges = holidaysOf(year)
    const special = new Map<string, string>()
    for (const { hdStart, hdEnd, hdKind } of ranges)
      for (let day = hdStart; day <= hdEnd; day = addDays(day, 1)) special.set(day, hdKind)
    const newYear =
      ranges.find(({ hdName, hdKind }) => hdName === '春节' && hdKind === holidayKind.dayOff)?.hdStart ??
      `${year}-02-05`
    const lantern = addDays(newYear, 14)
    const made = {
      special,
      winter: from(`${year}-01-14`, 6),
      spring: from(lantern > `${year}-02-20` ? lantern : `${year}-02-20`, 1),
      summer: from(`${year}-07-06`, 6),
    }
    years.set(year, made)
    return made
  }
  const isWeekend = (day: string) => weekdayOf(day) % 6 === 0
  const kindOf = (day: string): DayKind => {
    const { special, winter, spring, summer } = yearOf(Number(day.slice(0, 4)))
    if (special.get(day) === '0') return 'holiday'
    if (day >= winter && day < spring) return 'winter'
    if (day >= summer && day.slice(5) < '09-01') return 'summer'
    const close = day < winter ? winter : day < summer ? summer : undefined
    return close !== undefined && day >= addDays(close, -14) ? 'exams' : 'teaching'
  }
  return {
    kindOf,
    isWeekend,
    isWorked: (day) => (yearOf(Number(day.slice(0, 4))).special.get(day) ?? (isWeekend(day) ? '0' : '1')) === '1',
  }
}

/** Moments in office hours of working days, in order. */
const officeSlots = ['08:40', '09:35', '10:30', '14:10', '15:05', '16:20'].map((slot) => `${slot}:00`)

/**
 * Moments at which an office may act, between two others: as many as are wanted, rising, hours or days apart; near the
 * first of the two or near the second. Where there is no room in office hours, they are spread evenly.
 */
export function officeMoments(
  { isWorked }: DemoCalendar,
  whole: (low: number, high: number) => number,
  count: number,
  after: string,
  before: string,
  near: 'after' | 'before',
): string[] {
  const slots: string[] = []
  const span = 4 * count + 6
  const step = near === 'after' ? 1 : -1
  const daySlots = near === 'after' ? officeSlots : officeSlots.toReversed()
  const last = near === 'after' ? dayOf(before) : dayOf(after)
  for (
    let day = dayOf(near === 'after' ? after : before), looked = 0;
    (near === 'after' ? day <= last : day >= last) && slots.length < span && looked < 60;
    day = addDays(day, step), looked++
  ) {
    if (!isWorked(day)) continue
    for (const slot of daySlots) {
      const at = `${day} ${slot}`
      // each of them may still be moved by up to 25 minutes
      if (at > after && epochOf(before) - epochOf(at) > 1_560_000) slots.push(at)
    }
  }
  if (slots.length < count) {
    const [low, high] = [epochOf(after), epochOf(before)]
    return Array.from({ length: count }, (_, at) =>
      new Date(low + ((high - low) * (at + 1)) / (count + 1) + 8 * 3_600_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' '),
    )
  }
  const chosen: string[] = []
  for (let at = -1, left = count; left > 0; left--) {
    at += whole(1, Math.max(1, Math.min(6, Math.floor((slots.length - 1 - at) / left))))
    const minute = whole(0, 19)
    chosen.push(
      `${slots[at]!.slice(0, 14)}${String(Number(slots[at]!.slice(14, 16)) + minute).padStart(2, '0')}:${String(whole(0, 59)).padStart(2, '0')}`,
    )
  }
  return near === 'after' ? chosen : chosen.toReversed()
}

/**
 * The terms of the years that the students of today have been there, beside those that a school begins with; and the
 * holidays of these years.
 */
export async function makeCalendar({ ctx, db, schoolId, start, now }: DemoSchool): Promise<void> {
  const cut = await schoolSettings({ db }, schoolId)
  const { tmStart: first } = await db
    .selectFrom('term')
    .select('tmStart')
    .where('schoolId', '=', schoolId)
    .orderBy('tmStart')
    .limit(1)
    .executeTakeFirstOrThrow()
  const early = termsFrom(addDays(first, -3 * 365 + 30), 4, cut).filter(({ tmEnd }) => tmEnd < first)
  await bulkInsert(
    db,
    'term',
    early.map((term) => ({ schoolId, tmId: newId(), ...term, createTime: now, updateTime: now })),
  )
  const year = Number(now.slice(0, 4))
  for (const one of [year - 2, year - 1, year, year + 1]) {
    const entered = `${one - 1}-11-26 10:20:00`
    const system = systemContext({ ...ctx, db, clock: { now: () => (entered < now ? entered : now) } }, schoolId)
    const admin = { ...system, actor: { ...system.actor, suId: start.adminId, suNickname: '系统管理员' } }
    await saveHolidays(admin, { ranges: holidaysOf(one), replaces: [] })
  }
}
