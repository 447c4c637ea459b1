import { holidayKind } from '../../../contract/core/codes/school.ts'
import type { Output } from '../../../contract/core/call.ts'
import type { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'

export type Holiday = Output<typeof schoolInfoApi.holidays>[number]

/** Days that follow each other under one name and kind. */
export interface HolidayRange {
  hdName: string
  hdKind: string
  hdStart: string
  hdEnd: string
  dates: string[]
}

const dayMs = 86_400_000

/** The days of a year as people speak of them: 国庆节 10-01 至 10-07. */
export function rangesOf(days: readonly Holiday[]): HolidayRange[] {
  const ranges: HolidayRange[] = []
  for (const { hdDate, hdName, hdKind } of days) {
    const last = ranges.at(-1)
    if (
      last &&
      last.hdName === hdName &&
      last.hdKind === hdKind &&
      Date.parse(hdDate) - Date.parse(last.hdEnd) === dayMs
    ) {
      last.hdEnd = hdDate
      last.dates.push(hdDate)
    } else ranges.push({ hdName, hdKind, hdStart: hdDate, hdEnd: hdDate, dates: [hdDate] })
  }
  return ranges
}

export const kindOptions = [
  { value: holidayKind.dayOff, label: '放假' },
  { value: holidayKind.workday, label: '上班' },
]
