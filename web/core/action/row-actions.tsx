import DownOutlined from '@ant-design/icons/DownOutlined'
import { Dropdown } from 'antd'
import { Link } from 'react-router'
import { startAction } from './action-dialog.tsx'
import { fitting, type RowAction } from './action.tsx'
import { LockButton } from '../parts/buttons.tsx'
import { usePermission } from '../service/rights.ts'

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
              onClick: () => doAction(act, [row], nameOf),
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

/** The bar over a list while rows are ticked: the number, what can be done with them, and the way out. */
export function BatchBar<R>({
  rows,
  actions,
  nameOf,
  onCancel,
}: {
  rows: readonly R[]
  actions: readonly RowAction<R>[]
  nameOf: (row: R) => string
  onCancel: () => void
}) {
  const may = usePermission()
  return (
    <div className="batch-bar" role="toolbar" aria-label="批量操作">
      <span>
        已选 <b>{rows.length}</b> 项
      </span>
      {actions
        .filter((act) => may(act.call))
        .map((act) => {
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
