import { Link } from 'react-router'
import { homeApi } from '../../../contract/programme/home/home.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { figure } from '../../core/service/figure.ts'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import './todo-cards.css'

/**
 * What waits for the person, queue by queue, with what is late and what they have not read; each card leads to its
 * list.
 */
export function HomeTodos() {
  const { data: cards, ...reading } = useCall(homeApi.todos, {})
  const { data: messages } = useCall(messageApi.count, {})
  if (!cards)
    return (
      <section className="todo" aria-label="待办" aria-busy={!reading.error}>
        <h2>待办</h2>
        <div className="card todo-none">
          <ReadSkeleton reading={reading} title={false} paragraph={{ rows: 2 }} />
        </div>
      </section>
    )
  const waiting = cards.filter(({ count, link }) => count > 0 && isScreenOpen(link))
  const late = waiting.reduce((sum, { overdue }) => sum + overdue, 0)
  const unread = messages?.unread ?? 0
  return (
    <section className="todo" aria-label="待办">
      <h2>待办{late > 0 && <small>其中 {figure(late)} 项已超时</small>}</h2>
      {waiting.length === 0 && unread === 0 ? (
        <p className="card todo-none">{cards.some(({ link }) => isScreenOpen(link)) ? '暂无待审批事项' : '暂无待办'}</p>
      ) : (
        <ul>
          {waiting.map(({ kind, title, count, unit, detail, overdue, link }) => (
            <li key={kind} className="card">
              <Link className="todo-card" to={link}>
                <span>{title}</span>
                <b>{figure(count)}</b>
                <small>{unit}</small>
              </Link>
              {(detail || overdue > 0) && (
                <p>
                  {detail}
                  {overdue > 0 && (
                    <Link
                      className="todo-late"
                      to={`${link}?tab=overdue`}
                      aria-label={`${title}：${figure(overdue)} 项已超时`}
                    >
                      {figure(overdue)} 项已超时
                    </Link>
                  )}
                </p>
              )}
            </li>
          ))}
          {unread > 0 && (
            <li className="card">
              <Link className="todo-card" to="/personalCenter/message?isRead=0">
                <span>未读消息</span>
                <b>{figure(unread)}</b>
                <small>条</small>
              </Link>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
