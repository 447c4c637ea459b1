import { leaveFor, type IdentityButton } from './identity.ts'
import { useIdentityButtons } from './use-identity-buttons.ts'

/** The ways to sign in that the chosen school offers besides the password; nothing where it offers none. */
export function IdentityButtons({
  schoolId,
  target,
  isWaiting,
  onAsk,
}: {
  schoolId: string | undefined
  target: string
  isWaiting: boolean
  /** For a directory, which knows the name and the password that are typed here. */
  onAsk: (button: IdentityButton) => void
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
          onClick={() => (button.asksHere ? onAsk(button) : leaveFor(button, { schoolId, target, page: 'console' }))}
        >
          {button.asksHere ? `用${button.name}的密码登录` : button.name}
        </button>
      ))}
    </div>
  )
}
