import { DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { pickerPlacements } from '../parts/picker-placements.ts'
import { dayFormat, rangeShortcuts, toPicker, type DayRange } from '../service/date-range.ts'

interface DayRangePickerProps {
  /** Of the field for the first day, which the label belongs to. */
  id: string
  range: DayRange
  /** Somebody has just asked for it: it takes the focus and stands open. */
  isOpen: boolean
  /** Both days, one of them while the other is still to be chosen, or null once the range is taken away. */
  onChoose: (range: readonly (Dayjs | null)[] | null) => void
}

/** Days from and to, with the calendar and the usual stretches of time. */
export function DayRangePicker({ id, range, isOpen, onChoose }: DayRangePickerProps) {
  return (
    <DatePicker.RangePicker
      builtinPlacements={pickerPlacements}
      id={{ start: id, end: `${id}-end` }}
      value={[toPicker(range[0]), toPicker(range[1])]}
      format={dayFormat}
      presets={rangeShortcuts()}
      placeholder={['开始日期', '结束日期']}
      autoFocus={isOpen}
      defaultOpen={isOpen}
      onChange={onChoose}
    />
  )
}
