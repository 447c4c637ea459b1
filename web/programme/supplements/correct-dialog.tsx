import { useMemo } from 'react'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import {
  AmountField,
  AreaField,
  DictionaryField,
  NumberField,
  SelectField,
  TextField,
} from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useLevelChoices } from './supplement-choices.ts'

/** Corrects what a credited record was rated by; the ledger gets the difference. */
export function CorrectDialog({ sup, onClose }: { sup: SupplementRow; onClose: () => void }) {
  const { data } = useCall(supplementApi.detail, { lisId: sup.lisId })
  const levels = useLevelChoices()
  const initial = useMemo(
    () =>
      data && {
        version: data.version,
        lisLevel: data.lisLevel,
        lisPartakeMode: data.lisPartakeMode,
        lisAward: data.lisAward,
        lisTeamSize: data.lisTeamSize,
        lisRank: data.lisRank,
        lisHoursDeclared: data.lisHoursDeclared,
      },
    [data],
  )
  return (
    <DialogForm
      title={`更正“${sup.lisName}”`}
      width={560}
      call={supplementApi.correct}
      isLoading={!initial}
      initial={initial}
      input={(values) => ({
        lisId: sup.lisId,
        version: values['version'] as number,
        lisLevel: values['lisLevel'] as string,
        lisPartakeMode: values['lisPartakeMode'] as '1',
        lisAward: values['lisAward'] as string,
        lisTeamSize: values['lisTeamSize'] as number,
        lisRank: values['lisRank'] as number,
        lisHoursDeclared: values['lisHoursDeclared'] as string,
        reason: values['reason'] as string,
      })}
      submitText="更正"
      doneText="已更正，学时已按差额重新入账"
      onClose={onClose}
    >
      <p className="span-12 form-hint">
        已入账 {data?.grantedHours} 学时。更正后原分录冲回，并按新的内容重新入账，双方均会收到消息。
      </p>
      <SelectField name="lisLevel" span={6} options={levels} />
      <DictionaryField name="lisPartakeMode" span={6} type="partake_mode" />
      <TextField name="lisAward" span={6} placeholder="没有获奖的留空" />
      <AmountField name="lisHoursDeclared" label="认定学时" span={6} unit="学时" placeholder="不填按评价规则计" />
      <NumberField name="lisTeamSize" span={6} unit="人" placeholder="个人不填" />
      <NumberField name="lisRank" span={6} placeholder="个人不填" />
      <AreaField name="reason" rows={3} placeholder="不少于 5 个字，学生与录入人可见" />
    </DialogForm>
  )
}
