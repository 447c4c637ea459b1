import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

dayjs.extend(utc)
dayjs.extend(timezone)

/** One session of a course as a calendar has it. Times are wall-clock text. */
export interface CalendarEntry {
  schoolId: string
  liId: string
  lseNo: number
  liName: string
  startTime: string
  endTime: string
  placeText: string
  /** Where it is looked at; none where the service does not know its own address. */
  url?: string | undefined
  state: 'confirmed' | 'tentative' | 'cancelled'
  /** Rises with every change; programs keep what has the highest. */
  sequence: number
  updateTime: string
}

const zone = 'Asia/Shanghai'

/** Shanghai has had no summer time since 1991. */
const zoneDefinition = [
  'BEGIN:VTIMEZONE',
  `TZID:${zone}`,
  'BEGIN:STANDARD',
  'DTSTART:19910915T000000',
  'TZOFFSETFROM:+0800',
  'TZOFFSETTO:+0800',
  'TZNAME:CST',
  'END:STANDARD',
  'END:VTIMEZONE',
].join('\r\n')

const states = {
  confirmed: ICalEventStatus.CONFIRMED,
  tentative: ICalEventStatus.TENTATIVE,
  cancelled: ICalEventStatus.CANCELLED,
} as const

/**
 * The calendar as a file (RFC 5545). The same entries give the same text, so that a program that asks again is told
 * that nothing has changed. Pure.
 */
export function calendarFile(name: string, entries: readonly CalendarEntry[]): string {
  const calendar = ical({
    name,
    prodId: { company: 'dekt', product: 'second-classroom', language: 'ZH' },
    method: ICalCalendarMethod.PUBLISH,
    // the calendar itself has no zone: by it, the moments of changes would be written as local time, and RFC 5545 has
    // them in UTC. Each event names its own
    timezone: { name: null, generator: () => zoneDefinition },
    ttl: 3600,
  })
  for (const { schoolId, liId, lseNo, liName, placeText, state, sequence, url, ...times } of entries) {
    const at = (wall: string) => dayjs.tz(wall, zone)
    calendar.createEvent({
      id: `${liId}-${lseNo}@${schoolId}.dekt`,
      start: at(times.startTime),
      end: at(times.endTime),
      stamp: at(times.updateTime),
      lastModified: at(times.updateTime),
      timezone: zone,
      summary: liName,
      sequence,
      status: states[state],
      ...(placeText && { location: placeText }),
      ...(url && { url }),
    })
  }
  return calendar.toString()
}
