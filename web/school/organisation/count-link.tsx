import { Link } from 'react-router'

/** A number that leads to the list of what it counts; nothing to count leads nowhere. */
export function CountLink({
  count,
  to,
  filters,
  what,
}: {
  count: number
  to: string
  filters: Record<string, string>
  what: string
}) {
  return count === 0 ? (
    <>0</>
  ) : (
    <Link to={`${to}?${new URLSearchParams(filters)}`} aria-label={`${what}，${count}`}>
      {count.toLocaleString('zh-CN')}
    </Link>
  )
}
