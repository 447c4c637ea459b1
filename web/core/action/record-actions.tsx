import DownOutlined from '@ant-design/icons/DownOutlined'
import { Button, Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import { fitting, type RowAction } from './action.tsx'
import { LockButton } from '../parts/buttons.tsx'
import { usePermission } from '../service/rights.ts'
import { doAction } from './row-actions.tsx'

/**
 * The actions of a record's page: the first that is possible stands out, two more are open, the rest and all dangerous
 * ones behind 更多.
 */
export function RecordActions<R>({
  record,
  actions,
  name,
}: {
  record: R
  actions: readonly RowAction<R>[]
  name: (record: R) => string
}) {
  const may = usePermission()
  const navigate = useNavigate()
  const allowed = actions.filter((act) => may(act.call) && fitting(act, [record]).length > 0)
  const [primary, ...others] = allowed
  const open = others.filter((act) => !act.isDanger).slice(0, 2)
  const rest = others.filter((act) => !open.includes(act))
  const start = (act: RowAction<R>) =>
    act.kind === 'link' ? navigate(act.href(record)) : doAction(act, [record], name)
  const button = (act: RowAction<R>, isPrimary: boolean) => (
    <LockButton
      key={act.label}
      type={isPrimary ? 'primary' : 'default'}
      danger={act.isDanger === true}
      authority-type={act.call.permit}
      onClick={() => start(act)}
    >
      {act.label}
    </LockButton>
  )
  return (
    <>
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((act) => ({
              key: act.label,
              danger: act.isDanger === true,
              label: <span authority-type={act.call.permit}>{act.label}</span>,
              onClick: () => void start(act),
            })),
          }}
        >
          <Button>
            更多
            <DownOutlined />
          </Button>
        </Dropdown>
      )}
      {open.toReversed().map((act) => button(act, false))}
      {primary && button(primary, !primary.isDanger)}
    </>
  )
}
