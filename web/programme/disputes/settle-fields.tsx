import { Form } from 'antd'
import { questionOutcome, resultStatus } from '../../../contract/core/codes/programme.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { outcomes, type DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField, NumberField, SelectField } from '../../core/form/fields.tsx'
import { useCall } from '../../core/service/use-call.ts'

/**
 * What is to be done about a justified dispute: leave, take out, or correct; and credibility where participation was
 * feigned.
 */
export function SettleFields({ question: { liId, targetSuId } }: { question: DisputeRow }) {
  const { data: awards = [] } = useCall(registrationApi.loadAward, { liId }, { enabled: targetSuId !== null })
  const outcome = Form.useWatch<string | undefined>('qOutcome')
  const result = Form.useWatch<string | undefined>('laResult')
  const results = [resultStatus.passed, ...(awards.length > 0 ? [resultStatus.awarded] : []), resultStatus.failed]
  return (
    <>
      <SelectField
        name="qOutcome"
        label="处理结果"
        open
        options={outcomes
          .filter((value) => targetSuId !== null || value === questionOutcome.keep)
          .map((value) => ({ value, label: labelOf('question_outcome', value) }))}
      />
      {outcome === questionOutcome.correct && (
        <SelectField
          name="laResult"
          label="更正为"
          required
          open
          options={results.map((value) => ({ value, label: labelOf('result_status', value) }))}
        />
      )}
      {outcome === questionOutcome.correct && result === resultStatus.awarded && (
        <SelectField
          name="adId"
          label="奖项"
          required
          options={awards.map(({ adId, adName, hours, quota, used }) => ({
            value: adId,
            label: `${adName} · 加 ${hours} 学时 · 已用 ${used}/${quota ?? '不限'}`,
          }))}
        />
      )}
      {targetSuId !== null && (
        <NumberField name="credibility" label="扣除诚信分" unit="分" help="虚假参与、冒名代签时使用；不扣填 0" />
      )}
      <AreaField
        name="opinion"
        label="处理说明"
        rows={3}
        placeholder="不少于 5 个字，将记入操作日志；请不要写出质疑人"
      />
    </>
  )
}
