import { useId, useState, type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { useClickLock } from '../core/service/use-click-lock.ts'

type InputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: string
  value: string
  onValue: (value: string) => void
  error?: string | undefined
  help?: string | undefined
}

/** A labelled line of the pages before the sign-in, with its fault or help underneath. */
export function Line({ label, value, onValue, error, help, ...input }: InputProps) {
  const id = useId()
  return (
    <div className="line">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        {...input}
      />
      <p id={`${id}-note`} className={error ? 'line-error' : 'line-help'} aria-live="polite">
        {error ?? help}
      </p>
    </div>
  )
}

/** A password line that can be shown, and that warns while Caps Lock is on. */
export function PasswordLine({ help, ...props }: InputProps) {
  const [visible, setVisible] = useState(false)
  const [caps, setCaps] = useState(false)
  const watch = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <div className="password-line">
      <Line
        {...props}
        type={visible ? 'text' : 'password'}
        help={caps ? '大写锁定已开启' : help}
        onKeyDown={watch}
        onKeyUp={watch}
      />
      <button
        type="button"
        className="eye"
        aria-label={visible ? '隐藏密码' : '显示密码'}
        aria-pressed={visible}
        onClick={() => setVisible(!visible)}
      >
        {visible ? '隐藏' : '显示'}
      </button>
    </div>
  )
}

/** The button that sends a form: not twice within a second, nor while what it sent is under way. */
export function SubmitButton({ isWaiting, children }: { isWaiting: boolean; children: ReactNode }) {
  const { isLocked, lock } = useClickLock()
  const click = (event: MouseEvent) => (isLocked ? event.preventDefault() : lock())
  return (
    <button type="submit" className="submit" disabled={isWaiting} aria-disabled={isLocked || undefined} onClick={click}>
      {children}
    </button>
  )
}
