import { leaveFor } from './identity.ts'
import { useIdentityButtons } from './use-identity-buttons.ts'

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
  const buttons = useIdentityButtons(schoolId)
  if (!schoolId || buttons.length === 0) return null
  return (
    <div className="identity-buttons" role="group" aria-label="其他登录方式">
      <p>其他登录方式</p>
      {buttons.map((button) => (
        <button
          key={button.providerId}
          type="button"
          disabled={isWaiting}
          onClick={() => leaveFor(button, { schoolId, target, page: 'console' })}
        >
          {button.name}
        </button>
      ))}
    </div>
  )
}
