import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigation } from 'react-router'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi, type TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { figure } from '../../core/service/figure.ts'
import { usePermission } from '../../core/service/rights.ts'
import { useTab } from '../../core/service/tab.ts'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { CaseView } from './case-view.tsx'
import { DelegationsDialog } from '../../shared/delegations/delegations-dialog.tsx'
import { QueueList } from './queue-list.tsx'
import { queueOrders, queues, type Queue } from './queues.ts'
import { useCaseKeys } from './use-case-keys.ts'
import { useFirstCase } from './use-first-case.ts'
import { useOpinions } from './use-opinions.ts'
import '../../shared/lessons/lessons.css'
import '../../shared/approvals/approvals.css'

export const PublishQueuePage = () => <QueuePage queue={queues.publish} />
export const ResultQueuePage = () => <QueuePage queue={queues.result} />
export const SupplementQueuePage = () => <QueuePage queue={queues.supplement} />
export const DisputeQueuePage = () => <QueuePage queue={queues.question} />

const caseName = 'case'

/** What a queue is searched by on every tab; 全部在审 also by who has it in hand. */
const searched = ['bizName', 'startName', 'createStartDate', 'createEndDate'] as const

/**
 * The tabs of a queue with how many each holds of what is searched for. They wait for the rows: what is to be decided
 * comes before how much more there is, and a browser asks only so much at once.
 */
function useViews({ list: call }: Queue, { state, isLoading }: List<TaskRow>): View[] {
  const filters = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (state.filters[name] ? [[name, state.filters[name]]] : [])))
  const useView = (title: string, tab: 'todo' | 'overdue' | 'done' | 'mine' | 'all'): View => {
    const { data, isPlaceholderData: isFormer } = useCall(
      call,
      { ...filters(tab === 'all' ? [...searched, 'holderName'] : searched), tab, pageSize: 1 },
      { keepPrevious: true, enabled: !isLoading },
    )
    return { title, filters: tab === 'todo' ? {} : { tab }, ...(data && { count: data.total, isFormer }) }
  }
  return [
    useView('待我审批', 'todo'),
    useView('已超时', 'overdue'),
    useView('我已处理', 'done'),
    useView('我发起的', 'mine'),
    useView('全部在审', 'all'),
  ]
}

/** What somebody sees who may only look on. */
const othersOnly = { tab: 'all' }

/** A queue of approvals: waiting longest first at the left, the case at the right; on a phone one after the other. */
function QueuePage({ queue }: { queue: Queue }) {
  const isPhone = useIsPhone()
  const { scroller, isFront } = useTab()
  const [query, change] = useAddress()
  const [isDelegating, setDelegating] = useState(false)
  const may = usePermission()
  const decides = may(queue.pass) || may(queue.refuse)
  const list = useList(queue.list, decides ? {} : { initial: othersOnly })
  const all = useViews(queue, list as List<TaskRow>)
  const views = decides ? all : all.filter(({ filters }) => filters['tab'] === othersOnly.tab)
  const inAddress = query.get(caseName)
  // the case that the page itself has put into the address: it may give way to another, as nobody has chosen it
  const [suggested, suggest] = useState<string>()
  const chosen = inAddress === suggested ? null : inAddress
  const tasks = list.rows as TaskRow[]
  const [first, leave] = useFirstCase(list as List<TaskRow>, { isOff: isPhone, isChosen: chosen !== null })
  const shown = chosen ?? first
  const isLeaving = useNavigation().state !== 'idle'
  // it stands in the address like any other, so that a copied address and the way back lead to it
  useEffect(() => {
    if (chosen !== null || isPhone || list.isFetching || (first ?? null) === inAddress) return
    // whoever is on the way to another screen is not called back
    if (isLeaving || !isFront()) return
    suggest(first)
    change(withParams({ [caseName]: first }), { replace: true })
  }, [chosen, isPhone, list.isFetching, first, inAddress, change, isLeaving, isFront])
  const opinions = useOpinions()
  // a colleague may have decided what somebody was writing about: it is no longer in the list then, and must still be
  // found
  const elsewhere = opinions.unsent.filter((bizId) => bizId !== shown)
  const at = tasks.findIndex((task) => task.bizId === shown)
  const waiting = decides ? all[0]!.count : undefined
  const order = queueOrders.find(({ value }) => value === `${list.state.sort} ${list.state.order}`) ?? queueOrders[0]

  const open = (bizId: string | undefined) => {
    suggest(undefined)
    change(withParams({ [caseName]: bizId }), { replace: !isPhone })
  }
  const step = (by: number) => {
    const next = tasks[at < 0 ? 0 : at + by]
    if (next) open(next.bizId)
  }
  // a new case is read from its beginning
  const last = useRef(shown)
  useEffect(() => {
    if (last.current !== shown) scroller().scrollTo({ top: 0 })
    last.current = shown
  }, [shown, scroller])

  // the list moves on as soon as a case is decided, so its neighbour is remembered beforehand
  const neighbour = useRef<string>(undefined)
  neighbour.current = (tasks[at + 1] ?? tasks.find((_, index) => index !== at))?.bizId
  const decided = (bizId: string, goesOn: boolean) => {
    opinions.forget([bizId])
    // the reviewer who has gone to another case while the decision was on its way stays there
    if (last.current !== bizId) return
    if (goesOn && !neighbour.current) leave(bizId)
    open(goesOn ? neighbour.current : bizId)
  }
  const write = (bizId: string, opinion: string) => {
    opinions.write(bizId, opinion)
    // whoever writes about a case has chosen it: it stays in every order of the list and in every width of the window
    if (!chosen) {
      suggest(undefined)
      change(withParams({ [caseName]: bizId }), { replace: true })
    }
  }
  const caseRef = useCaseKeys({ onNext: () => step(1), onPrevious: () => step(-1) })

  const caseView = shown && (
    <CaseView
      key={shown}
      ref={caseRef}
      bizId={shown}
      queue={queue}
      row={tasks[at]}
      onBack={isPhone ? () => open(undefined) : undefined}
      hasNext={tasks.length > 1}
      opinion={opinions.of(shown)}
      onOpinion={(opinion) => write(shown, opinion)}
      onDecided={(goesOn) => decided(shown, goesOn)}
    />
  )
  if (isPhone && caseView) return <div className="page queue-page">{caseView}</div>
  return (
    <div className="page queue-page">
      <PageHead
        title={queue.title}
        facts={
          <>
            {!decides && '全部在审的事项，仅供查阅'}
            {waiting === 0
              ? '暂无待审批事项'
              : waiting !== undefined && (
                  <span className={formerClass(all[0]!.isFormer)}>
                    待我审批 {figure(waiting)} 项，{order.label}排序
                  </span>
                )}
            {decides && waiting !== 0 && !isPhone && (
              <span className="key-hints">
                <kbd>J</kbd>/<kbd>K</kbd> 上下移动
                {may(queue.pass) && (
                  <>
                    {' '}
                    <kbd>A</kbd> 通过
                  </>
                )}
                {may(queue.refuse) && (
                  <>
                    {' '}
                    <kbd>R</kbd> 驳回
                  </>
                )}
              </span>
            )}
            {elsewhere[0] && (
              <Button type="link" size="small" className="inline-act" onClick={() => open(elsewhere[0])}>
                另有 {elsewhere.length} 项意见未提交，查看
              </Button>
            )}
          </>
        }
        tools={
          <>
            <ActionButton to={approvalActionApi.delegations} onClick={() => setDelegating(true)}>
              审批代理
            </ActionButton>
            <ExportButton to={queue.exportList} list={list} />
          </>
        }
      />
      <QueueSwitch now={queue} />
      <div className="queue-columns">
        <QueueList
          queue={queue}
          list={list}
          views={views}
          shown={shown}
          onOpen={open}
          onDecided={opinions.forget}
          onGo={(filters) => change(withParams({ current: undefined, ...filters, [caseName]: undefined }))}
        />
        {!isPhone && (
          <div className="card queue-case">
            {caseView || (
              <EmptyState
                text={
                  list.isLoading
                    ? '正在载入…'
                    : list.failed
                      ? '未能取得待办，请在左侧重试'
                      : tasks.length === 0
                        ? '暂无审批事项'
                        : '请在左侧选择一项'
                }
              />
            )}
          </div>
        )}
      </div>
      {isDelegating && <DelegationsDialog onClose={() => setDelegating(false)} />}
    </div>
  )
}

/** From one queue to the others that the person may see, each with what waits there where they may decide. */
function QueueSwitch({ now }: { now: Queue }) {
  const may = usePermission()
  const { data: counts } = useCall(approvalApi.auditCount, {})
  const open = (Object.values(queues) as Queue[]).filter((queue) => queue.kind === now.kind || may(queue.list))
  if (open.length < 2) return null
  return (
    <nav className="queue-switch" aria-label="审批队列">
      {open.map(({ kind, title, path }) => (
        <Link key={kind} to={path} aria-current={kind === now.kind ? 'page' : undefined}>
          {title.replace(/审批$/, '')}
          {/* nothing waits for who may only look on; the rights of this screen tell nothing of the other queues */}
          {counts?.decides.includes(kind) && <small>{figure(counts[kind])}</small>}
        </Link>
      ))}
    </nav>
  )
}
