import ArrowLeftOutlined from '@ant-design/icons/ArrowLeftOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import { Alert, Button, Dropdown } from 'antd'
import { useImperativeHandle, useState, type ReactNode, type Ref } from 'react'
import type { CaseTask, TaskRow } from '../../contract/approvals/approvals.calls.ts'
import { LockButton } from '../core/buttons.tsx'
import { useMay } from '../core/rights.ts'
import { doAct } from '../core/row-acts.tsx'
import { decisionsOn, otherActs } from './decisions.tsx'
import { Opinion } from './opinion.tsx'
import type { Queue } from './queues.ts'
import type { CaseHandle } from './use-case-keys.ts'

/** What every kind of case is told by its queue or page. */
export interface CaseProps {
  /** The id of the matter. */
  bizId: string
  queue: Queue
  ref?: Ref<CaseHandle>
  hasNext?: boolean
  onBack?: (() => void) | undefined
  /** Called when the case was decided; `goesOn` when the reviewer wants the next one. */
  onDecided: (goesOn: boolean) => void
}

interface FrameProps extends Omit<CaseProps, 'bizId'> {
  /** The task of the person who looks, if one waits for him. */
  task: CaseTask | null | undefined
  name: string
  status: ReactNode
  facts: string
  /** The matter itself, in the order one reads it. */
  children: ReactNode
}

const nameOf = ({ bizName }: TaskRow) => bizName

/** A case before its reviewer: what it is, the matter, the opinion, and the decision. */
export function CaseFrame({ queue, ref, hasNext = false, onBack, onDecided, task: given, name, status, facts, children }: FrameProps) {
  const may = useMay()
  const [opinion, setOpinion] = useState('')
  const task = given && given.bizType === queue.kind && given.can.length > 0 && may(queue.pass) ? given : undefined
  const decide = (goesOn: boolean) => decisionsOn(queue, opinion.trim(), () => onDecided(goesOn), task)
  const start = (which: 'pass' | 'passByKey' | 'refuse', goesOn: boolean) => task && doAct(decide(goesOn)[which], [task], nameOf)
  const others = task ? otherActs(queue, () => onDecided(false)).filter((act) => act.fits?.(task) ?? true) : []
  useImperativeHandle(ref, () => ({ pass: () => start('passByKey', true), refuse: () => start('refuse', true) }))
  return (
    <article className="case" aria-label={name}>
      <header className="case-head">
        {onBack && <button type="button" className="icon-button" aria-label="返回列表" onClick={onBack}><ArrowLeftOutlined /></button>}
        <div>
          <h2>{name}{status}</h2>
          <p>{[facts, task && `${task.startName} 提交于 ${task.startTime.slice(5, 16)}`].filter(Boolean).join(' · ')}</p>
        </div>
      </header>
      <div className="case-body">
        {task?.behalfName && <Alert type="info" showIcon title={`您正代理 ${task.behalfName} 审批，记录将注明由您代为审批`} />}
        {children}
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
