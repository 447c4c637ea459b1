import DownOutlined from '@ant-design/icons/DownOutlined'
import { Button, Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import type { Call } from '../../../contract/core/call.ts'
import { usePermission } from '../service/rights.ts'

interface Tool {
  /** The call behind it; without its right it is not there. */
  to: Pick<Call, 'permit'>
  label: string
  /** Leads to another screen. */
  href?: string
  onClick?: () => unknown
}

/** The tools of a screen that are wanted seldom, behind one button; nothing where the person may use none of them. */
export function MoreTools({ tools }: { tools: readonly Tool[] }) {
  const may = usePermission()
  const navigate = useNavigate()
  const allowed = tools.filter(({ to }) => may(to))
  if (allowed.length === 0) return null
  const items = allowed.map(({ to, label, href, onClick }) => ({
    key: label,
    label: <span authority-type={to.permit}>{label}</span>,
    onClick: () => void (href ? navigate(href) : onClick?.()),
  }))
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button>
        更多
        <DownOutlined />
      </Button>
    </Dropdown>
  )
}
