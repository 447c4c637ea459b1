import { useState } from 'react'
import { labelApi } from '../../contract/labels/labels.calls.ts'
import { ColorField } from '../core/color-field.tsx'
import { AmountField, AreaField, NumberField, SelectField, SwitchField, TextField } from '../core/fields.tsx'
import { FormDialog } from '../core/form-dialog.tsx'
import type { LabelGroup } from './labels.page.tsx'

interface Props {
  label?: Omit<LabelGroup, 'children'>
  sqlPid?: string
  groups: readonly LabelGroup[]
  onClose: () => void
}

/** The form of a label or of a group. */
export function LabelDialog({ label, sqlPid, groups, onClose }: Props) {
  const options = groups.filter(({ sqlId }) => sqlId !== label?.sqlId).map(({ sqlId, sqlName }) => ({ value: sqlId, label: sqlName }))
  const below = groups.find(({ sqlId }) => sqlId === sqlPid)
  const [initial] = useState<Record<string, unknown>>(() => ({ ...(label ?? { sqlPid, sqlColor: below?.sqlColor, sqlSort: below ? below.children.length : groups.length, fullScore: '100' }) }))
  return (
    <FormDialog call={labelApi.edit} title={label ? '编辑素质标签' : '新增素质标签'} width={560} initial={initial} onClose={onClose}>
      <TextField name="sqlName" span={7} />
      <TextField name="sqlCode" span={5} />
      <SelectField name="sqlPid" options={options} placeholder="无（作为分组）" help="评价规则给分组下的标签设权重" />
      <AreaField name="sqlDesc" rows={2} />
      <AmountField name="fullScore" span={4} unit="分" />
      <NumberField name="sqlSort" span={4} />
      <SwitchField name="enable" span={4} onText="启用" offText="停用" />
      <ColorField name="sqlColor" />
    </FormDialog>
  )
}
