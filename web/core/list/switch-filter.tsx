import { Switch } from 'antd'
import { useId } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { FilterPlace, type FilterProps } from './filters.tsx'
import { useFilter } from './list-context.ts'

/** On sends `'1'`, off sends nothing. */
export function SwitchFilter({ name, label }: Omit<FilterProps, 'placeholder'>) {
  const id = useId()
  const { value, set } = useFilter(name)
  return (
    <FilterPlace label={label} htmlFor={id}>
      <span className="filter-switch">
        <Switch id={id} checked={value === yesNo.yes} onChange={(isOn) => set(isOn ? yesNo.yes : undefined)} />
      </span>
    </FilterPlace>
  )
}
