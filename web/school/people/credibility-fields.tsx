import { Form } from 'antd'
import { reasonsByHand } from '../../../contract/school/people/credibility.calls.ts'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { AreaField, NumberField, SelectField } from '../../core/form/fields.tsx'

const ways = [
  { value: 'minus', label: '扣分' },
  { value: 'plus', label: '加分' },
  { value: 'to', label: '设为' },
]

/** How a student's credibility is to change, and why. */
export function CredibilityFields() {
  const way = Form.useWatch<string | undefined>('way', Form.useFormInstance())
  const reasons = useDictionary('credibility_reason').filter(({ value }) => reasonsByHand.some((one) => one === value))
  return (
    <>
      <SelectField name="way" label="方式" span={6} open options={ways} required />
      {way === 'to' ? (
        <NumberField name="value" label="调整为" span={6} unit="分" required />
      ) : (
        <NumberField name="change" label="分值" span={6} unit="分" required />
      )}
      <SelectField name="reasonCode" options={reasons} />
      <AreaField name="reason" rows={3} placeholder="不少于 5 个字，学生会看到" />
    </>
  )
}

/** What the call takes of what was filled in. */
export function credibilityInput({ way, change, value, reasonCode, reason }: Record<string, unknown>) {
  const points = way === 'to' ? { value: Number(value) } : { change: Number(change) * (way === 'minus' ? -1 : 1) }
  return { ...points, reasonCode: reasonCode as (typeof reasonsByHand)[number], reason: reason as string }
}
