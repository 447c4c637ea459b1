import { useEffect, useState } from 'react'
import { demoApi, type DemoAccount } from '../../../contract/school/session/demo.calls.ts'
import { send } from '../../core/service/api.ts'

/** The student of a demo school, with whom one tap signs in; nothing where there is none. */
export function DemoStudent({ isWaiting, onChoose }: { isWaiting: boolean; onChoose: (account: DemoAccount) => void }) {
  const [account, setAccount] = useState<DemoAccount>()
  useEffect(() => {
    const stop = new AbortController()
    send(demoApi.accounts, {}, { quiet: true, signal: stop.signal }).then(
      (accounts) => setAccount(accounts.find(({ page }) => page === 'phone')),
      () => undefined,
    )
    return () => stop.abort()
  }, [])
  if (!account) return null
  return (
    <section className="s-card">
      <p className="s-note">演示学校，人员均为虚构</p>
      <button type="button" className="s-button s-wide" disabled={isWaiting} onClick={() => onChoose(account)}>
        以{account.role}身份体验
      </button>
    </section>
  )
}
