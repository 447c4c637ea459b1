import { Button, type ButtonProps } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Call } from '../../../contract/core/call.ts'
import { usePermission } from '../service/rights.ts'
import { useClickLock } from '../service/use-click-lock.ts'

/**
 * A button that cannot be clicked twice within a second, nor while its work runs. It keeps the focus meanwhile: a
 * dialog that it opened and that is closed at once gives the focus back to it.
 */
export function LockButton({
  onClick,
  disabled,
  ...props
}: Omit<ButtonProps, 'onClick'> & { onClick?: () => unknown }) {
  const { isLocked, lock } = useClickLock()
  const click = () => {
    if (isLocked) return
    lock()
    void onClick?.()
  }
  return <Button {...props} disabled={disabled} aria-disabled={isLocked || undefined} onClick={click} />
}

interface ActionButtonProps extends Omit<ButtonProps, 'onClick' | 'type' | 'href'> {
  /** The call behind the button; without its right the button is not there. */
  to: Pick<Call, 'permit'>
  /** Leads to another screen. */
  href?: string
  onClick?: () => unknown
  primary?: boolean
  children: ReactNode
}

/** A button that acts through a call. It carries the right it needs and is removed where the person lacks it. */
export function ActionButton({ to, href, onClick, primary = false, ...props }: ActionButtonProps) {
  const may = usePermission()
  const navigate = useNavigate()
  if (!may(to)) return null
  const click = () => (href ? navigate(href) : onClick?.())
  return <LockButton {...props} authority-type={to.permit} type={primary ? 'primary' : 'default'} onClick={click} />
}
