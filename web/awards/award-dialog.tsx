import { Button, Form } from 'antd'
import { useMemo } from 'react'
import { awardApi } from '../../contract/awards/awards.calls.ts'
import { AreaField, DictField, SwitchField, TextField } from '../core/fields.tsx'
import { FormDialog } from '../core/form-dialog.tsx'
import { Field } from '../core/form-core.tsx'
import { useCall } from '../core/use-call.ts'
import { AwardRowsEditor, type AwardRow } from './award-rows-editor.tsx'

interface Props {
  /** The template to edit, or to copy. */
  atId?: string
  copy?: boolean
  onClose: () => void
}

/** The sets of awards most schools give, by type of template. */
const usual: Record<string, readonly string[]> = {
  '1': ['特等奖', '一等奖', '二等奖', '三等奖', '优秀奖', '参与奖'],
  '2': ['冠军', '亚军', '季军', '第四名', '第五名', '第六名', '第七名', '第八名'],
  '3': ['金奖', '银奖', '铜奖'],
  '4': ['优秀组织者', '优秀志愿者', '优秀学员', '最佳选手', '先进个人', '先进集体'],
  '5': ['优秀', '良好', '合格', '不合格'],
  '6': ['优秀', '称职', '基本称职', '不称职'],
}

/** The form of a template with its awards as rows. */
export function AwardDialog({ atId, copy = false, onClose }: Props) {
  const record = useCall(awardApi.detail, { atId: atId ?? '' }, { enabled: atId !== undefined, fresh: 0 })
  const initial = useMemo(() => initialOf(record.data, copy), [record.data, copy])
  const isEdit = atId !== undefined && !copy
  const used = isEdit ? (record.data?.usedCount ?? 0) : 0
  return (
    <FormDialog
      call={isEdit ? awardApi.edit : awardApi.add}
      title={isEdit ? '编辑奖励模板' : copy ? '复制奖励模板' : '新增奖励模板'}
      width={960}
      isLoading={atId !== undefined && !record.data}
      initial={initial}
      onClose={onClose}
    >
      <TextField name="atName" span={5} />
      <DictField name="atType" type="award_type" span={4} />
      <SwitchField name="enable" span={3} onText="启用" offText="停用" />
      <AreaField name="atDesc" rows={1} />
      <Field name="details" help={used > 0 ? `已有 ${used} 门课程采用：修改只影响之后的评定，已颁发的奖项保持不变` : undefined}><AwardRowsEditor /></Field>
      <Usual />
    </FormDialog>
  )
}

/** Fills in the usual awards of the chosen type while no row has been typed. */
function Usual() {
  const form = Form.useFormInstance()
  const atType = Form.useWatch<string | undefined>('atType', form)
  const details = Form.useWatch<AwardRow[] | undefined>('details', form)
  const names = usual[atType ?? '']
  if (!names || details?.some(({ adName }) => adName)) return null
  return (
    <div className="award-usual">
      <Button size="small" onClick={() => form.setFieldsValue({ details: names.map((adName) => ({ adName, quotaType: '0', needProof: '0' })) })}>填入常用奖项：{names.join('、')}</Button>
    </div>
  )
}

type Template = { atId: string; atName: string; details: readonly object[] }

function initialOf(record: Template | undefined, copy: boolean): Record<string, unknown> {
  if (!record) return { details: [] }
  const details = (record.details as AwardRow[]).map(({ adId, adName, hours, credit, points, quotaType, quota, needProof }) => ({ ...(!copy && { adId }), adName, hours, credit, points, quotaType, ...(quota && { quota }), needProof }))
  return copy ? { ...record, atId: undefined, version: undefined, atName: `${record.atName.slice(0, 44)}（副本）`, details } : { ...record, details }
}
