import { supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { CreditCalculation, SupplementFacts, SupplementProofs } from '../../shared/supplements/supplement-facts.tsx'
import { SupplementHints, SupplementStatus } from '../../shared/supplements/supplement-status.tsx'
import { CaseBones, CaseFrame, NoCase, type CaseProps } from './case-frame.tsx'
import { CaseDifferences } from '../../shared/differences/differences.tsx'
import { FlowDiagram } from '../../shared/flow-diagram/flow-diagram.tsx'
import { amountText } from '../../core/service/figure.ts'

/**
 * A supplement record before its reviewer: flow, what looks like another record, facts, proofs in place, what it gives,
 * and what the student has already.
 */
export function SupplementCase({ bizId: lisId, ...frame }: CaseProps) {
  const { data, isPending, error, refetch } = useCall(supplementCaseApi.supCase, { lisId })
  if (isPending) return <CaseBones />
  if (!data) return <NoCase reading={{ error, refetch }} noun="补录" onBack={frame.onBack} />
  const { sup, hints, differences, history, task } = data
  return (
    <CaseFrame
      {...frame}
      task={task}
      name={sup.lisName}
      status={<SupplementStatus sup={sup} />}
      facts={[
        `${sup.suiName}（${sup.suiNumber}）`,
        sup.collegeName,
        sup.className,
        task && `${task.startName} 提交于 ${task.startTime.slice(5, 16)}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <FlowDiagram flows={sup.flows} />
      <CaseDifferences differences={differences} />
      {hints.length > 0 && <SupplementHints hints={hints} />}
      <section className="case-part">
        <h3>学时计算</h3>
        <CreditCalculation reckoning={sup.reckoning} />
      </section>
      <section className="case-part">
        <h3>补录信息</h3>
        <SupplementFacts sup={sup} />
      </section>
      <section className="case-part">
        <h3>证明材料</h3>
        <SupplementProofs sup={sup} />
      </section>
      <section className="case-part">
        <h3>该学生过往</h3>
        <ol className="reckoning">
          <li>
            <span>累计学时</span>
            <b>{amountText(history.hours)} 学时</b>
          </li>
          <li>
            <span>其他已入账补录</span>
            <b>{history.credited} 条</b>
          </li>
          <li>
            <span>被驳回的补录</span>
            <b>{history.refused} 条</b>
          </li>
        </ol>
      </section>
    </CaseFrame>
  )
}
