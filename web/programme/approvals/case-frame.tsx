import ArrowLeftOutlined from '@ant-design/icons/ArrowLeftOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import { Alert, Button, Dropdown } from 'antd'
import { useEffect, useImperativeHandle, useState, type ComponentProps, type ReactNode, type Ref } from 'react'
import { takeBackSeconds } from '../../../contract/programme/approvals/actions.calls.ts'
import type { CaseTask, TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { ActionButton, LockButton } from '../../core/parts/buttons.tsx'
import { HintList } from '../../core/parts/hint-list.tsx'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { doAction } from '../../core/action/row-actions.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { adviseAction, decisionsOn, otherActions, recallAction, startedActions, takeBack } from './decisions.tsx'
import { Opinion } from './opinion.tsx'
import type { Queue } from './queues.ts'
import type { CaseHandle } from './use-case-keys.ts'

/** What every kind of case is given by its queue. */
export interface CaseProps {
  bizId: string
  queue: Queue
  ref?: Ref<CaseHandle>
  hasNext?: boolean
  /** On a page of its own, whose tab is called after the case. */
  namesTab?: boolean
  /**
   * The row of the list from which the case was opened, with what may still be done about it: one's own application,
   * one's own decision.
   */
  row?: TaskRow | undefined
  onBack?: (() => void) | undefined
  /** What the reviewer has written so far; kept by the page, which shows other cases too. */
  opinion: string
  onOpinion: (opinion: string) => void
  /** Called when the case was decided; `goesOn` when the reviewer wants the next one. */
  onDecided: (goesOn: boolean) => void
}

interface CaseFrameProps extends Omit<CaseProps, 'bizId'> {
  name: string
  status?: ReactNode
  facts: string
  /** The task that waits for the person, of whatever kind. */
  task: CaseTask | null
  children: ReactNode
}

/** True once a decision that could be taken back when it was first shown can surely be taken back no longer. */
function usePast(taskId: string | undefined): boolean {
  const [past, setPast] = useState<string>()
  useEffect(() => {
    if (!taskId) return
    const timer = setTimeout(() => setPast(taskId), takeBackSeconds * 1000)
    return () => clearTimeout(timer)
  }, [taskId])
  return taskId !== undefined && past === taskId
}

const nameOf = ({ bizName }: TaskRow) => bizName

/** A case before its reviewer: its head, what is to be read, the opinion and the decision. */
export function CaseFrame({
  name,
  status,
  facts,
  task: given,
  queue,
  ref,
  hasNext = false,
  namesTab = false,
  row,
  onBack,
  opinion,
  onOpinion,
  onDecided,
  children,
}: CaseFrameProps) {
  const may = usePermission()
  useTabTitle(namesTab ? `${queue.title} · ${name}` : undefined)
  const [mayPass, mayRefuse] = [may(queue.pass), may(queue.refuse)]
  const task =
    given && given.bizType === queue.kind && given.can.length > 0 && (mayPass || mayRefuse) ? given : undefined
  const decide = (goesOn: boolean) => decisionsOn(queue, opinion.trim(), () => onDecided(goesOn), task)
  const start = (which: 'pass' | 'passByKey' | 'refuse', goesOn: boolean) =>
    task &&
    !task.can.includes('advise') &&
    (which === 'refuse' ? mayRefuse : mayPass) &&
    doAction(decide(goesOn)[which], [task], nameOf)
  const advise = adviseAction(opinion.trim(), () => onDecided(hasNext))
  const others = task ? otherActions(queue, () => onDecided(false)).filter((act) => act.fits?.(task) ?? true) : []
  const isPast = usePast(row?.can.includes('takeBack') ? row.taskId : undefined)
  const isAdvice = task?.can.includes('advise') ?? false
  const own = row
    ? [...startedActions, recallAction, ...(isPast ? [] : [takeBack])].filter((act) => act.fits?.(row) ?? true)
    : []
  useImperativeHandle(ref, () => ({ pass: () => start('passByKey', true), refuse: () => start('refuse', true) }))
  return (
    <article className="case" aria-label={name}>
      <header className="case-head">
        {onBack && (
          <button type="button" className="icon-button" aria-label="返回列表" onClick={onBack}>
            <ArrowLeftOutlined />
          </button>
        )}
        <div>
          <h2>
            {name}
            {status}
          </h2>
          <p>{facts}</p>
        </div>
      </header>
      <div className="case-body">
        {task?.behalfName && (
          <Alert type="info" showIcon title={`您正代理 ${task.behalfName} 审批，记录将注明由您代为审批`} />
        )}
        {isAdvice && (
          <Alert
            type="info"
            showIcon
            title={`${task!.askedByName} 委派您给出意见，审批仍由对方决定`}
            description={task!.askText || undefined}
          />
        )}
        {children}
        {task && <Opinion value={opinion} onChange={onOpinion} />}
        {!task && opinion.trim() && (
          <Alert
            type="warning"
            showIcon
            title="该事项已由他人处理，您的意见未提交"
            description={opinion}
            action={
              <Button size="small" onClick={() => onOpinion('')}>
                清除意见
              </Button>
            }
          />
        )}
      </div>
      {task && isAdvice ? (
        <footer className="form-foot case-foot">
          <LockButton
            type="primary"
            authority-type={advise.call.permit}
            onClick={() => doAction(advise, [task], nameOf)}
          >
            提交意见
          </LockButton>
        </footer>
      ) : task ? (
        <footer className="form-foot case-foot">
          {others.length > 0 && (
            <Dropdown
              trigger={['click']}
              placement="topLeft"
              menu={{
                items: others.map((act) => ({
                  key: act.label,
                  label: <span authority-type={act.call.permit}>{act.label}</span>,
                  onClick: () => doAction(act, [task], nameOf),
                })),
              }}
            >
              <Button>
                更多
                <DownOutlined />
              </Button>
            </Dropdown>
          )}
          <ActionButton to={queue.refuse} danger onClick={() => start('refuse', false)}>
            驳回
          </ActionButton>
          {hasNext && (
            <ActionButton to={queue.pass} onClick={() => start('pass', false)}>
              通过
            </ActionButton>
          )}
          <ActionButton to={queue.pass} primary onClick={() => start('pass', hasNext)}>
            {hasNext ? '通过并处理下一项' : '通过'}
          </ActionButton>
        </footer>
      ) : own.length > 0 ? (
        <footer className="form-foot case-foot">
          {own.map((act) => (
            <LockButton
              key={act.label}
              danger={act.isDanger === true}
              authority-type={act.call.permit}
              onClick={() => doAction(act, [row!], nameOf)}
            >
              {act.label}
            </LockButton>
          ))}
        </footer>
      ) : null}
    </article>
  )
}

export const CaseBones = () => (
  <div className="case-body">
    <ReadSkeleton paragraph={{ rows: 10 }} />
  </div>
)

/** Stands in the place of a case that could not be read. */
export const NoCase = ({ onBack, ...failure }: ComponentProps<typeof ReadFailure> & Pick<CaseProps, 'onBack'>) => (
  <ReadFailure {...failure} list={onBack} />
)

/** What a reviewer should know of a case, where there is anything. */
export function CaseHints({ hints }: ComponentProps<typeof HintList>) {
  if (hints.length === 0) return null
  return (
    <section className="case-part">
      <h3>风险提示</h3>
      <HintList hints={hints} />
    </section>
  )
}
