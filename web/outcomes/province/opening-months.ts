import dayjs from 'dayjs'

/** The school year so far, in whole months: from September to the present month. */
export function openingMonths(): { startTime: string; endTime: string } {
  const now = dayjs()
  const year = now.month() >= 8 ? now.year() : now.year() - 1
  return { startTime: `${year}-09-01 00:00:00`, endTime: `${now.endOf('month').format('YYYY-MM-DD')} 23:59:59` }
}
