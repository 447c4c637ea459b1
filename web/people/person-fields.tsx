import { Form } from 'antd'
import { useEffect } from 'react'
import { regionApi } from '../../contract/organisation/regions.calls.ts'
import { readIdCard } from '../../contract/people/id-card.ts'
import { DateField } from '../core/date-fields.tsx'
import { AreaField, DictField, SelectField, TextField } from '../core/fields.tsx'
import { FormSection } from '../core/record-form.tsx'
import { useCall } from '../core/use-call.ts'

/** Who a person is: the fields that students and staff share. */
export function IdentitySection({ numberLabel }: { numberLabel: string }) {
  const { data: nations = [] } = useCall(regionApi.nations, {}, { fresh: 24 * 3600_000 })
  useFactsOfIdCard()
  return (
    <FormSection title="基本信息">
      <TextField name="suiName" span={6} />
      <TextField name="suiNumber" span={6} help={`${numberLabel}也是登录名`} />
      <DictField name="suiIdType" type="id_type" span={6} />
      <TextField name="suiIdCard" span={6} help="加密保存，只显示部分数字" />
      <DictField name="suiSex" type="sex" span={6} open />
      <DateField name="birth" span={6} help="重置密码时用于核对身份" />
      <SelectField name="suiNation" span={6} options={nations.map(({ id, name }) => ({ value: id, label: name }))} />
      <DictField name="suiPolitical" type="political" span={6} />
    </FormSection>
  )
}

/** A new identity number tells birth and sex; they are filled in while they are empty. */
function useFactsOfIdCard(): void {
  const form = Form.useFormInstance()
  const idCard = Form.useWatch<string | undefined>('suiIdCard', form)
  const idType = Form.useWatch<string | undefined>('suiIdType', form)
  useEffect(() => {
    const facts = idCard && (!idType || idType === '1') ? readIdCard(idCard) : null
    if (!facts) return
    if (!form.getFieldValue('birth')) form.setFieldValue('birth', facts.birth)
    if (!['1', '2'].includes(String(form.getFieldValue('suiSex') ?? ''))) form.setFieldValue('suiSex', facts.sex)
    if (!idType) form.setFieldValue('suiIdType', '1')
  }, [idCard, idType, form])
}

/** Whether the person can sign in, and what else is to be known of him. */
export function AccountSection({ isNew }: { isNew: boolean }) {
  return (
    <FormSection title="账号与备注" {...(isNew && { hint: '保存后自动开通账号，尚无密码；可在列表中“重置密码”生成一次性密码。' })}>
      <SelectField name="suStatus" span={12} open options={[{ value: '1', label: '正常' }, { value: '0', label: '停用（不能登录）' }]} />
      <TextField name="specialty" span={12} />
      <AreaField name="remark" rows={2} />
    </FormSection>
  )
}
