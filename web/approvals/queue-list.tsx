import { Checkbox, Pagination, Skeleton } from 'antd'
import type { Key } from 'react'
import type { TaskRow } from '../../contract/approvals/approvals.calls.ts'
import { EmptyState } from '../core/empty-state.tsx'
import { TextFilter } from '../core/filters.tsx'
import { ListContext } from '../core/list-context.ts'
import { Views, type View } from '../core/list-filters.tsx'
import { BatchBar } from '../core/row-acts.tsx'
import type { List } from '../core/use-list.ts'
import { batchDecisions } from './decisions.tsx'
import type { Queue } from './queues.ts'

interface QueueListProps {
  queue: Queue
  list: List<TaskRow>
  views: readonly View[]
  /** The case shown beside the list. */
  shown: string | undefined
  onOpen: (bizId: string) => void
  /** Changes tab or page; the case shown is then the first of the new ones. */
  onGo: (wish: Record<string, string | undefined>) => void
}

/** The left side of a queue: tabs, search, and the cases with how long they wait. */
export function QueueList({ queue, list, views, shown, onOpen, onGo }: QueueListProps) {
  const canTick = (list.state.filters['tab'] ?? 'todo') === 'todo'
  const ticked = list.rows.filter((row) => list.ticked.includes(row.taskId))
  const isAll = ticked.length > 0 && ticked.length === list.rows.length
  return (
    <ListContext value={list as List<unknown>}>
      <div className="card queue-list">
        <Views views={views} list={{ ...(list as List<unknown>), setFilters: onGo }} />
        <TextFilter name="bizName" label="名称" placeholder="按名称搜索，回车确认" />
        {canTick && list.rows.length > 0 && (
          <div className="queue-batch">
            {ticked.length > 0 ? (
              <BatchBar rows={ticked} acts={batchDecisions(queue)} nameOf={({ bizName }) => bizName} onCancel={() => list.tick([])} />
            ) : (
              <Checkbox checked={isAll} onChange={() => list.tick(list.rows.map((row) => row.taskId))}>全选本页，批量审批</Checkbox>
            )}
          </div>
        )}
        {list.isLoading ? <Skeleton active paragraph={{ rows: 6 }} title={false} className="queue-bones" /> : list.rows.length === 0 ? <None list={list} canTick={canTick} /> : (
          <ul aria-label={queue.title} className={list.isFetching ? 'is-fetching' : ''}>
            {list.rows.map((task) => <Item key={task.taskId} task={task} isShown={task.bizId === shown} canTick={canTick} list={list} onOpen={onOpen} />)}
          </ul>
        )}
        {list.total > list.state.pageSize && <Pagination simple size="small" current={list.state.current} pageSize={list.state.pageSize} total={list.total} onChange={(current) => onGo({ current: current > 1 ? String(current) : undefined })} />}
      </div>
    </ListContext>
  )
}

function Item({ task, isShown, canTick, list, onOpen }: { task: TaskRow; isShown: boolean; canTick: boolean; list: List<TaskRow>; onOpen: (bizId: string) => void }) {
  const { taskId, bizId, bizName, startName, stepName, summary, behalfName, waitingDays, overdue, handleTime } = task
  const tick = (isOn: boolean) => list.tick(isOn ? [...list.ticked, taskId] : list.ticked.filter((one: Key) => one !== taskId))
  return (
    <li className={isShown ? 'queue-item is-shown' : 'queue-item'}>
      {canTick && <Checkbox checked={list.ticked.includes(taskId)} onChange={(event) => tick(event.target.checked)} aria-label={`选择${bizName}`} />}
      <button type="button" aria-current={isShown} onClick={() => onOpen(bizId)}>
        <b title={bizName}>{bizName}</b>
        <Waiting canTick={canTick} days={waitingDays} overdue={overdue} handleTime={handleTime} />
        <span title={summary}>{[behalfName && `代 ${behalfName} 审批`, startName, stepName, summary].filter(Boolean).join(' · ')}</span>
      </button>
    </li>
  )
}

function Waiting({ canTick, days, overdue, handleTime }: { canTick: boolean; days: number; overdue: boolean; handleTime: string | null }) {
  if (!canTick) return <small>{handleTime?.slice(5, 16)}</small>
  if (overdue) return <small className="overdue">超时 · {days} 天</small>
  return days > 0 ? <small className="waiting">{days} 天</small> : <small>今天</small>
}

function None({ list, canTick }: { list: List<TaskRow>; canTick: boolean }) {
  if (list.failed) return <EmptyState text="未能取得数据" next={<button type="button" className="plain-button" onClick={list.refresh}>重试</button>} />
  if (list.state.filters['bizName']) return <EmptyState text="没有符合条件的事项" next={<button type="button" className="plain-button" onClick={() => list.setFilters({ bizName: undefined })}>清除搜索</button>} />
  return <EmptyState text={canTick ? '暂无待审批事项' : '暂无记录'} />
}
