import { useId } from 'react'
import type { DemoAccount } from '../../contract/school/session/demo.calls.ts'
import './demo-cards.css'

interface DemoCardsProps {
  accounts: readonly DemoAccount[]
  isWaiting: boolean
  onChoose: (account: DemoAccount) => void
}

/** The accounts of a demo beside the form, a card each, those of students in one line; one click signs in. */
export function DemoCards({ accounts, isWaiting, onChoose }: DemoCardsProps) {
  const [id, studentsId] = [useId(), useId()]
  const students = accounts.filter(({ page }) => page === 'phone')
  return (
    <section className="demo" aria-labelledby={id}>
      <h2 id={id}>演示登录</h2>
      <p>选择角色，单击即可登录。学校与人员均为虚构。</p>
      <ul>
        {accounts
          .filter(({ page }) => page === 'console')
          .map((account) => (
            <li key={account.username}>
              <button type="button" disabled={isWaiting} onClick={() => onChoose(account)}>
                <b>{account.role}</b>
                <small>{account.username}</small>
                <span>{account.purpose}</span>
              </button>
            </li>
          ))}
      </ul>
      {students.length > 0 && (
        <div className="demo-students">
          <h3 id={studentsId}>学生，打开手机端</h3>
          <ul aria-labelledby={studentsId}>
            {students.map((account) => (
              <li key={account.username}>
                <button type="button" title={account.purpose} disabled={isWaiting} onClick={() => onChoose(account)}>
                  {account.role}
                  <span className="visually-hidden">{account.purpose}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
