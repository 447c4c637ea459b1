import { Input, type InputProps } from 'antd'

interface NumberInputProps extends Omit<InputProps, 'value' | 'onChange' | 'type'> {
  value?: string | number | null
  onChange?: (value: string) => void
  /** Digits after the point; none unless given. */
  decimals?: number
  /** The unit shown at the end: 人, 学时. */
  unit?: string
}

/** Takes digits only: whatever else is typed or pasted is stripped at once. The value is text, as on the wire. */
export function NumberInput({ value, onChange, decimals = 0, unit, ...props }: NumberInputProps) {
  return (
    <Input
      {...props}
      value={value ?? ''}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      suffix={unit}
      onChange={(event) => onChange?.(digitsOf(event.target.value, decimals))}
      className="number-input"
    />
  )
}

/**
 * What remains of a text as a number: its digits, full-width ones included, and one point where decimals are wanted.
 */
export function digitsOf(text: string, decimals: number): string {
  const plain = text.replace(/[０-９．。]/g, (sign) =>
    sign === '．' || sign === '。' ? '.' : String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  )
  if (decimals === 0) return plain.replace(/\D/g, '')
  const [whole = '', ...rest] = plain.replace(/[^\d.]/g, '').split('.')
  return rest.length > 0 ? `${whole}.${rest.join('').slice(0, decimals)}` : whole
}
