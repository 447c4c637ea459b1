import { Link } from 'react-router'
import { approvalApi } from '../../contract/approvals/approvals.calls.ts'
import { useCall } from '../core/use-call.ts'
import { queues } from './queues.ts'
import '../styles/todo-cards.css'

/** What waits for the person's decision, queue by queue; each card leads to its queue. */
export function TodoCards() {
  const { data: counts } = useCall(approvalApi.auditCount, {})
  if (!counts) return null
  const waiting = Object.values(queues).filter(({ kind }) => counts[kind] > 0)
  return (
    <section className="todo" aria-label="待办">
      <h2>待办{counts.overdue > 0 && <small>其中 {counts.overdue} 项已超时</small>}</h2>
      {waiting.length === 0 ? (
        <p className="card todo-none">暂无待审批事项</p>
      ) : (
        <ul>
          {waiting.map(({ kind, title, path }) => (
            <li key={kind}><Link className="card todo-card" to={path}><span>{title}</span><b>{counts[kind]}</b><small>项待处理</small></Link></li>
          ))}
        </ul>
      )}
    </section>
  )
}
