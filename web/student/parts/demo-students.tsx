import { useEffect, useState } from 'react'
import { demoApi, type DemoAccount } from '../../../contract/school/session/demo.calls.ts'
import { send } from '../../core/service/api.ts'

/** The students of a demo school, each with what to try; one tap signs in. Nothing where there are none. */
export function DemoStudents({
  isWaiting,
  onChoose,
}: {
  isWaiting: boolean
  onChoose: (account: DemoAccount) => void
}) {
  const [accounts, setAccounts] = useState<readonly DemoAccount[]>([])
  useEffect(() => {
    const stop = new AbortController()
    send(demoApi.accounts, {}, { quiet: true, signal: stop.signal }).then(
      (offered) => setAccounts(offered.filter(({ page }) => page === 'phone')),
      () => undefined,
    )
    return () => stop.abort()
  }, [])
  if (accounts.length === 0) return null
  return (
    <section className="s-card" aria-label="演示登录">
      <p className="s-note">演示学校，人员均为虚构，点一下即可登录</p>
      <ul className="s-list">
        {accounts.map((account) => (
          <li key={account.username}>
            <button type="button" className="s-row" disabled={isWaiting} onClick={() => onChoose(account)}>
              <span className="s-row-text">
                <strong>{account.role}</strong>
                <small>{account.purpose}</small>
              </span>
              <span className="s-go" aria-hidden="true">
                ›
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
