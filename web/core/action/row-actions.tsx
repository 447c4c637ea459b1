import DownOutlined from '@ant-design/icons/DownOutlined'
import { Dropdown } from 'antd'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Call } from '../../../contract/core/call.ts'
import { startAction, startOnAll } from './action-dialog.tsx'
import { callForAll, fitting, type RowAction } from './action.tsx'
import { allOfList, countAll, forAllOf } from '../service/background.ts'
import { LockButton } from '../parts/buttons.tsx'
import { usePermission } from '../service/rights.ts'
import { figure } from '../service/figure.ts'

interface RowActionsProps<R> {
  row: R
  actions: readonly RowAction<R>[]
  nameOf: (row: R) => string
  /** How many stand open beside 更多, which takes the room of one more. */
  open?: number
  /** Room is scarce: only one stands open, all others are behind 更多. */
  isTight?: boolean
}

/** The actions of one row that its state and the person's rights allow. */
export function RowActions<R>({ row, actions, nameOf, open = 2, isTight = false }: RowActionsProps<R>) {
  const may = usePermission()
  const navigate = useNavigate()
  const allowed = actions.filter((act) => may(act.call) && fitting(act, [row]).length > 0)
  const first = allowed.length > (isTight ? 1 : open + 1) ? allowed.slice(0, isTight ? 1 : open) : allowed
  const rest = allowed.slice(first.length)
  return (
    <div className="row-acts">
      {first.map((act) => (
        <RowActionButton key={act.label} act={act} row={row} nameOf={nameOf} />
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((act) => ({
              key: act.label,
              danger: act.isDanger === true,
              label:
                act.kind === 'link' ? (
                  <Link to={act.href(row)} authority-type={act.call.permit}>
                    {act.label}
                  </Link>
                ) : (
                  <span authority-type={act.call.permit}>{act.label}</span>
                ),
              onClick: ({ domEvent }) => {
                if (act.kind !== 'link') doAction(act, [row], nameOf)
                // the keyboard reaches the item and not the link in it, which answers to clicks by itself
                else if (!(domEvent.target as Element).closest('a')) void navigate(act.href(row))
              },
            })),
          }}
        >
          <button type="button" className="row-act" aria-label={`${nameOf(row)}的更多操作`}>
            更多
            <DownOutlined />
          </button>
        </Dropdown>
      )}
    </div>
  )
}

function RowActionButton<R>({ act, row, nameOf }: { act: RowAction<R>; row: R; nameOf: (row: R) => string }) {
  if (act.kind === 'link')
    return (
      <Link className="row-act" to={act.href(row)} authority-type={act.call.permit}>
        {act.label}
      </Link>
    )
  return (
    <LockButton
      type="link"
      size="small"
      className={`row-act${act.isDanger ? ' row-act-danger' : ''}`}
      authority-type={act.call.permit}
      onClick={() => doAction(act, [row], nameOf)}
    >
      {act.label}
    </LockButton>
  )
}

/** Does an action to rows, whichever kind it is. */
export function doAction<R>(act: RowAction<R>, rows: readonly R[], nameOf: (row: R) => string): void {
  if (act.kind === 'send') startAction(act, rows, nameOf)
  else if (act.kind === 'open') act.onOpen(rows)
}

/** A list as far as its bar needs it to offer all of its rows. */
interface WholeList {
  call: Call
  query: Record<string, unknown>
  total: number
  isCapped: boolean
  /** How many rows the page shows, and how many all are while all are chosen. */
  rows: readonly unknown[]
  all: number | undefined
  chooseAll: (total: number | undefined) => void
}

interface BatchBarProps<R> {
  rows: readonly R[]
  actions: readonly RowAction<R>[]
  nameOf: (row: R) => string
  list: WholeList
  onCancel: () => void
}

/**
 * The bar over a list while rows are ticked: the number, what can be done with them, and the way out. Where the whole
 * page is ticked and there is more, all rows that fit the filters are offered.
 */
export function BatchBar<R>({ rows, actions, nameOf, list, onCancel }: BatchBarProps<R>) {
  const may = usePermission()
  const allowed = actions.filter((act) => may(act.call))
  const inBackground = (act: RowAction<R>): boolean => {
    const call = callForAll(act)
    return call !== undefined && forAllOf(call, list.call) !== undefined
  }
  const onAll = allowed.filter((act) => (act.kind === 'open' && act.onFilter) || inBackground(act))
  const isWholePage = rows.length === list.rows.length && list.total > rows.length && onAll.length > 0
  if (list.all !== undefined)
    return <AllBar rows={rows} actions={onAll} list={list} all={list.all} onCancel={onCancel} />
  return (
    <div className="batch-bar" role="toolbar" aria-label="批量操作">
      <span>
        已选 <b>{rows.length}</b> 项
      </span>
      {isWholePage && <ChooseAll list={list} isExact={!list.isCapped && !onAll.some(inBackground)} />}
      {allowed.map((act) => {
        const fit = fitting(act, rows).length
        return (
          <LockButton
            key={act.label}
            size="small"
            danger={act.isDanger === true}
            disabled={fit === 0}
            title={fit === 0 ? `所选记录当前不能${act.label}` : ''}
            authority-type={act.call.permit}
            onClick={() => doAction(act, rows, nameOf)}
          >
            {act.label}
          </LockButton>
        )
      })}
      <button type="button" className="row-act" onClick={onCancel}>
        取消
      </button>
    </div>
  )
}

/**
 * Offers all rows that fit the filters; how many they are is asked for, since a long list counts only so far.
 * @param isExact the number of the list will do: it is only told to the person
 */
function ChooseAll({ list, isExact }: { list: WholeList; isExact: boolean }) {
  const [isCounting, setCounting] = useState(false)
  const choose = () => {
    if (isExact) return list.chooseAll(list.total)
    setCounting(true)
    return countAll(list.call, list.query)
      .then(list.chooseAll, () => undefined)
      .finally(() => setCounting(false))
  }
  return (
    <LockButton type="link" size="small" className="row-act" loading={isCounting} onClick={choose}>
      {list.isCapped ? '选择全部符合条件的记录' : `选择全部 ${figure(list.total)} 条`}
    </LockButton>
  )
}

function AllBar<R>({
  rows,
  actions,
  list,
  all,
  onCancel,
}: Pick<BatchBarProps<R>, 'rows' | 'actions' | 'list' | 'onCancel'> & { all: number }) {
  const start = (act: RowAction<R>) => {
    // the ticks stay, and with them what the person has chosen: only its number is another one
    const whole = allOfList(
      { list: list.call, query: list.query, total: all },
      { onStarted: onCancel, onCounted: (now) => list.chooseAll(now) },
    )
    if (act.kind === 'send') startOnAll(act, whole, rows)
    else if (act.kind === 'open' && act.onFilter) act.onFilter(whole)
    else if (act.kind === 'open') act.onAll?.open(whole, rows)
  }
  return (
    <div className="batch-bar" role="toolbar" aria-label="批量操作">
      <span>
        已选符合条件的全部 <b>{figure(all)}</b> 条
      </span>
      {actions.map((act) => (
        <LockButton
          key={act.label}
          size="small"
          danger={act.isDanger === true}
          authority-type={act.call.permit}
          onClick={() => start(act)}
        >
          {act.label}
        </LockButton>
      ))}
      <button type="button" className="row-act" onClick={() => list.chooseAll(undefined)}>
        只选本页
      </button>
      <button type="button" className="row-act" onClick={onCancel}>
        取消
      </button>
    </div>
  )
}
