import { Input, type InputProps } from 'antd'

/**
 * A code of the second factor, or a recovery code: typed anew each time, offered by the browser where it can read it.
 */
export function CodeInput(props: InputProps) {
  return <Input autoFocus placeholder="6 位数字，或一个恢复码" autoComplete="one-time-code" maxLength={20} {...props} />
}
