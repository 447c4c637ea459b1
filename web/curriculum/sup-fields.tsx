import { DatePicker, Form } from 'antd'
import type { Dayjs } from 'dayjs'
import type { CurriculumNode } from '../../contract/curriculum/curriculum.calls.ts'
import { dayFormat, toPicker } from '../core/date-range.ts'
import { AreaField, DictField, SelectField, SwitchField } from '../core/fields.tsx'
import { Field } from '../core/form-core.tsx'
import { RowEditor } from '../core/row-editor.tsx'

const months = Array.from({ length: 12 }, (_, at) => ({ value: String(at + 1), label: `${at + 1} 月` }))

interface Span {
  start?: string
  end?: string
}

/** Whether and when a node takes supplements, and what must be proved; what is left open is as the node above has it. */
export function SupFields({ parent }: { parent: CurriculumNode | undefined }) {
  const allowSup = Form.useWatch<string | undefined>('allowSup')
  const way = Form.useWatch<string | undefined>(['supWindow', 'way'])
  const isOn = allowSup !== '0'
  const inherited = parent ? `同“${parent.lsName}”` : '全年开放'
  const ways = [...(parent ? [{ value: 'year', label: '全年' }] : []), { value: 'months', label: '每年几个月' }, { value: 'dates', label: '指定日期' }]
  return (
    <>
      <SwitchField name="allowSup" span={3} onText="允许" offText="不允许" />
      {isOn && (
        <>
          <SelectField name={['supWindow', 'way']} label="开放时间" span={9} options={ways} placeholder={inherited} help={`不选时${inherited}`} />
          {way === 'months' && <SelectField name={['supWindow', 'months']} label="开放月份" multiple open options={months} />}
          {way === 'dates' && <Field name={['supWindow', 'dates']} label="开放日期"><SpansControl /></Field>}
          <DictField name="supProofs" type="sup_proof" multiple open help={parent ? `不选时${inherited}` : '不选时不要求证明'} />
          <AreaField name="supNote" rows={1} placeholder="例如：获奖证书须有主办单位公章" />
        </>
      )}
    </>
  )
}

function SpansControl({ value, onChange, id }: { value?: Span[]; onChange?: (value: Span[]) => void; id?: string }) {
  return (
    <RowEditor<Span>
      {...(id && { id })}
      {...(value && { value })}
      onChange={(rows) => onChange?.(rows)}
      max={12}
      addText="添加一段日期"
      blank={() => ({})}
      empty="还没有开放日期"
      columns={[
        {
          title: '起止日期',
          cell: ({ start, end }, set, at) => (
            <DatePicker.RangePicker
              className="wide"
              aria-label={`第 ${at + 1} 段日期`}
              value={[toPicker(start) ?? null, toPicker(end) ?? null]}
              format={dayFormat}
              onChange={(range: [Dayjs | null, Dayjs | null] | null) => set({ start: range?.[0]?.format(dayFormat), end: range?.[1]?.format(dayFormat) } as Span)}
            />
          ),
        },
      ]}
    />
  )
}
