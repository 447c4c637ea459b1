import { DatePicker, Form } from 'antd'
import type { Dayjs } from 'dayjs'
import { dayFormat, minuteFormat, rangeShortcuts, secondFormat, toPicker } from '../service/date-range.ts'
import { Field, rejectWith, useField, type FieldProps } from './form-field.tsx'
import { useSetField } from './scoped-form.tsx'
import { pickerPlacements } from '../parts/picker-placements.ts'

interface ControlProps {
  value?: string | null
  onChange?: (value: string | undefined) => void
  id?: string
  placeholder?: string
  disabled?: boolean
}

/** A day, `yyyy-MM-dd` on the wire. */
export function DateField(props: FieldProps) {
  return (
    <Field {...props}>
      <DayControl placeholder={props.placeholder ?? '请选择日期'} disabled={props.disabled === true} />
    </Field>
  )
}

function DayControl({ value, onChange, ...rest }: ControlProps) {
  return (
    <DatePicker
      builtinPlacements={pickerPlacements}
      {...rest}
      className="wide"
      value={toPicker(value)}
      format={dayFormat}
      onChange={(day: Dayjs | null) => onChange?.(day?.format(dayFormat))}
    />
  )
}

/** A moment, `yyyy-MM-dd HH:mm:ss` on the wire, chosen to the minute. */
export function DateTimeField(props: FieldProps) {
  return (
    <Field {...props}>
      <MomentControl placeholder={props.placeholder ?? '请选择时间'} disabled={props.disabled === true} />
    </Field>
  )
}

function MomentControl({ value, onChange, ...rest }: ControlProps) {
  return (
    <DatePicker
      builtinPlacements={pickerPlacements}
      {...rest}
      className="wide"
      showTime={{ format: 'HH:mm' }}
      value={toPicker(value)}
      format={minuteFormat}
      onChange={(moment: Dayjs | null) => onChange?.(moment?.startOf('minute').format(secondFormat))}
    />
  )
}

interface RangeFieldProps extends Omit<FieldProps, 'name'> {
  /** Names of start and end. */
  names: [string, string]
  label: string
  /**
   * `day` sends days from 00:00:00 to 23:59:59 where `edges` is set, plain days otherwise; `moment` sends moments to
   * the minute.
   */
  by?: 'day' | 'moment'
  edges?: boolean
}

/** A start and an end chosen together; two fields on the wire. */
export function DateTimeRangeField({
  names,
  label,
  span = 12,
  help,
  required,
  by = 'moment',
  edges = false,
  disabled = false,
}: RangeFieldProps) {
  const start = useField({ name: names[0], label, ...(required !== undefined && { required }) })
  const end = useField({ name: names[1], label, ...(required !== undefined && { required }) })
  const format = by === 'moment' ? secondFormat : dayFormat
  return (
    <Form.Item className={`field span-${span}`} label={label} required={start.required} extra={help}>
      <Form.Item
        name={start.path}
        noStyle
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, value) =>
              rejectWith(
                value || getFieldValue(end.path) ? start.check(value) : start.required ? `请选择${label}` : undefined,
              ),
          }),
        ]}
      >
        <StartAndEnd
          endPath={end.path}
          by={by}
          format={(moment, at) =>
            by === 'day' && edges
              ? `${moment.format(dayFormat)} ${at === 0 ? '00:00:00' : '23:59:59'}`
              : moment.format(format)
          }
          disabled={disabled}
        />
      </Form.Item>
      <Form.Item
        name={end.path}
        noStyle
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, value) => rejectWith(value || getFieldValue(start.path) ? end.check(value) : undefined),
          }),
        ]}
      >
        <Held />
      </Form.Item>
    </Form.Item>
  )
}

interface StartAndEndProps {
  value?: string
  onChange?: (value: string | undefined) => void
  id?: string
  endPath: (string | number)[]
  by: 'day' | 'moment'
  format: (moment: Dayjs, at: 0 | 1) => string
  disabled: boolean
}

function StartAndEnd({ value, onChange, id, endPath, by, format, disabled }: StartAndEndProps) {
  const form = Form.useFormInstance()
  const setField = useSetField()
  const end = Form.useWatch(endPath, form) as string | undefined
  return (
    <DatePicker.RangePicker
      builtinPlacements={pickerPlacements}
      {...(id && { id: { start: id, end: `${id}-end` } })}
      className="wide"
      value={[toPicker(value), toPicker(end)]}
      format={by === 'moment' ? minuteFormat : dayFormat}
      {...(by === 'moment' && { showTime: { format: 'HH:mm' } })}
      presets={by === 'day' ? rangeShortcuts() : []}
      placeholder={['开始时间', '结束时间']}
      disabled={disabled}
      allowEmpty={[disabled, disabled]}
      onChange={(range) => {
        setField(endPath, range?.[1] ? format(range[1].startOf('minute'), 1) : undefined)
        onChange?.(range?.[0] ? format(range[0].startOf('minute'), 0) : undefined)
      }}
    />
  )
}

/** Holds the end's place in the form; the picker above shows it. */
const Held = () => null
