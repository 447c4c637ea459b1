import { Form } from 'antd'
import { useEffect } from 'react'
import { regionApi } from '../../contract/organisation/regions.calls.ts'
import { readIdCard } from '../../contract/people/id-card.ts'
import { isMasked } from '../../contract/people/people.fields.ts'
import { DateField } from '../core/date-fields.tsx'
import { AreaField, DictField, SelectField, TextField } from '../core/fields.tsx'
import { useDict } from '../core/dict.tsx'
import { useCall } from '../core/use-call.ts'

/** What a draft on this machine never holds. */
export const neverKept = ['birth', 'suiIdType', 'suiIdCard', 'suiPhone', 'suiEmail', 'suiAddress', 'provinceId', 'cityId', 'areaId', 'remark']

/** Who somebody is. */
export function IdentityFields({ birthHelp }: { birthHelp?: string }) {
  const { data: nations = [] } = useCall(regionApi.nations, {}, { fresh: 86_400_000 })
  const sexes = useDict('sex')
  useIdCardFacts()
  return (
    <>
      <TextField name="suiName" span={6} />
      <TextField name="suiNumber" span={6} help="全校唯一，也是登录账号" />
      <SelectField name="suiSex" span={6} open options={sexes} />
      <DateField name="birth" span={6} help={birthHelp} />
      <SelectField name="suiNation" span={6} options={nations.map(({ id, name }) => ({ value: id, label: name }))} />
      <DictField name="suiPolitical" span={6} type="political" />
      <DictField name="suiIdType" span={6} type="id_type" />
      <MaskedField name="suiIdCard" hint="身份证号可自动带出出生日期与性别；加密保存" />
    </>
  )
}

/** Mail and phone. */
export function ContactFields() {
  return (
    <>
      <MaskedField name="suiPhone" hint="加密保存，页面只显示部分数字" />
      <TextField name="suiEmail" span={6} help="可用于找回密码" />
    </>
  )
}

/** What is left: talents, remarks, and whether the person may sign in. */
export function OtherFields() {
  return (
    <>
      <TextField name="specialty" />
      <AreaField name="remark" rows={2} />
      <SelectField name="suStatus" open options={[{ value: '1', label: '正常' }, { value: '0', label: '停用' }]} help="停用后不能登录，已有记录不受影响" />
    </>
  )
}

/** A field that arrives masked: sent back as it was shown, what is stored stays. */
function MaskedField({ name, hint }: { name: string; hint: string }) {
  const value = Form.useWatch<string | null | undefined>(name, Form.useFormInstance())
  return <TextField name={name} span={6} help={value && isMasked(value) ? '已隐藏部分内容；不修改请保持原样，修改请重新输入全部' : hint} />
}

/** A valid identity number tells birth and sex; what the person has filled in already stays. */
function useIdCardFacts(): void {
  const form = Form.useFormInstance()
  const number = Form.useWatch<string | null | undefined>('suiIdCard', form)
  const idType = Form.useWatch<string | null | undefined>('suiIdType', form)
  useEffect(() => {
    const facts = number && (!idType || idType === '1') ? readIdCard(number) : null
    if (!facts) return
    const { birth, suiSex } = form.getFieldsValue(['birth', 'suiSex']) as { birth?: string; suiSex?: string }
    form.setFieldsValue({ suiIdType: '1', ...(!birth && { birth: facts.birth }), ...((!suiSex || suiSex === '0') && { suiSex: facts.sex }) })
  }, [form, number, idType])
}
