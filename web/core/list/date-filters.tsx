import { DatePicker } from 'antd'
import { useId, useState } from 'react'
import type { Dayjs } from 'dayjs'
import { dayFormat, isoEdges, rangeEdges, rangeShortcuts, toPicker, type DayRange } from '../service/date-range.ts'
import { FilterPlace } from './filters.tsx'
import { useFilter } from './list-context.ts'

interface DateRangeFilterProps {
  /** The fields for start and end: `['createStartDate', 'createEndDate']`. */
  names: [string, string]
  label: string
  /** Sends `2026-11-21T00:00:00.000Z`, the form that the calls of circles use. */
  iso?: boolean
}

/** Days from and to. Nothing is sent until both are there; then the start means 00:00:00 and the end 23:59:59. */
export function DateRangeFilter({ names: [startName, endName], label, iso = false }: DateRangeFilterProps) {
  const id = useId()
  const { value: start, list } = useFilter(startName)
  const { value: end } = useFilter(endName)
  const [half, setHalf] = useState<DayRange>()
  const shown: DayRange = half ?? [start, end]
  const choose = (range: readonly (Dayjs | null)[] | null) => {
    const days: DayRange = [range?.[0]?.format(dayFormat), range?.[1]?.format(dayFormat)]
    const edges = (iso ? isoEdges : rangeEdges)(days)
    setHalf(edges || !range ? undefined : days)
    if (edges || (!range && (start || end))) list.setFilters({ [startName]: edges?.[0], [endName]: edges?.[1] })
  }
  return (
    <FilterPlace label={label} htmlFor={id} wide>
      <DatePicker.RangePicker
        id={{ start: id, end: `${id}-end` }}
        value={[toPicker(shown[0]), toPicker(shown[1])]}
        format={dayFormat}
        presets={rangeShortcuts()}
        placeholder={['开始日期', '结束日期']}
        onChange={choose}
      />
    </FilterPlace>
  )
}
