import { AutoComplete, Form } from 'antd'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { CascadeField } from '../../core/form/cascade-fields.tsx'
import { DateField, DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import {
  AmountField,
  AreaField,
  DictionaryField,
  NumberField,
  SelectField,
  TextField,
} from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { pathTo } from '../../core/service/tree.ts'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField } from '../../shared/people/person-field.tsx'
import { useLevelChoices } from '../../shared/curriculum/level-choices.ts'
import { useAwardChoices, useRecordingModules } from './supplement-choices.ts'

/** Whose record it is. */
export function Student({ sup }: { sup: SupplementDetail | undefined }) {
  return (
    <PersonField
      name="suId"
      suiType={personType.student}
      under="sup:edit"
      placeholder="输入学生姓名或学号"
      known={sup ? [sup] : []}
      help="只能选择您管理范围内的在读或延期学生"
    />
  )
}

/** What the student did, when and with whom. */
export function Experience() {
  return (
    <>
      <TextField name="lisName" placeholder="例如：全国大学生数学建模竞赛" />
      <DictionaryField name="lisType" span={6} type="sup_type" />
      <TextField name="lisOrg" span={6} placeholder="例如：教育部考试中心" />
      <DateField name="lisObtainDate" span={6} />
      <DateTimeRangeField names={['lisStartDate', 'lisEndDate']} label="起止日期" span={6} by="day" required={false} />
      <TextField name="certNo" span={6} placeholder="证书或文件上的编号" />
      <TextField name="certUrl" span={6} placeholder="https://" />
      <AreaField name="lisDesc" rows={3} placeholder="经历内容、本人承担的工作" />
    </>
  )
}

/** What it is recognised as: module, level, award, place in a team. */
export function Achievement() {
  const { tree, placeOf } = useRecordingModules()
  const lsId = Form.useWatch<string | undefined>('lsId')
  const path = pathTo(tree, lsId)
  const { data: below } = useCall(
    curriculumApi.recordingClass,
    { lsId: path.at(-2) ?? '', withClosed: yesNo.yes },
    { enabled: path.length > 1, staleTime: 300_000 },
  )
  const place = path.length > 1 ? below?.find((one) => one.lsId === lsId) : placeOf(lsId)
  const help =
    place &&
    [
      place.isOpen
        ? place.openUntil
          ? `开放至 ${place.openUntil}`
          : '开放中'
        : `未开放（${place.window}）${place.opensOn ? `，${place.opensOn} 起开放` : ''}`,
      place.supProofs.length > 0 && `须提供：${place.supProofs.map((one) => labelOf('sup_proof', one)).join('、')}`,
      place.supNote,
    ]
      .filter(Boolean)
      .join('；')
  return (
    <>
      <CascadeField name="lsId" tree={tree} help={help} />
      <SelectField name="lisLevel" span={6} options={useLevelChoices()} />
      <DictionaryField name="lisPartakeMode" span={6} type="partake_mode" />
      <Field name="lisAward" span={6} help="没有获奖的留空">
        <AwardControl />
      </Field>
      <AmountField name="lisHoursDeclared" span={6} unit="学时" placeholder="不填按评价规则计" />
      <NumberField name="lisTeamSize" span={6} unit="人" placeholder="个人不填" />
      <NumberField name="lisRank" span={6} placeholder="个人不填" help="团队中的排位，第 1 位填 1" />
    </>
  )
}

/** An award of the school's templates, or one that the evaluation rule names. */
function AwardControl({ value, onChange, id }: { value?: string; onChange?: (value: string) => void; id?: string }) {
  const options = useAwardChoices()
  return (
    <AutoComplete
      {...(id && { id })}
      value={value ?? ''}
      options={options}
      allowClear={clearing}
      showSearch={{ filterOption: (typed, option) => String(option?.value ?? '').includes(typed) }}
      placeholder="例如：一等奖"
      onChange={(next: string) => onChange?.(next)}
    />
  )
}
