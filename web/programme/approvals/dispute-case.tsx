import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { DisputeFacts, DisputeProofs, DisputeStatus, subjectName } from '../../shared/disputes/dispute-facts.tsx'
import { CaseBones, CaseFrame, CaseHints, NoCase, type CaseProps } from './case-frame.tsx'
import { FlowDiagram } from '../../shared/flow-diagram/flow-diagram.tsx'

/** A dispute before its reviewer: never who asked it. */
export function DisputeCase({ bizId: qId, ...frame }: CaseProps) {
  const { data, isPending, error, refetch } = useCall(disputeApi.case, { qId })
  if (isPending) return <CaseBones />
  if (!data) return <NoCase reading={{ error, refetch }} noun="质疑" onBack={frame.onBack} />
  const { question, hints, task } = data
  return (
    <CaseFrame
      {...frame}
      name={subjectName(question)}
      status={<DisputeStatus question={question} />}
      facts={[
        question.lisId ? '补录' : '课程',
        question.collegeName,
        `登记于 ${question.createTime.slice(5, 16)}`,
        question.acceptName && `${question.acceptName} 受理`,
      ]
        .filter(Boolean)
        .join(' · ')}
      task={task}
    >
      <FlowDiagram flows={question.flows} none="不经审批" />
      <section className="case-part">
        <h3>质疑内容</h3>
        <DisputeFacts question={question} />
      </section>
      <section className="case-part">
        <h3>证明材料</h3>
        <DisputeProofs question={question} />
      </section>
      <CaseHints hints={hints} />
    </CaseFrame>
  )
}
