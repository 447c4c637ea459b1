import { Input, Radio, Select, Switch } from 'antd'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Setting, SettingColumn } from '../../../contract/school/school/setting-kinds.ts'
import { MultiSelect } from '../../core/parts/multi-select.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { useSettingLevels, useSettingModules, useSettingRoles } from './setting-names.ts'

interface ControlProps {
  setting: Setting
  value: unknown
  isFixed: boolean
  hasFault: boolean
  onChange: (value: unknown) => void
}

/** The control of a setting, by its kind. */
export function SettingControl({ setting, value, isFixed, hasFault, onChange }: ControlProps) {
  const modules = useSettingModules()
  const roles = useSettingRoles()
  const { control, label, unit, options = [] } = setting
  const common = { 'aria-label': label, disabled: isFixed, ...(hasFault && { status: 'error' as const }) }
  switch (control) {
    case 'number':
    case 'amount':
      return (
        <NumberInput
          {...common}
          value={value as string | number}
          decimals={control === 'amount' ? 2 : 0}
          {...(unit && { unit })}
          onChange={onChange}
        />
      )
    case 'switch':
      return (
        <Switch
          aria-label={label}
          disabled={isFixed}
          checked={value === yesNo.yes}
          checkedChildren="开启"
          unCheckedChildren="关闭"
          onChange={(isOn) => onChange(isOn ? yesNo.yes : yesNo.no)}
        />
      )
    case 'choice':
      return (
        <Radio.Group
          disabled={isFixed}
          options={[...options]}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'months':
      return (
        <MultiSelect
          {...common}
          options={monthOptions}
          value={(value as number[]).map(String)}
          width="100%"
          onChange={(next) => onChange(next.map(Number))}
        />
      )
    case 'modules':
      return <MultiSelect {...common} options={modules} value={value as string[]} width="100%" onChange={onChange} />
    case 'roles':
      return <MultiSelect {...common} options={roles} value={value as string[]} width="100%" onChange={onChange} />
    case 'monthDay':
      return <MonthDay label={label} value={String(value)} isFixed={isFixed} onChange={onChange} />
    case 'rows':
      return <Rows setting={setting} value={value as Record<string, unknown>[]} isFixed={isFixed} onChange={onChange} />
  }
}

const monthOptions = Array.from({ length: 12 }, (_, at) => ({ value: String(at + 1), label: `${at + 1} 月` }))
const two = (number: number): string => String(number).padStart(2, '0')
const daysOf = (month: number): number => new Date(Date.UTC(2001, month, 0)).getUTCDate()

function MonthDay({
  label,
  value,
  isFixed,
  onChange,
}: {
  label: string
  value: string
  isFixed: boolean
  onChange: (value: string) => void
}) {
  const [month, day] = value.split('-').map(Number) as [number, number]
  const dayOptions = Array.from({ length: daysOf(month) }, (_, at) => ({ value: at + 1, label: `${at + 1} 日` }))
  return (
    <div className="setting-day">
      <Select
        aria-label={`${label}：月`}
        disabled={isFixed}
        value={month}
        options={monthOptions.map((option) => ({ ...option, value: Number(option.value) }))}
        onChange={(next: number) => onChange(`${two(next)}-${two(Math.min(day, daysOf(next)))}`)}
      />
      <Select
        aria-label={`${label}：日`}
        disabled={isFixed}
        value={day}
        options={dayOptions}
        onChange={(next: number) => onChange(`${two(month)}-${two(next)}`)}
      />
    </div>
  )
}

type Row = Record<string, unknown>

function Rows({
  setting: { columns = [], blank = {} },
  value,
  isFixed,
  onChange,
}: {
  setting: Setting
  value: Row[]
  isFixed: boolean
  onChange: (rows: Row[]) => void
}) {
  const levels = useSettingLevels()
  const editable = columns.map((column): EditColumn<Row> => ({
    title: column.unit ? `${column.label}（${column.unit}）` : column.label,
    ...(column.cell === 'whole' || column.cell === 'amount' ? { width: 150 } : {}),
    cell: (row, set, at) => (
      <Cell
        column={column}
        at={at}
        value={row[column.key]}
        isFixed={isFixed}
        levels={levels}
        onChange={(next) => set({ [column.key]: next })}
      />
    ),
  }))
  return (
    <RowEditor
      columns={editable}
      value={value}
      onChange={onChange}
      blank={() => ({ ...blank })}
      addText="添加一行"
      max={30}
      isFixed={isFixed}
    />
  )
}

interface CellProps {
  column: SettingColumn
  at: number
  value: unknown
  isFixed: boolean
  levels: readonly { value: string; label: string }[]
  onChange: (value: unknown) => void
}

function Cell({
  column: { cell, label, max, options = [], placeholder },
  at,
  value,
  isFixed,
  levels,
  onChange,
}: CellProps) {
  const common = { 'aria-label': `第 ${at + 1} 行${label}`, disabled: isFixed }
  if (cell === 'whole' || cell === 'amount')
    return <NumberInput {...common} decimals={cell === 'amount' ? 2 : 0} value={value as string} onChange={onChange} />
  if (cell === 'text')
    return (
      <Input
        {...common}
        value={(value as string) ?? ''}
        maxLength={max}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <Select
      {...common}
      value={(value as string) || undefined}
      placeholder="请选择"
      options={[...(cell === 'level' ? levels : options)]}
      onChange={onChange}
    />
  )
}
