/**
 * The days off by law (全国年节及纪念日放假办法, 2025 on), as a start for entering a year; what is moved around them the State
 * Council tells year by year.
 */
interface StatutoryDays {
  hdName: string
  hdStart: string
  hdEnd: string
}

/**
 * First day of the lunar year, dragon boat and mid-autumn, `MM-dd`. Told, not calculated: calendars of browsers are a
 * day off where the new moon falls near midnight (2027, 2030).
 */
const lunarDays: Record<number, readonly [string, string, string]> = {
  2025: ['01-29', '05-31', '10-06'],
  2026: ['02-17', '06-19', '09-25'],
  2027: ['02-06', '06-09', '09-15'],
  2028: ['01-26', '05-28', '10-03'],
  2029: ['02-13', '06-16', '09-22'],
  2030: ['02-03', '06-05', '09-12'],
  2031: ['01-23', '06-24', '10-01'],
  2032: ['02-11', '06-12', '09-19'],
  2033: ['01-31', '06-01', '09-08'],
  2034: ['02-19', '06-20', '09-27'],
  2035: ['02-08', '06-10', '09-16'],
}

const dayMs = 86_400_000
const iso = (time: number): string => new Date(time).toISOString().slice(0, 10)

/**
 * The statutory holidays of a year of this century, in their order and without a day twice; beyond 2035 those of the
 * lunar calendar are left to the person.
 */
export function statutoryDays(year: number): StatutoryDays[] {
  // the usual rule for the solar term of this century
  const short = year % 100
  const qingming = Math.floor(short * 0.2422 + 4.81) - Math.floor(short / 4)
  const [spring, boat, moon] = lunarDays[year] ?? []
  const of = (hdName: string, day: string | undefined, from: number, days: number): StatutoryDays[] => {
    if (!day) return []
    const start = Date.parse(`${year}-${day}T00:00:00Z`) + from * dayMs
    return [{ hdName, hdStart: iso(start), hdEnd: iso(start + (days - 1) * dayMs) }]
  }
  const all = [
    ...of('元旦', '01-01', 0, 1),
    ...of('春节', spring, -1, 4),
    ...of('清明节', `04-0${qingming}`, 0, 1),
    ...of('劳动节', '05-01', 0, 2),
    ...of('端午节', boat, 0, 1),
    ...of('国庆节', '10-01', 0, 3),
    ...of('中秋节', moon, 0, 1),
  ]
  // mid-autumn may fall into the national days, which then say it all
  return all
    .filter(
      ({ hdName, hdStart }) =>
        hdName !== '中秋节' ||
        !all.some((one) => one.hdName === '国庆节' && one.hdStart <= hdStart && hdStart <= one.hdEnd),
    )
    .toSorted((a, b) => (a.hdStart < b.hdStart ? -1 : 1))
}
