import FilterOutlined from '@ant-design/icons/FilterOutlined'
import { Button, Checkbox } from 'antd'
import { useState, type Key } from 'react'
import type { TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { fewNames } from '../../../contract/core/few-names.ts'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListContext } from '../../core/list/list-context.ts'
import { Views, type View } from '../../core/list/list-filters.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { OrderSelect } from '../../core/list/order-select.tsx'
import { PaginationBar } from '../../core/parts/pagination.tsx'
import { BatchBar } from '../../core/action/row-actions.tsx'
import type { List } from '../../core/list/use-list.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { batchDecisions } from './decisions.tsx'
import { queueOrders, type Queue } from './queues.ts'
import { figure } from '../../core/service/figure.ts'

const more = ['startName', 'holderName', 'createStartDate', 'createEndDate']
const searched = ['bizName', ...more]
const doneTabs: readonly string[] = ['done', 'passed', 'refused', 'ended']
const todoTabs: readonly string[] = ['todo', 'overdue']
/** What is still to be decided can be put into another order; the rest has the latest first. */
const isSortable = (tab: string): boolean => todoTabs.includes(tab) || tab === 'all'

interface QueueListProps {
  queue: Queue
  list: List<TaskRow>
  views: readonly View[]
  /** The case shown beside the list. */
  shown: string | undefined
  onOpen: (bizId: string) => void
  /** Called with ticked cases that were decided together. */
  onDecided: (bizIds: string[]) => void
  /** Changes tab or page; the case shown is then the first of the new ones. */
  onGo: (filters: Record<string, string | undefined>) => void
}

/** The left side of a queue: tabs, search, and the cases with how long they wait. */
export function QueueList({ queue, list, views, shown, onOpen, onDecided, onGo }: QueueListProps) {
  const keptTab = list.state.filters['tab']
  const tab = keptTab ?? 'todo'
  const isSearched = list.state.sort !== undefined || searched.some((name) => list.state.filters[name])
  const canTick = todoTabs.includes(tab)
  const [isFiltering, setFiltering] = useState(
    list.state.sort !== undefined || more.some((name) => list.state.filters[name]),
  )
  const ticked = list.rows.filter((row) => list.ticked.includes(row.taskId))
  const isAll = ticked.length > 0 && ticked.length === list.rows.length
  // an order that the other tab does not offer would stand there unseen
  const goTo = (filters: Record<string, string | undefined>) =>
    onGo(isSortable(filters['tab'] ?? 'todo') ? filters : { ...filters, sort: undefined, order: undefined })
  return (
    <ListContext value={list as List<unknown>}>
      <div className="card queue-list" aria-busy={list.isLoading || list.isFormer}>
        <Views views={views} list={{ ...(list as List<unknown>), setFilters: goTo }} />
        <div className="queue-search">
          <TextFilter name="bizName" label="名称" placeholder="按名称搜索，回车确认" />
          <Button
            type="text"
            icon={<FilterOutlined />}
            aria-label="更多筛选与排序"
            aria-expanded={isFiltering}
            onClick={() => setFiltering(!isFiltering)}
          />
          {isSearched && (
            <LockButton type="text" onClick={() => list.show(keptTab ? { tab: keptTab } : {})}>
              重置
            </LockButton>
          )}
        </div>
        {isFiltering && (
          <div className="queue-more">
            {doneTabs.includes(tab) && (
              <SelectFilter
                name="tab"
                label="处理结果"
                options={[
                  { value: 'done', label: '全部' },
                  { value: 'passed', label: '已通过' },
                  { value: 'refused', label: '已驳回' },
                  { value: 'ended', label: '已转办、委派或失效' },
                ]}
              />
            )}
            {tab !== 'mine' && <TextFilter name="startName" label="发起人" placeholder="发起人，回车确认" />}
            {tab === 'all' && <TextFilter name="holderName" label="审批人" placeholder="在谁手里，回车确认" />}
            <DateRangeFilter names={['createStartDate', 'createEndDate']} label="提交时间" />
            {isSortable(tab) && <OrderSelect list={list} orders={queueOrders} placeholder={queueOrders[0].label} />}
          </div>
        )}
        {canTick && list.rows.length > 0 && (
          <div className="queue-batch">
            {ticked.length > 0 ? (
              <BatchBar
                rows={ticked}
                actions={batchDecisions(queue, onDecided)}
                nameOf={({ bizName }) => bizName}
                list={list}
                onCancel={() => list.tick([])}
              />
            ) : (
              <Checkbox checked={isAll} onChange={() => list.tick(list.rows.map((row) => row.taskId))}>
                全选本页，批量审批
              </Checkbox>
            )}
          </div>
        )}
        {list.isLoading ? (
          <ReadSkeleton paragraph={{ rows: 6 }} title={false} className="queue-bones" />
        ) : list.rows.length === 0 ? (
          <None list={list} canTick={canTick} all={views.find(({ filters }) => filters['tab'] === 'all')} />
        ) : (
          <ul aria-label={queue.title} className={formerClass(list.isFormer)}>
            {list.rows.map((task) => (
              <Item
                key={task.taskId}
                task={task}
                isShown={task.bizId === shown}
                canTick={canTick}
                list={list}
                onOpen={onOpen}
              />
            ))}
          </ul>
        )}
        {list.total > list.state.pageSize && (
          <PaginationBar
            className={formerClass(list.isFormer)}
            isNarrow
            size="small"
            current={list.state.current}
            pageSize={list.state.pageSize}
            total={list.total}
            onChange={(current) => onGo({ current: current > 1 ? String(current) : undefined })}
          />
        )}
      </div>
    </ListContext>
  )
}

function Item({
  task,
  isShown,
  canTick,
  list,
  onOpen,
}: {
  task: TaskRow
  isShown: boolean
  canTick: boolean
  list: List<TaskRow>
  onOpen: (bizId: string) => void
}) {
  const {
    taskId,
    bizId,
    bizName,
    startName,
    stepName,
    summary,
    behalfName,
    askedByName,
    waitingDays,
    overdue,
    handleTime,
    taskStatus,
  } = task
  const isAll = list.state.filters['tab'] === 'all'
  const isMine = list.state.filters['tab'] === 'mine'
  const isRunning = taskStatus === taskStatusCodes.pending
  const verdict = canTick || isAll ? '' : labelOf(isMine ? 'approval_status' : 'task_status', taskStatus)
  const tick = (isOn: boolean) =>
    list.tick(isOn ? [...list.ticked, taskId] : list.ticked.filter((one: Key) => one !== taskId))
  return (
    <li className={isShown ? 'queue-item is-shown' : 'queue-item'}>
      {canTick && (
        <Checkbox
          checked={list.ticked.includes(taskId)}
          onChange={(event) => tick(event.target.checked)}
          aria-label={`选择${bizName}`}
        />
      )}
      <button type="button" aria-current={isShown} onClick={() => onOpen(bizId)}>
        <b title={bizName}>{bizName}</b>
        <Waiting
          canTick={canTick || isAll || (isMine && isRunning)}
          days={waitingDays}
          overdue={overdue}
          handleTime={handleTime}
        />
        <span title={summary}>
          {[
            verdict,
            (isAll || (isMine && isRunning)) && holderText(task),
            behalfName && `代 ${behalfName} 审批`,
            askedByName && `${askedByName} 委派`,
            isMine ? '' : startName,
            stepName,
            summary,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
    </li>
  )
}

function Waiting({
  canTick,
  days,
  overdue,
  handleTime,
}: {
  canTick: boolean
  days: number
  overdue: boolean
  handleTime: string | null
}) {
  if (!canTick) return <small>{handleTime?.slice(5, 16)}</small>
  if (overdue) return <small className="overdue">超时 · {days} 天</small>
  return days > 0 ? <small className="waiting">{days} 天</small> : <small>今天</small>
}

/** Who has yet to decide, the first few by name, and since when. */
const holderText = ({ holders, arriveTime }: TaskRow): string =>
  holders.length === 0 ? '暂无审批人' : `${arriveTime.slice(5, 16)} 起在 ${fewNames(holders)}处`

function None({ list, canTick, all }: { list: List<TaskRow>; canTick: boolean; all: View | undefined }) {
  if (list.failed)
    return (
      <EmptyState
        text="未能取得数据"
        next={
          <button type="button" className="plain-button" onClick={list.refresh}>
            重试
          </button>
        }
      />
    )
  if (searched.some((name) => list.state.filters[name]))
    return (
      <EmptyState
        text="没有符合条件的事项"
        next={
          <button
            type="button"
            className="plain-button"
            onClick={() => list.setFilters(Object.fromEntries(searched.map((name) => [name, undefined])))}
          >
            清除筛选
          </button>
        }
      />
    )
  return (
    <EmptyState
      text={canTick ? '暂无待审批事项' : '暂无记录'}
      next={
        canTick && all?.count ? (
          <button type="button" className="plain-button" onClick={() => list.setFilters(all.filters)}>
            查看全部在审 {figure(all.count)} 项
          </button>
        ) : undefined
      }
    />
  )
}
