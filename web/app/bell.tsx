import BellOutlined from '@ant-design/icons/BellOutlined'
import { Badge } from 'antd'
import { Link } from 'react-router'

/** The bell of the header: leads to the messages and tells how many are unread. */
export function Bell({ count, href }: { count: number; href: string }) {
  return (
    <Link className="icon-button" to={href} aria-label={count > 0 ? `消息，${count} 条未读` : '消息'}>
      <Badge count={count} size="small" overflowCount={99}><BellOutlined /></Badge>
    </Link>
  )
}
