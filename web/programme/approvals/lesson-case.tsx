import { Link } from 'react-router'
import { lessonCaseApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { CaseDifferences } from '../../shared/differences/differences.tsx'
import { LessonFacts } from '../../shared/lessons/lesson-facts.tsx'
import { LessonFiles } from '../../shared/lessons/lesson-files.tsx'
import { LessonStatus } from '../../shared/lessons/lesson-status.tsx'
import { CaseBones, CaseFrame, CaseHints, NoCase, type CaseProps } from './case-frame.tsx'
import { HistoryFacts, HoursCalculation, ResultTable } from './case-parts.tsx'
import { FlowDiagram } from '../../shared/flow-diagram/flow-diagram.tsx'

/**
 * A course before its reviewer, in the order one reads it: flow, changes, facts, hours, papers, the initiator, risks,
 * and the decision.
 */
export function LessonCase({ bizId: liId, ...frame }: CaseProps) {
  const { data, isPending, error, refetch } = useCall(lessonCaseApi.lessonResult, { liId })
  if (isPending) return <CaseBones />
  if (!data) return <NoCase reading={{ error, refetch }} noun="课程" onBack={frame.onBack} />
  const { lesson, hints, differences, results, history, task } = data
  const isResult = frame.queue.kind === 'result'
  return (
    <CaseFrame
      {...frame}
      name={lesson.liName}
      status={<LessonStatus lesson={lesson} />}
      facts={[
        lesson.liNo,
        lesson.liSponsorName,
        task ? `${task.startName} 提交于 ${task.startTime.slice(5, 16)}` : lesson.createName,
      ]
        .filter(Boolean)
        .join(' · ')}
      task={task}
    >
      <FlowDiagram flows={lesson.flows} />
      <CaseDifferences differences={differences} />
      {isResult && (
        <section className="case-part">
          <h3>结果汇总</h3>
          <ResultTable results={results} />
          <Link to={`/checkAdmin/CourseResult?liId=${liId}`}>查看完整名单</Link>
          {lesson.resultSummary && <p className="case-summary">{lesson.resultSummary}</p>}
        </section>
      )}
      <section className="case-part">
        <h3>课程信息</h3>
        <LessonFacts lesson={lesson} />
      </section>
      <section className="case-part">
        <h3>学时计算</h3>
        <HoursCalculation lesson={lesson} results={isResult ? results : []} />
      </section>
      <section className="case-part">
        <h3>附件</h3>
        {lesson.liPlan || lesson.liAttachments.length > 0 || lesson.extFiles.length > 0 ? (
          <LessonFiles lesson={lesson} />
        ) : (
          <p className="nothing">未上传附件</p>
        )}
      </section>
      <section className="case-part">
        <h3>负责人过往</h3>
        <HistoryFacts name={lesson.principal.suiName} history={history} />
      </section>
      <CaseHints hints={hints} />
    </CaseFrame>
  )
}
