import { Select } from 'antd'
import dayjs from 'dayjs'
import { useId } from 'react'
import { provincePeriods } from '../../../contract/outcomes/province/province-periods.ts'
import { FilterPlace } from '../../core/list/filters.tsx'
import { useFilter } from '../../core/list/list-context.ts'

/** How many school years can be chosen. */
const years = 5
const present = (): string => dayjs().format('YYYY-MM-DD HH:mm:ss')
const keyOf = (start: string | undefined, end: string | undefined): string => `${start} ${end}`

/** A school year, a term or a month: the periods that figures across schools are told of. */
export function PeriodFilter() {
  const id = useId()
  const { value: start, list } = useFilter('startTime')
  const { value: end } = useFilter('endTime')
  const periods = provincePeriods(present(), years)
  return (
    <FilterPlace label="时间" htmlFor={id}>
      <Select
        id={id}
        value={keyOf(start, end)}
        showSearch={{ optionFilterProp: 'label' }}
        options={periods.map(({ startTime, endTime, name }) => ({ value: keyOf(startTime, endTime), label: name }))}
        onChange={(chosen: string) => {
          const { startTime, endTime } = periods.find((one) => keyOf(one.startTime, one.endTime) === chosen)!
          list.setFilters({ startTime, endTime })
        }}
      />
    </FilterPlace>
  )
}
