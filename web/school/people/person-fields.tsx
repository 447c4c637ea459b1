import { Form } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { idDocument, personSex, accountStatus } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { readIdCard } from '../../../contract/school/people/id-card.ts'
import { isMasked } from '../../../contract/school/people/people.fields.ts'
import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { DateField } from '../../core/form/date-fields.tsx'
import { AreaField, DictionaryField, SelectField, TextField } from '../../core/form/fields.tsx'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { SecretField } from './secret-fields.tsx'
import './people.css'

/** What a draft on this machine never holds. */
export const neverKept = [
  'birth',
  'suiPolitical',
  'suiIdType',
  'suiIdCard',
  'suiPhone',
  'suiEmail',
  'suiAddress',
  'suiDorm',
  'leagueJoinDate',
  'partyJoinDate',
  'suiPhoto',
  'provinceId',
  'cityId',
  'areaId',
  'remark',
]

const photoCalls = { upload: fileApi.upload, view: piiApi.photo }
/** Width by height of a portrait photo, as on papers. */
const portrait = 5 / 7

/** Who somebody is. */
export function IdentityFields({ birthHelp }: { birthHelp?: string | undefined }) {
  const { data: nations = [] } = useCall(regionApi.nations, {}, { staleTime: 86_400_000 })
  const sexes = useDictionary('sex')
  const hint = useIdCardFacts()
  return (
    <>
      <TextField name="suiName" span={6} />
      <TextField name="suiNumber" span={6} help="全校唯一，也是登录账号" />
      <DictionaryField name="suiIdType" span={6} type="id_type" />
      <SecretField name="suiIdCard" help={hint ?? '身份证号可自动带出出生日期与性别；加密保存'}>
        {(props) => <TextField {...props} />}
      </SecretField>
      <SelectField name="suiSex" span={6} open options={sexes} />
      <SecretField name="birth" help={birthHelp}>
        {(props) => <DateField {...props} />}
      </SecretField>
      <SelectField name="suiNation" span={6} options={nations.map(({ id, name }) => ({ value: id, label: name }))} />
      <SecretField name="suiPolitical">{(props) => <DictionaryField {...props} type="political" />}</SecretField>
      <ImageField
        name="suiPhoto"
        files={photoCalls}
        aspect={portrait}
        help="证件照，上传前可裁剪；只对能查看该人员的用户显示"
      />
    </>
  )
}

/** Mail and phone. */
export function ContactFields() {
  return (
    <>
      <SecretField name="suiPhone" help="加密保存，页面只显示部分数字">
        {(props) => <TextField {...props} />}
      </SecretField>
      <SecretField name="suiEmail" help="可用于找回密码">
        {(props) => <TextField {...props} />}
      </SecretField>
    </>
  )
}

/** What is left: talents, remarks, and whether the person may sign in. */
export function OtherFields() {
  return (
    <>
      <TextField name="specialty" />
      <AreaField name="remark" rows={2} />
      <SelectField
        name="suStatus"
        open
        options={[
          { value: accountStatus.active, label: '正常' },
          { value: accountStatus.disabled, label: '停用' },
        ]}
        help="停用后不能登录，已有记录不受影响；还没有密码、也没有登录过的账号在列表中显示为“未激活”"
      />
    </>
  )
}

interface Facts {
  birth?: string | null
  suiSex?: string | null
  suiIdType?: string | null
}

/**
 * A valid identity number tells birth and sex: empty ones are filled in, which can be taken back; others stay, and a
 * contradiction is told with the way out. Gives the words for the help under the number.
 */
function useIdCardFacts(): ReactNode {
  const form = Form.useFormInstance()
  const number = Form.useWatch<string | null | undefined>('suiIdCard', form)
  const idType = Form.useWatch<string | null | undefined>('suiIdType', form)
  const birth = Form.useWatch<string | null | undefined>('birth', form)
  const sex = Form.useWatch<string | null | undefined>('suiSex', form)
  const [filled, setFilled] = useState<{ number: string; before: Facts }>()
  const seen = useRef<string>(undefined)
  const facts = number && (!idType || idType === idDocument.residentCard) ? readIdCard(number) : null

  const fill = (wanted: (now: Facts) => Facts) => {
    const now = form.getFieldsValue(['birth', 'suiSex', 'suiIdType']) as Facts
    const change = wanted(now)
    if (Object.keys(change).length === 0) return
    setFilled({
      number: number!,
      before: Object.fromEntries(Object.keys(change).map((name) => [name, now[name as keyof Facts]])),
    })
    form.setFieldsValue(change)
    void form.validateFields(['birth']).catch(() => undefined)
  }
  useEffect(() => {
    if (!facts || !number || seen.current === number) return
    seen.current = number
    fill((now) => ({
      ...(!now.birth && { birth: facts.birth }),
      ...((!now.suiSex || now.suiSex === personSex.unknown) && { suiSex: facts.sex }),
      ...(!now.suiIdType && { suiIdType: idDocument.residentCard }),
    }))
  })

  if (!facts) return undefined
  const differences = [
    birth && !isMasked(birth) && birth !== facts.birth ? `出生日期 ${facts.birth}` : '',
    (sex === personSex.male || sex === personSex.female) && sex !== facts.sex ? `性别${labelOf('sex', facts.sex)}` : '',
  ].filter(Boolean)
  if (differences.length > 0) {
    const follow = () =>
      fill((now) => ({
        ...(now.birth !== facts.birth && !isMasked(now.birth ?? '') && { birth: facts.birth }),
        ...(now.suiSex !== facts.sex && { suiSex: facts.sex }),
      }))
    return (
      <>
        证件号码表明{differences.join('、')}，与所填不一致。
        <button type="button" className="person-link" onClick={follow}>
          按证件号码填写
        </button>
      </>
    )
  }
  if (filled?.number !== number) return undefined
  const undo = () => {
    form.setFieldsValue(
      Object.fromEntries(Object.entries(filled!.before).map(([name, value]) => [name, value ?? undefined])),
    )
    setFilled(undefined)
  }
  return (
    <>
      已按证件号码填写出生日期与性别。
      <button type="button" className="person-link" onClick={undo}>
        撤销
      </button>
    </>
  )
}
