import ArrowLeftOutlined from '@ant-design/icons/ArrowLeftOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import { Alert, Button, Dropdown, Skeleton } from 'antd'
import { useImperativeHandle, useState, type Ref } from 'react'
import { Link } from 'react-router'
import { lessonCaseApi, type TaskRow } from '../../contract/approvals/approvals.calls.ts'
import { LockButton } from '../core/buttons.tsx'
import { EmptyState } from '../core/empty-state.tsx'
import { useMay } from '../core/rights.ts'
import { doAct } from '../core/row-acts.tsx'
import { useCall } from '../core/use-call.ts'
import { LessonFacts } from '../lessons/lesson-facts.part.tsx'
import { LessonFiles } from '../lessons/lesson-files.part.tsx'
import { LessonStatus } from '../lessons/lesson-status.part.tsx'
import { ChangeTable, HintList, HistoryFacts, HoursReckoning, ResultTable } from './case-parts.tsx'
import { decisionsOn, otherActs } from './decisions.tsx'
import { FlowDiagram } from './flow-diagram.part.tsx'
import { Opinion } from './opinion.tsx'
import type { Queue } from './queues.ts'
import type { CaseHandle } from './use-case-keys.ts'

interface LessonCaseProps {
  liId: string
  queue: Queue
  ref?: Ref<CaseHandle>
  hasNext?: boolean
  onBack?: (() => void) | undefined
  /** Called when the case was decided; `goesOn` when the reviewer wants the next one. */
  onDecided: (goesOn: boolean) => void
}

const nameOf = ({ bizName }: TaskRow) => bizName

/** A course before its reviewer, in the order one reads it: flow, facts, hours, results, papers, the initiator, risks, and the decision. */
export function LessonCase({ liId, queue, ref, hasNext = false, onBack, onDecided }: LessonCaseProps) {
  const may = useMay()
  const [opinion, setOpinion] = useState('')
  const { data, isPending } = useCall(lessonCaseApi.lessonResult, { liId })
  const task = data?.task && data.task.bizType === queue.kind && data.task.can.length > 0 && may(queue.pass) ? data.task : undefined
  const decide = (goesOn: boolean) => decisionsOn(queue, opinion.trim(), () => onDecided(goesOn), task)
  const start = (which: 'pass' | 'passByKey' | 'refuse', goesOn: boolean) => task && doAct(decide(goesOn)[which], [task], nameOf)
  const others = task ? otherActs(queue, () => onDecided(false)).filter((act) => act.fits?.(task) ?? true) : []
  useImperativeHandle(ref, () => ({ pass: () => start('passByKey', true), refuse: () => start('refuse', true) }))

  if (isPending) return <div className="case-body"><Skeleton active paragraph={{ rows: 10 }} /></div>
  if (!data) return <EmptyState text="该课程不存在或已删除" {...(onBack && { next: <button type="button" className="plain-button" onClick={onBack}>返回列表</button> })} />
  const { lesson, hints, results, history } = data
  const changes = lesson.flows[0]?.changes ?? []
  return (
    <article className="case" aria-label={lesson.liName}>
      <header className="case-head">
        {onBack && <button type="button" className="icon-button" aria-label="返回列表" onClick={onBack}><ArrowLeftOutlined /></button>}
        <div>
          <h2>{lesson.liName}<LessonStatus lesson={lesson} /></h2>
          <p>{[lesson.liNo, lesson.liSponsorName, task ? `${task.startName} 提交于 ${task.startTime.slice(5, 16)}` : lesson.createName].filter(Boolean).join(' · ')}</p>
        </div>
      </header>
      <div className="case-body">
        {task?.behalfName && <Alert type="info" showIcon title={`您正代理 ${task.behalfName} 审批，记录将注明由您代为审批`} />}
        <FlowDiagram flows={lesson.flows} />
        {changes.length > 0 && <section className="case-part"><h3>变更对比</h3><ChangeTable changes={changes} /></section>}
        {hints.length > 0 && <HintList hints={hints} />}
        {queue.kind === 'result' && <section className="case-part"><h3>结果汇总</h3><ResultTable results={results} /><Link to={`/checkAdmin/CourseResult?liId=${liId}`}>查看完整名单</Link>{lesson.resultSummary && <p className="case-summary">{lesson.resultSummary}</p>}</section>}
        <section className="case-part"><h3>学时计算</h3><HoursReckoning lesson={lesson} results={queue.kind === 'result' ? results : []} /></section>
        <section className="case-part"><h3>课程信息</h3><LessonFacts lesson={lesson} /></section>
        <section className="case-part"><h3>附件</h3>{lesson.liPlan || lesson.liAttachments.length > 0 ? <LessonFiles lesson={lesson} /> : <p className="nothing">未上传附件</p>}</section>
        <section className="case-part"><h3>负责人过往</h3><HistoryFacts name={lesson.principal.suiName} history={history} /></section>
        {task && <Opinion value={opinion} onChange={setOpinion} />}
      </div>
      {task ? (
        <footer className="case-foot">
          {others.length > 0 && (
            <Dropdown trigger={['click']} placement="topLeft" menu={{ items: others.map((act) => ({ key: act.label, label: act.label, onClick: () => doAct(act, [task], nameOf) })) }}>
              <Button>更多<DownOutlined /></Button>
            </Dropdown>
          )}
          <LockButton danger {...{ 'authority-type': queue.refuse.permit }} onClick={() => start('refuse', false)}>驳回</LockButton>
          {hasNext && <LockButton {...{ 'authority-type': queue.pass.permit }} onClick={() => start('pass', false)}>通过</LockButton>}
          <LockButton type="primary" {...{ 'authority-type': queue.pass.permit }} onClick={() => start('pass', hasNext)}>{hasNext ? '通过并处理下一项' : '通过'}</LockButton>
        </footer>
      ) : null}
    </article>
  )
}
