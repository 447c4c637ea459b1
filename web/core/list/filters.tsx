import { Input, Select } from 'antd'
import { useId, type ReactNode } from 'react'
import { clearing } from '../parts/clear-icon.tsx'
import { useDictionary } from '../parts/dictionary-text.tsx'
import { useFilter } from './list-context.ts'
import { MultiSelect, type Choice } from '../parts/multi-select.tsx'
import { useTyped } from '../service/use-typed.ts'

export interface FilterProps {
  /** The field of the list's call. */
  name: string
  label: string
  placeholder?: string
}

/** The place of a filter: its label above its control. */
export function FilterPlace({
  label,
  htmlFor,
  wide = false,
  children,
}: {
  label: string
  htmlFor?: string
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className={`filter${wide ? ' filter-wide' : ''}`}>
      <label htmlFor={htmlFor}>{label}</label>
      {children}
    </div>
  )
}

/** Text to search for; applied on Enter, on leaving the field, and when cleared. */
export function TextFilter({ name, label, placeholder = '请输入' }: FilterProps) {
  const id = useId()
  const { value = '', set } = useFilter(name)
  const [typed, setTyped] = useTyped(value)
  const apply = (text: string) => text.trim() !== value && set(text.trim() || undefined)
  return (
    <FilterPlace label={label} htmlFor={id}>
      <Input
        id={id}
        value={typed}
        placeholder={placeholder}
        maxLength={100}
        allowClear={clearing}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.type === 'click') apply('')
        }}
        onPressEnter={() => apply(typed)}
        onBlur={() => apply(typed)}
      />
    </FilterPlace>
  )
}

interface SelectFilterProps extends FilterProps {
  options: readonly Choice[]
  /** Several at once, sent as a comma list. */
  multiple?: boolean
  /** Filters that no longer fit once this one changes. */
  clears?: readonly string[]
}

/** One or several of a list; applied at once. */
export function SelectFilter({
  name,
  label,
  placeholder = '请选择',
  options,
  multiple = false,
  clears = [],
}: SelectFilterProps) {
  const id = useId()
  const { value, set } = useFilter(name, clears)
  return (
    <FilterPlace label={label} htmlFor={id}>
      {multiple ? (
        <MultiSelect
          id={id}
          options={options}
          width="100%"
          placeholder={placeholder}
          value={value?.split(',') ?? []}
          onChange={(chosen) => set(chosen.join(',') || undefined)}
        />
      ) : (
        <Select
          id={id}
          options={[...options]}
          placeholder={placeholder}
          value={value}
          allowClear={clearing}
          showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
          onChange={(chosen: string | undefined) => set(chosen)}
        />
      )}
    </FilterPlace>
  )
}

/** One or several values of a dictionary. */
export function DictionaryFilter({ type, ...props }: Omit<SelectFilterProps, 'options'> & { type: string }) {
  return <SelectFilter {...props} options={useDictionary(type)} />
}
