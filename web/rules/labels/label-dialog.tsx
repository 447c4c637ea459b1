import { Form, Input } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { ColorField } from '../../core/form/color-field.tsx'
import { AmountField, AreaField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import type { Label, LabelGroup } from './labels.page.tsx'

interface Props {
  label?: Label
  sqlPid?: string
  groups: readonly LabelGroup[]
  onClose: () => void
}

/** The form of a label or of a group. */
export function LabelDialog({ label, sqlPid, groups, onClose }: Props) {
  const options = groups
    .filter(({ sqlId }) => sqlId !== label?.sqlId)
    .map(({ sqlId, sqlName }) => ({ value: sqlId, label: sqlName }))
  const group = groups.find(({ sqlId }) => sqlId === sqlPid)
  // the place is for dragging, not for the form
  const [initial] = useState<Record<string, unknown>>(() =>
    label ? { ...label, sqlSort: undefined } : { sqlPid, sqlColor: group?.sqlColor, fullScore: '100' },
  )
  const title = label
    ? `编辑${label.sqlPid === null ? '分组' : '标签'}`
    : group
      ? `在${quoted(group.sqlName)}下新增标签`
      : '新增标签'
  return (
    <DialogForm call={labelApi.edit} title={title} width={600} initial={initial} onClose={onClose}>
      <TextField name="sqlName" span={8} />
      <TextField name="sqlCode" span={4} />
      <SelectField
        name="sqlPid"
        span={8}
        options={options}
        placeholder="无（作为分组）"
        help="评价规则给分组下的标签设权重"
      />
      <SwitchField name="enable" span={4} onText="启用" offText="停用" />
      <AreaField name="sqlDesc" rows={2} />
      <ColorField name="sqlColor" />
      <Scored />
    </DialogForm>
  )
}

/** What only labels have, groups not: a full score and what its five parts mean. */
function Scored() {
  const sqlPid = Form.useWatch<string | undefined>('sqlPid')
  if (!sqlPid) return null
  return (
    <>
      <AmountField name="fullScore" span={4} unit="分" />
      <Field name="levels" help="得分占满分的五分之一为第 1 级，依次类推；显示在素质模型与建议中">
        <Levels />
      </Field>
    </>
  )
}

const five = [0, 1, 2, 3, 4] as const

function Levels({ value = [], onChange, id }: { value?: string[]; onChange?: (value: string[]) => void; id?: string }) {
  const set = (at: number, text: string) => onChange?.(five.map((one) => (one === at ? text : (value[one] ?? ''))))
  return (
    <div className="levels-field" id={id} tabIndex={-1}>
      {five.map((at) => (
        <label key={at}>
          <span>第 {at + 1} 级</span>
          <Input
            aria-label={`第 ${at + 1} 级说明`}
            maxLength={100}
            placeholder={['例如：开始接触', '能在指导下完成', '能独立完成', '能带动他人', '有突出成果'][at]!}
            value={value[at] ?? ''}
            onChange={(event) => set(at, event.target.value)}
          />
        </label>
      ))}
    </div>
  )
}
