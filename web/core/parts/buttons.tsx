import { Button, type ButtonProps } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Call } from '../../../contract/core/call.ts'
import { usePermission } from '../service/rights.ts'

/** How long a clicked button stays locked against a second click, in milliseconds. */
const lockTime = 1000

/**
 * A button that cannot be clicked twice within a second, nor while its work runs. It keeps the focus meanwhile: a
 * dialog that it opened and that is closed at once gives the focus back to it.
 */
export function LockButton({
  onClick,
  disabled,
  ...props
}: Omit<ButtonProps, 'onClick'> & { onClick?: () => unknown }) {
  const [isLocked, setLocked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // a tab put behind ends its effects: the button must not still be locked when the tab comes forward
    setLocked(false)
    return () => clearTimeout(timer.current)
  }, [])
  const click = () => {
    if (isLocked) return
    setLocked(true)
    timer.current = setTimeout(() => setLocked(false), lockTime)
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
