import { useId } from 'react'
import type { DemoAccount } from '../../contract/school/session/demo.calls.ts'
import './demo-cards.css'

/** The accounts of a demo beside the form, a card each; one click signs in. */
export function DemoCards({
  accounts,
  isWaiting,
  onChoose,
}: {
  accounts: readonly DemoAccount[]
  isWaiting: boolean
  onChoose: (account: DemoAccount) => void
}) {
  const id = useId()
  return (
    <section className="demo" aria-labelledby={id}>
      <h2 id={id}>演示登录</h2>
      <p>选择角色，单击即可登录。学校与人员均为虚构。</p>
      <ul>
        {accounts.map((account) => (
          <li key={account.username}>
            <button type="button" disabled={isWaiting} onClick={() => onChoose(account)}>
              <b>{account.role}</b>
              <small>{account.username}</small>
              <span>{account.purpose}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
