import { Form } from 'antd'
import { questionOutcome, resultStatus } from '../../../contract/core/codes/programme.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { outcomes, type DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField, NumberField, SelectField } from '../../core/form/fields.tsx'
import { CorrectionFields } from '../../shared/supplements/correction-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { amountText, figure } from '../../core/service/figure.ts'

/**
 * What is to be done about a justified dispute: leave, take out, or correct; and credibility where participation was
 * feigned.
 */
export function SettleFields({ question: { liId, targetSuId } }: { question: DisputeRow }) {
  const { data: awards = [] } = useCall(
    registrationApi.loadAward,
    { liId: liId ?? '' },
    { enabled: liId !== null && targetSuId !== null },
  )
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
            label: `${adName} · 加 ${amountText(hours)} 学时 · 已用 ${figure(used)}/${quota === null ? '不限' : figure(quota)}`,
          }))}
        />
      )}
      {targetSuId !== null && <Credibility />}
      <Opinion />
    </>
  )
}

const Credibility = () => (
  <NumberField name="credibility" label="扣除诚信分" unit="分" help="虚假参与、冒名代签时使用；不扣填 0" />
)
const Opinion = ({ seenBy = '' }: { seenBy?: string }) => (
  <AreaField
    name="opinion"
    label="处理说明"
    rows={3}
    placeholder={`不少于 5 个字，将记入操作日志${seenBy}；请不要写出质疑人`}
  />
)

/** The same of a supplement record. */
export function SettleRecordFields({ isCredited }: { isCredited: boolean }) {
  const outcome = Form.useWatch<string | undefined>('qOutcome')
  return (
    <>
      <SelectField
        name="qOutcome"
        label="处理结果"
        open
        options={[
          { value: questionOutcome.keep, label: labelOf('question_outcome', questionOutcome.keep) },
          { value: questionOutcome.remove, label: isCredited ? '冲正并删除' : '移出公示并驳回' },
          { value: questionOutcome.correct, label: '更正认定内容' },
        ]}
      />
      {outcome === questionOutcome.correct && <CorrectionFields />}
      <Credibility />
      <Opinion seenBy={outcome === questionOutcome.remove && !isCredited ? '，学生与录入人可见' : ''} />
    </>
  )
}
