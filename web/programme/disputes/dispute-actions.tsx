import { Modal } from 'antd'
import { useMemo, useState } from 'react'
import {
  questionOutcome,
  questionType,
  resultStatus,
  supplementStatus,
} from '../../../contract/core/codes/programme.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputeAction, DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { Output } from '../../../contract/core/call.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField, SelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { subjectName } from '../../shared/disputes/dispute-facts.tsx'
import { correctedFrom, ratedFacts } from '../../shared/supplements/correction-fields.tsx'
import { SettleFields, SettleRecordFields } from './settle-fields.tsx'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<DisputeRow>()
const can = (name: DisputeAction) => (row: DisputeRow) => row.can.includes(name)
const unit = '条质疑'
const qIds = (rows: readonly DisputeRow[]) => rows.map(({ qId }) => qId)

export const nameOfDispute = (row: DisputeRow): string =>
  `${row.targetName || subjectName(row)}：${labelOf('question_type', row.qType)}`

const accept = action({
  label: '受理',
  call: disputeApi.accept,
  unit,
  fits: can('accept'),
  confirm: '受理后按课程设置或补录流程交由审批人、负责人或处理人员认定，公示到期也会等待处理完毕。',
  input: (rows) => ({ qIds: qIds(rows) }),
  doneText: ({ affected }) => `已受理 ${figure(affected)} 条`,
})
const decline = action({
  label: '不予受理',
  call: disputeApi.decline,
  unit,
  fits: can('decline'),
  isDanger: true,
  ask: <AreaField name="opinion" rows={3} placeholder="不少于 5 个字，质疑人可见" />,
  input: (rows, { opinion }) => ({ qIds: qIds(rows), opinion: opinion as string }),
  doneText: ({ affected }) => `${figure(affected)} 条不予受理`,
})
const decide = action({
  label: '认定',
  call: disputeApi.decide,
  fits: can('decide'),
  given: { verdict: 'pass' },
  question: ([row]) => `认定${quoted(nameOfDispute(row!))}`,
  ask: (
    <>
      <SelectField
        name="verdict"
        open
        options={[
          { value: 'pass', label: '成立' },
          { value: 'refuse', label: '不成立' },
        ]}
      />
      <AreaField name="opinion" rows={3} placeholder="不少于 5 个字" />
    </>
  ),
  input: ([row], { verdict, opinion }) => ({
    qId: row!.qId,
    version: row!.version,
    verdict: verdict as 'pass',
    opinion: opinion as string,
  }),
  doneText: () => '已认定',
})
const withdraw = action({
  label: '撤回',
  call: disputeApi.withdraw,
  fits: can('withdraw'),
  isDanger: true,
  ask: <AreaField name="opinion" rows={3} placeholder="不少于 5 个字，如质疑人要求撤回" />,
  input: ([row], { opinion }) => ({ qId: row!.qId, opinion: opinion as string }),
  doneText: () => '已撤回',
})
const abnormal = action({
  label: '异常结项',
  call: disputeApi.abnormal,
  fits: can('abnormal'),
  isDanger: true,
  question: ([row]) => `确认将课程${quoted(row!.liName)}按异常结项处理？`,
  confirm: '所有参与人员均不计学时，已入账的将全部冲正，不能恢复。',
  ask: <AreaField name="opinion" rows={3} placeholder="不少于 5 个字" />,
  input: ([row], { opinion }) => ({ qId: row!.qId, opinion: opinion as string }),
  doneText: ({ people }) => `已按异常结项处理，冲正 ${figure(people)} 人`,
})

/** What may be done to disputes, with the dialogs it needs. */
export function useDisputeActions() {
  const [settling, setSettling] = useState<DisputeRow>()
  const [shown, setShown] = useState<Output<typeof disputeApi.reporter>>()
  const settle = action.open({
    label: '处理',
    call: disputeApi.setQAward,
    fits: can('settle'),
    onOpen: ([row]) => setSettling(row),
  })
  const reporter = action({
    label: '查看质疑人',
    call: disputeApi.reporter,
    fits: can('reporter'),
    confirm: '质疑人身份受保护，查看的时间与原因将记入操作日志。',
    ask: <AreaField name="reason" rows={2} placeholder="不少于 5 个字，如联系质疑人补充材料" />,
    input: ([row], { reason }) => ({ qId: row!.qId, reason: reason as string }),
    doneText: () => '已记录本次查看',
    after: (answer) => setShown(answer),
  })
  const dialogs = (
    <>
      {settling?.lisId && (
        <SettleRecord question={settling} lisId={settling.lisId} onClose={() => setSettling(undefined)} />
      )}
      {settling && !settling.lisId && <SettleDialog question={settling} onClose={() => setSettling(undefined)} />}
      <Modal open={shown !== undefined} title="质疑人" footer={null} width={480} onCancel={() => setShown(undefined)}>
        {shown && (
          <Facts
            items={[
              { label: '姓名', value: shown.suiName },
              { label: '学工号', value: shown.suiNumber },
              { label: '学院', value: shown.collegeName },
              { label: '班级', value: shown.className },
            ]}
          />
        )}
        <p className="tab-note">请勿向被质疑人及无关人员透露。</p>
      </Modal>
    </>
  )
  const row: RowAction<DisputeRow>[] = [accept, settle, decide, decline, withdraw, abnormal]
  return { row, batch: [accept, decline] as RowAction<DisputeRow>[], reporter, dialogs }
}

const settleNote = '确认后立即生效：结果随之更正，已入账的学时先冲正再按更正后的结果重新入账。'
const settleDone = '已处理，双方均已收到通知'

/** What is usually done about a dispute of the kind. */
const usualOutcome = ({ targetSuId, qType }: DisputeRow) =>
  targetSuId === null
    ? questionOutcome.keep
    : qType === questionType.falseAttendance
      ? questionOutcome.remove
      : questionOutcome.correct

function SettleDialog({ question, onClose }: { question: DisputeRow; onClose: () => void }) {
  return (
    <DialogForm
      title={`处理质疑：${nameOfDispute(question)}`}
      call={disputeApi.setQAward}
      initial={{ qOutcome: usualOutcome(question), credibility: 0 }}
      input={({ qOutcome, laResult, adId, credibility, opinion }) => ({
        qId: question.qId,
        version: question.version,
        qOutcome: qOutcome as '1',
        opinion: opinion as string,
        credibility: Number(credibility ?? 0),
        ...(qOutcome === questionOutcome.correct && laResult ? { laResult: laResult as '1' } : {}),
        ...(qOutcome === questionOutcome.correct && laResult === resultStatus.awarded && adId
          ? { adId: adId as string }
          : {}),
      })}
      submitText="确认处理"
      doneText={settleDone}
      onClose={onClose}
    >
      <p className="span-12 tab-note">{settleNote}</p>
      <SettleFields question={question} />
    </DialogForm>
  )
}

/** The same of a supplement record: what it is recognised as is corrected, or it is taken out. */
function SettleRecord({ question, lisId, onClose }: { question: DisputeRow; lisId: string; onClose: () => void }) {
  const { data } = useCall(supplementApi.detail, { lisId })
  const initial = useMemo(
    () => data && { qOutcome: usualOutcome(question), credibility: 0, ...ratedFacts(data) },
    [data, question],
  )
  return (
    <DialogForm
      title={`处理质疑：${nameOfDispute(question)}`}
      width={560}
      call={disputeApi.setQAward}
      isLoading={!initial}
      initial={initial}
      input={({ qOutcome, credibility, opinion, ...facts }) => ({
        qId: question.qId,
        version: question.version,
        qOutcome: qOutcome as '1',
        opinion: opinion as string,
        credibility: Number(credibility ?? 0),
        ...(qOutcome === questionOutcome.correct ? correctedFrom(facts) : {}),
      })}
      submitText="确认处理"
      doneText={settleDone}
      onClose={onClose}
    >
      <p className="span-12 tab-note">{settleNote}</p>
      <SettleRecordFields isCredited={question.lisStatus === supplementStatus.credited} />
    </DialogForm>
  )
}
