import dayjs from 'dayjs'
import { roundedTo } from '../../../contract/outcomes/province/province.calls.ts'
import { schoolYearAt, type ProvincePeriod } from '../../../contract/outcomes/province/province-periods.ts'

/** The present school year. */
export const openingYear = (): ProvincePeriod => schoolYearAt(dayjs().format('YYYY-MM-DD HH:mm:ss'))

/** What is said of rounding wherever figures across schools stand. */
export const roundingNote = `各项人数、人次及学时、学分等合计按 ${roundedTo} 取整后提供，故合计与各行之和可能略有出入`
