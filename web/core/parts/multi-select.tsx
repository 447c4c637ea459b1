import { Select } from 'antd'
import { clearing } from './clear-icon.tsx'

export interface Choice {
  value: string
  label: string
}

/** Pairs of a value and its words, as choices. */
export const choicesOf = (pairs: readonly (readonly [string, string, ...unknown[]])[]): Choice[] =>
  pairs.map(([value, label]) => ({ value, label }))

interface MultiSelectProps {
  options: readonly Choice[]
  value?: readonly string[]
  onChange?: (value: string[]) => void
  /** How few and how many may be chosen. */
  min?: number
  max?: number
  /** Pixels, or a CSS width. */
  width?: number | string
  placeholder?: string
  id?: string
  disabled?: boolean
}

/** Several of a list. Below `min` nothing can be taken away, at `max` nothing more added. */
export function MultiSelect({
  options,
  value = [],
  onChange,
  min = 0,
  max = 999,
  width = 90,
  placeholder = '请选择',
  ...rest
}: MultiSelectProps) {
  return (
    <Select
      {...rest}
      mode="multiple"
      value={[...value]}
      options={[...options]}
      maxCount={max}
      style={{ width }}
      placeholder={placeholder}
      maxTagCount="responsive"
      optionFilterProp="label"
      popupMatchSelectWidth={false}
      allowClear={min === 0 && clearing}
      onChange={(next: string[]) => next.length >= Math.min(min, value.length) && onChange?.(next)}
    />
  )
}
