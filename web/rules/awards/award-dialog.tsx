import { figure } from '../../core/service/figure.ts'
import { Button, Form } from 'antd'
import { useMemo } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { AreaField, DictionaryField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { AwardRowsEditor, type AwardRow } from './award-rows-editor.tsx'

interface Props {
  /** The template to edit, or to copy. */
  atId?: string
  copy?: boolean
  onClose: () => void
}

/** The form of a template with its awards as rows. */
export function AwardDialog({ atId, copy = false, onClose }: Props) {
  const record = useCall(awardApi.detail, { atId: atId ?? '' }, { enabled: atId !== undefined, staleTime: 0 })
  const initial = useMemo(() => initialOf(record.data, copy), [record.data, copy])
  const isEdit = atId !== undefined && !copy
  const used = isEdit ? (record.data?.usedCount ?? 0) : 0
  const given = useMemo(
    () => new Map(isEdit ? record.data?.details.map(({ adId, givenCount }) => [adId, givenCount]) : []),
    [record.data, isEdit],
  )
  return (
    <DialogForm
      call={isEdit ? awardApi.edit : awardApi.add}
      title={isEdit ? '编辑奖励模板' : copy ? '复制奖励模板' : '新增奖励模板'}
      width={1080}
      isLoading={atId !== undefined && !record.data}
      initial={initial}
      onClose={onClose}
    >
      <TextField name="atName" span={5} />
      <DictionaryField name="atType" type="award_type" span={4} />
      <SwitchField name="enable" span={3} onText="启用" offText="停用" />
      <AreaField name="atDesc" rows={1} />
      <Field
        name="details"
        help={
          used > 0
            ? `已有 ${figure(used)} 门课程采用：修改只影响之后的评定，已颁发的奖项保持不变`
            : '学时、学分、积分加在课程所得之上；能力系数 1.5 表示获奖者的能力分按 1.5 倍计'
        }
      >
        <AwardRowsEditor given={given} />
      </Field>
      <Usual />
    </DialogForm>
  )
}

/** Fills in the usual awards of the chosen type while no row has been typed. */
function Usual() {
  const form = Form.useFormInstance()
  const setField = useSetField()
  const { data: ready } = useCall(awardApi.ready, {}, { staleTime: 300_000 })
  const atType = Form.useWatch<string | undefined>('atType', form)
  const details = Form.useWatch<AwardRow[] | undefined>('details', form)
  const usual = ready?.find((template) => template.atType === atType)?.details
  if (!usual || details?.some(({ adName }) => adName)) return null
  return (
    <div className="award-usual">
      <Button size="small" onClick={() => setField('details', usual.map(toRow))}>
        填入常用奖项：{usual.map(({ adName }) => adName).join('、')}
      </Button>
    </div>
  )
}

type Template = Output<typeof awardApi.detail>
const toRow = ({ quota, ...row }: Omit<Template['details'][number], 'adId' | 'adSort' | 'givenCount'>): AwardRow => ({
  ...row,
  ...(quota !== null && { quota }),
})

function initialOf(record: Template | undefined, copy: boolean): Record<string, unknown> {
  if (!record) return { details: [] }
  const details = record.details.map(({ adId, adSort: _, givenCount: __, ...row }): AwardRow => ({
    ...toRow(row),
    ...(!copy && { adId }),
  }))
  return copy
    ? { ...record, atId: undefined, version: undefined, atName: `${record.atName.slice(0, 44)}（副本）`, details }
    : { ...record, details }
}
