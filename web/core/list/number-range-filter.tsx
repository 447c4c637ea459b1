import { useId } from 'react'
import { FilterPlace } from './filters.tsx'
import { useFilter } from './list-context.ts'
import { NumberInput } from '../parts/number-input.tsx'
import { useTyped } from '../service/use-typed.ts'

/** Whole numbers from and to; either may be left open. Applied on Enter and on leaving the field. */
export function NumberRangeFilter({ names: [minName, maxName], label }: { names: [string, string]; label: string }) {
  const id = useId()
  return (
    <FilterPlace label={label} htmlFor={id} wide>
      <span className="filter-range">
        <Edge id={id} name={minName} placeholder="最低" label={`${label}最低`} />
        <i aria-hidden="true">–</i>
        <Edge name={maxName} placeholder="最高" label={`${label}最高`} />
      </span>
    </FilterPlace>
  )
}

function Edge({ id, name, placeholder, label }: { id?: string; name: string; placeholder: string; label: string }) {
  const { value = '', set } = useFilter(name)
  const [typed, setTyped] = useTyped(value)
  const apply = () => typed !== value && set(typed || undefined)
  return (
    <NumberInput
      {...(id && { id })}
      aria-label={label}
      value={typed}
      placeholder={placeholder}
      maxLength={4}
      onChange={setTyped}
      onPressEnter={apply}
      onBlur={apply}
    />
  )
}
