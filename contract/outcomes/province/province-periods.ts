/**
 * The periods that figures across schools are asked for: months, terms and school years. Each lies whole in a longer
 * one or beside it, so that no two of them differ by a few days or by a month of the asking person's choice (decision
 * 126).
 */
export interface ProvincePeriod {
  startTime: string
  endTime: string
}

/** How many months a period has. A term begins in September or March whatever a school calls its own. */
const kinds = [
  { months: 12, begins: (month: number) => month % 12 === 8, name: (year: string) => `${year} 学年` },
  {
    months: 6,
    begins: (month: number) => month % 6 === 2,
    name: (year: string, month: number) => `${year} 学年${month % 12 === 8 ? '上' : '下'}学期`,
  },
  { months: 1, begins: () => true, name: (_: string, month: number) => yearAndMonth(month) },
] as const

/** Months are counted through all years; January of a year is a multiple of twelve. */
const monthOf = (time: string): number => Number(time.slice(0, 4)) * 12 + Number(time.slice(5, 7)) - 1
const yearAndMonth = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
const monthsFrom = (month: number, months: number): ProvincePeriod => ({
  startTime: `${yearAndMonth(month)}-01 00:00:00`,
  endTime: `${lastDay(month + months - 1)} 23:59:59`,
})
const lastDay = (month: number): string =>
  new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).toISOString().slice(0, 10)

const firstOfMonth = /^\d{4}-\d\d-01 00:00:00$/

/** Whether it is a month, a term or a school year; of what is no moment at all it is not. Pure. */
export function isProvincePeriod({ startTime, endTime }: ProvincePeriod): boolean {
  if (!firstOfMonth.test(startTime)) return false
  const month = monthOf(startTime)
  return kinds.some(({ months, begins }) => {
    const whole = monthsFrom(month, months)
    return begins(month) && whole.startTime === startTime && whole.endTime === endTime
  })
}

/** The period of the same length that begins so many months earlier. Pure. */
export const monthsBefore = ({ startTime, endTime }: ProvincePeriod, months: number): ProvincePeriod =>
  monthsFrom(monthOf(startTime) - months, lengthOf({ startTime, endTime }))
/** How many months a period has. Pure. */
export const lengthOf = ({ startTime, endTime }: ProvincePeriod): number => monthOf(endTime) - monthOf(startTime) + 1

/** The school year in which a moment lies. Pure. */
export const schoolYearAt = (time: string): ProvincePeriod => {
  const month = monthOf(time)
  return monthsFrom(month - ((month - 8) % 12), 12)
}

/**
 * The periods of some school years that have begun, with their names: years, then terms, then months, the latest first.
 */
export function provincePeriods(now: string, years: number): (ProvincePeriod & { name: string })[] {
  const [first, last] = [monthOf(schoolYearAt(now).startTime) - (years - 1) * 12, monthOf(now)]
  return kinds.flatMap(({ months, begins, name }) =>
    Array.from({ length: last - first + 1 }, (_, at) => last - at)
      .filter(begins)
      .map((month) => {
        const year = Math.floor((month - 8) / 12)
        return { ...monthsFrom(month, months), name: name(`${year}—${year + 1}`, month) }
      }),
  )
}
