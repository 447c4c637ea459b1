import { useMemo } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { correctedFrom, CorrectionFields, ratedFacts } from '../../shared/supplements/correction-fields.tsx'

/** Corrects what a credited record was rated by; the ledger gets the difference. */
export function CorrectDialog({ sup, onClose }: { sup: SupplementRow; onClose: () => void }) {
  const { data } = useCall(supplementApi.detail, { lisId: sup.lisId })
  const initial = useMemo(
    () =>
      data && {
        version: data.version,
        ...ratedFacts(data),
      },
    [data],
  )
  return (
    <DialogForm
      title={`更正${quoted(sup.lisName)}`}
      width={560}
      call={supplementApi.correct}
      isLoading={!initial}
      initial={initial}
      input={(values) => ({
        lisId: sup.lisId,
        version: values['version'] as number,
        ...correctedFrom(values),
        reason: values['reason'] as string,
      })}
      submitText="更正"
      doneText="已更正，学时已按差额重新入账"
      onClose={onClose}
    >
      <p className="span-12 form-hint">
        已入账 {data?.grantedHours} 学时。更正后原分录冲回，并按新的内容重新入账，双方均会收到消息。
      </p>
      <CorrectionFields />
      <AreaField name="reason" rows={3} placeholder="不少于 5 个字，学生与录入人可见" />
    </DialogForm>
  )
}
