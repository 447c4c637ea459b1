import { Checkbox, Input, Radio, Select, Switch } from 'antd'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Call } from '../../../contract/core/call.ts'
import { clearing } from '../parts/clear-icon.tsx'
import { useDictionary } from '../parts/dictionary-text.tsx'
import { Field, useField, type FieldProps } from './form-field.tsx'
import { MultiSelect, type Choice } from '../parts/multi-select.tsx'
import { NumberInput } from '../parts/number-input.tsx'
import { RemoteSelect, type RemoteChoice, type RemoteProps } from '../parts/remote-select.tsx'

/** A line of text with a counter where the contract limits it. */
export function TextField(props: FieldProps & { autoComplete?: string }) {
  const { max } = useField(props)
  return (
    <Field {...props}>
      <Input
        placeholder={props.placeholder ?? '请输入'}
        disabled={props.disabled}
        {...(max !== undefined && max <= 500 && { maxLength: max, showCount: max >= 20 })}
        allowClear={clearing}
        autoComplete={props.autoComplete ?? 'off'}
      />
    </Field>
  )
}

/** Several lines of text. */
export function AreaField({ rows = 4, ...props }: FieldProps & { rows?: number }) {
  const { max } = useField(props)
  return (
    <Field {...props}>
      <Input.TextArea
        placeholder={props.placeholder ?? '请输入'}
        disabled={props.disabled}
        autoSize={{ minRows: rows, maxRows: rows * 3 }}
        {...(max !== undefined && { maxLength: max, showCount: true })}
      />
    </Field>
  )
}

/** A whole number: digits only. */
export function NumberField({ unit, ...props }: FieldProps & { unit?: string }) {
  return (
    <Field {...props}>
      <NumberInput placeholder={props.placeholder ?? '请输入'} disabled={props.disabled} {...(unit && { unit })} />
    </Field>
  )
}

/** Hours, credit or points: at most two decimals, as text. */
export function AmountField({ unit, ...props }: FieldProps & { unit?: string }) {
  return (
    <Field {...props}>
      <NumberInput
        decimals={2}
        placeholder={props.placeholder ?? '请输入'}
        disabled={props.disabled}
        {...(unit && { unit })}
      />
    </Field>
  )
}

interface ChoiceProps extends FieldProps {
  /** Several may be chosen; the value is then a list. */
  multiple?: boolean
  /** Shows few choices side by side instead of in a list. */
  open?: boolean
}

/** One or several of a few. */
export function SelectField({
  options,
  multiple = false,
  open = false,
  ...props
}: ChoiceProps & { options: readonly Choice[] }) {
  return (
    <Field {...props}>
      <ChoiceControl
        options={options}
        multiple={multiple}
        open={open}
        placeholder={props.placeholder}
        disabled={props.disabled}
      />
    </Field>
  )
}

/** One or several values of a dictionary. */
export function DictionaryField({ type, ...props }: ChoiceProps & { type: string }) {
  return <SelectField {...props} options={useDictionary(type)} />
}

interface ControlProps {
  options: readonly Choice[]
  multiple: boolean
  open: boolean
  placeholder?: string | undefined
  disabled?: boolean | undefined
  value?: string | string[]
  onChange?: (value: unknown) => void
  id?: string
}

function ChoiceControl({ options, multiple, open, placeholder = '请选择', value, onChange, ...rest }: ControlProps) {
  if (open && multiple)
    return (
      <Checkbox.Group
        {...pick(rest)}
        options={[...options]}
        value={(value as string[]) ?? []}
        onChange={(next) => onChange?.(next)}
      />
    )
  if (open)
    return (
      <Radio.Group
        {...pick(rest)}
        options={[...options]}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
    )
  if (multiple)
    return (
      <MultiSelect
        {...rest}
        disabled={rest.disabled === true}
        options={options}
        value={(value as string[]) ?? []}
        width="100%"
        placeholder={placeholder}
        onChange={(next) => onChange?.(next)}
      />
    )
  return (
    <Select
      {...rest}
      options={[...options]}
      value={(value as string) || undefined}
      placeholder={placeholder}
      allowClear={clearing}
      showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
      onChange={(next: string | undefined) => onChange?.(next)}
    />
  )
}

const pick = ({ id, disabled }: { id?: string; disabled?: boolean | undefined }) => ({
  ...(id && { id }),
  disabled: disabled === true,
})

/** One or several of very many: typing asks the service. */
export function RemoteSelectField<C extends Call>({
  call,
  input,
  options,
  maxFound,
  known,
  multiple = false,
  max = 999,
  note,
  onChoose,
  ...props
}: FieldProps &
  RemoteProps<C> & {
    multiple?: boolean
    max?: number
    note?: string
    onChoose?: (chosen: RemoteChoice[]) => void
  }) {
  return (
    <Field {...props}>
      <RemoteControl
        call={call}
        input={input}
        options={options}
        {...(maxFound !== undefined && { maxFound })}
        known={known}
        multiple={multiple}
        max={max}
        note={note}
        onChoose={onChoose}
        placeholder={props.placeholder ?? '输入后搜索'}
        disabled={props.disabled === true}
      />
    </Field>
  )
}

function RemoteControl<C extends Call>({
  onChange,
  onChoose,
  ...props
}: React.ComponentProps<typeof RemoteSelect<C>> & { onChoose?: ((chosen: RemoteChoice[]) => void) | undefined }) {
  return (
    <RemoteSelect
      {...props}
      onChange={(value, chosen) => {
        onChange?.(value, chosen)
        onChoose?.(chosen)
      }}
    />
  )
}

/** On or off, as `'1'` and `'0'` on the wire. */
export function SwitchField({
  onText = '是',
  offText = '否',
  ...props
}: FieldProps & { onText?: string; offText?: string }) {
  return (
    <Field {...props}>
      <FlagSwitch onText={onText} offText={offText} disabled={props.disabled === true} />
    </Field>
  )
}

function FlagSwitch({
  value,
  onChange,
  onText,
  offText,
  ...rest
}: {
  value?: string | boolean
  onChange?: (value: string) => void
  onText: string
  offText: string
  disabled: boolean
  id?: string
}) {
  return (
    <Switch
      {...rest}
      checked={value === yesNo.yes || value === true}
      checkedChildren={onText}
      unCheckedChildren={offText}
      onChange={(isOn) => onChange?.(isOn ? yesNo.yes : yesNo.no)}
    />
  )
}
