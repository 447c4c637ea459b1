import { Checkbox, DatePicker, Form, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { dayFormat, toPicker } from '../../core/service/date-range.ts'
import { AreaField, DictionaryField, SwitchField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { RowEditor } from '../../core/parts/row-editor.tsx'
import { pickerPlacements } from '../../core/parts/picker-placements.ts'

/**
 * Whether and when a node takes supplements, and what must be proved; what is left open is as the node above has it.
 */
export function SupplementFields({ parent }: { parent: CurriculumNode | undefined }) {
  const isOn = Form.useWatch<string | undefined>('allowSup') !== yesNo.no
  const same = parent ? `不选时同${quoted(parent.lsName)}` : undefined
  return (
    <>
      <SwitchField name="allowSup" span={3} onText="允许" offText="不允许" />
      {isOn && (
        <>
          <Field name="supWindow" label="开放时间" span={9}>
            <WindowControl parent={parent} />
          </Field>
          <DictionaryField name="supProofs" type="sup_proof" multiple open help={same ?? '不选时不要求证明'} />
          <AreaField name="supNote" rows={1} placeholder="例如：获奖证书须有主办单位公章" />
        </>
      )}
    </>
  )
}

interface Span {
  start?: string
  end?: string
}
interface Window {
  way: string
  months?: (string | number)[]
  dates?: Span[]
}
interface WindowProps {
  value?: Window | null
  onChange?: (value: Window | undefined) => void
  id?: string
  parent: CurriculumNode | undefined
}

const months = Array.from({ length: 12 }, (_, at) => ({ value: String(at + 1), label: `${at + 1} 月` }))

/** When supplements are taken: as above, all year, in months of every year, or on certain days. */
function WindowControl({ value, onChange, id, parent }: WindowProps) {
  const { way, months: chosen = [], dates = [] } = value ?? { way: '' }
  const ways = [
    { value: '', label: parent ? `同${quoted(parent.lsName)}` : '全年' },
    ...(parent ? [{ value: 'year', label: '全年' }] : []),
    { value: 'months', label: '每年的几个月' },
    { value: 'dates', label: '指定日期' },
  ]
  return (
    <div className="window-field">
      <Select
        className="wide"
        {...(id && { id })}
        value={way === 'year' && !parent ? '' : way}
        options={ways}
        onChange={(next: string) =>
          onChange?.(
            next
              ? { way: next, months: next === 'months' ? ['3', '9'] : [], dates: next === 'dates' ? [{}] : [] }
              : undefined,
          )
        }
      />
      {way === 'months' && (
        <Checkbox.Group
          aria-label="开放月份"
          options={months}
          value={chosen.map(String)}
          onChange={(next) => onChange?.({ way, months: next, dates: [] })}
        />
      )}
      {way === 'dates' && <Spans value={dates} onChange={(next) => onChange?.({ way, months: [], dates: next })} />}
    </div>
  )
}

function Spans({ value, onChange }: { value: Span[]; onChange: (value: Span[]) => void }) {
  return (
    <RowEditor<Span>
      value={value}
      onChange={onChange}
      max={12}
      addText="添加一段日期"
      blank={() => ({})}
      empty="还没有开放日期"
      columns={[
        {
          title: '起止日期',
          cell: ({ start, end }, set, at) => (
            <DatePicker.RangePicker
              builtinPlacements={pickerPlacements}
              className="wide"
              aria-label={`第 ${at + 1} 段日期`}
              value={[toPicker(start) ?? null, toPicker(end) ?? null]}
              format={dayFormat}
              onChange={(range: [Dayjs | null, Dayjs | null] | null) =>
                set({ start: range?.[0]?.format(dayFormat) ?? '', end: range?.[1]?.format(dayFormat) ?? '' })
              }
            />
          ),
        },
      ]}
    />
  )
}
