import { Skeleton } from 'antd'
import { Link } from 'react-router'
import { lessonCaseApi } from '../../contract/approvals/approvals.calls.ts'
import { EmptyState } from '../core/empty-state.tsx'
import { useCall } from '../core/use-call.ts'
import { LessonFacts } from '../lessons/lesson-facts.part.tsx'
import { LessonFiles } from '../lessons/lesson-files.part.tsx'
import { LessonStatus } from '../lessons/lesson-status.part.tsx'
import { CaseFrame, type CaseProps } from './case-frame.tsx'
import { ChangeTable, HintList, HistoryFacts, HoursReckoning, ResultTable } from './case-parts.tsx'
import { FlowDiagram } from './flow-diagram.part.tsx'

/** A course before its reviewer, in the order one reads it: flow, facts, hours, results, papers, the initiator, risks, and the decision. */
export function LessonCase({ bizId: liId, ...frame }: CaseProps) {
  const { queue, onBack } = frame
  const { data, isPending } = useCall(lessonCaseApi.lessonResult, { liId })
  if (isPending) return <div className="case-body"><Skeleton active paragraph={{ rows: 10 }} /></div>
  if (!data) return <EmptyState text="该课程不存在或已删除" {...(onBack && { next: <button type="button" className="plain-button" onClick={onBack}>返回列表</button> })} />
  const { lesson, hints, results, history } = data
  const changes = lesson.flows[0]?.changes ?? []
  return (
    <CaseFrame {...frame} task={data.task} name={lesson.liName} status={<LessonStatus lesson={lesson} />} facts={[lesson.liNo, lesson.liSponsorName, !data.task && lesson.createName].filter(Boolean).join(' · ')}>
      <FlowDiagram flows={lesson.flows} />
      {changes.length > 0 && <section className="case-part"><h3>变更对比</h3><ChangeTable changes={changes} /></section>}
      {hints.length > 0 && <HintList hints={hints} />}
      {queue.kind === 'result' && <section className="case-part"><h3>结果汇总</h3><ResultTable results={results} /><Link to={`/checkAdmin/CourseResult?liId=${liId}`}>查看完整名单</Link>{lesson.resultSummary && <p className="case-summary">{lesson.resultSummary}</p>}</section>}
      <section className="case-part"><h3>学时计算</h3><HoursReckoning lesson={lesson} results={queue.kind === 'result' ? results : []} /></section>
      <section className="case-part"><h3>课程信息</h3><LessonFacts lesson={lesson} /></section>
      <section className="case-part"><h3>附件</h3>{lesson.liPlan || lesson.liAttachments.length > 0 ? <LessonFiles lesson={lesson} /> : <p className="nothing">未上传附件</p>}</section>
      <section className="case-part"><h3>负责人过往</h3><HistoryFacts name={lesson.principal.suiName} history={history} /></section>
    </CaseFrame>
  )
}
