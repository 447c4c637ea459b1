import { useEffect, useState } from 'react'
import { identityApi } from '../../contract/school/identity/identity.calls.ts'
import { send } from '../core/service/api.ts'
import { leaveFor, type IdentityButton } from './identity.ts'

/** The ways to sign in that the chosen school offers besides the password; nothing where it offers none. */
export function IdentityButtons({
  schoolId,
  target,
  isWaiting,
}: {
  schoolId: string | undefined
  target: string
  isWaiting: boolean
}) {
  const [buttons, setButtons] = useState<IdentityButton[]>([])
  useEffect(() => {
    setButtons([])
    if (!schoolId) return
    const stop = new AbortController()
    send(identityApi.buttons, { schoolId }, { quiet: true, signal: stop.signal })
      .then(setButtons)
      .catch(() => undefined)
    return () => stop.abort()
  }, [schoolId])
  if (!schoolId || buttons.length === 0) return null
  return (
    <div className="identity-buttons" role="group" aria-label="其他登录方式">
      <p>其他登录方式</p>
      {buttons.map((button) => (
        <button
          key={button.providerId}
          type="button"
          disabled={isWaiting}
          onClick={() => leaveFor(button, schoolId, target)}
        >
          {button.name}
        </button>
      ))}
    </div>
  )
}
