import dayjs from 'dayjs'

/** How far apart the courses of a series lie. */
export const rhythms = [
  { value: 'day', label: '每天' },
  { value: 'week', label: '每周' },
  { value: 'fortnight', label: '每两周' },
  { value: 'month', label: '每月' },
] as const
export type Rhythm = (typeof rhythms)[number]['value']

const steps: Record<Rhythm, [number, 'day' | 'week' | 'month']> = {
  day: [1, 'day'],
  week: [1, 'week'],
  fortnight: [2, 'week'],
  month: [1, 'month'],
}
const wall = 'YYYY-MM-DD HH:mm:ss'

/**
 * The periods that follow a first one, `count` of them. A month without the day of the first ends with its last day.
 */
export function followingPeriods(
  { startTime, endTime }: { startTime: string; endTime: string },
  count: number,
  rhythm: Rhythm,
): { startTime: string; endTime: string }[] {
  const [amount, unit] = steps[rhythm]
  const length = dayjs(endTime).diff(dayjs(startTime), 'second')
  return Array.from({ length: Math.max(0, Math.min(30, count)) }, (_, at) => {
    const start = dayjs(startTime).add(amount * (at + 1), unit)
    return { startTime: start.format(wall), endTime: start.add(length, 'second').format(wall) }
  })
}
