import { useId, type ReactNode } from 'react'

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  required?: boolean
  /** What is wrong with it, in words. */
  fault?: string | undefined
  help?: ReactNode
}

function Framed({
  id,
  label,
  required,
  fault,
  help,
  children,
}: Pick<FieldProps, 'label' | 'required' | 'fault' | 'help'> & { id: string; children: ReactNode }) {
  return (
    <div className="s-field">
      <label htmlFor={id} className={required ? 's-required' : undefined}>
        {label}
      </label>
      {children}
      {help && <small id={`${id}-help`}>{help}</small>}
      {fault && (
        <p id={`${id}-fault`} className="s-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { help, fault }: Pick<FieldProps, 'help' | 'fault'>) => ({
  'aria-describedby': [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined,
  'aria-invalid': fault ? true : undefined,
})

interface TextProps extends FieldProps {
  type?: 'text' | 'password' | 'date' | 'search' | 'url'
  inputMode?: 'decimal' | 'numeric'
  maxLength?: number
  autoComplete?: string
  placeholder?: string
  max?: string
}

/** One line of text, a day, a number. */
export function TextField({ label, value, onChange, required, fault, help, type = 'text', ...more }: TextProps) {
  const id = useId()
  return (
    <Framed id={id} label={label} required={required ?? false} fault={fault} help={help}>
      <input
        id={id}
        type={type}
        value={value}
        required={required}
        onChange={({ target }) => onChange(target.value)}
        {...described(id, { help, fault })}
        {...more}
      />
    </Framed>
  )
}

/** Several lines of text. */
export function AreaField({
  label,
  value,
  onChange,
  required,
  fault,
  help,
  maxLength,
}: FieldProps & { maxLength?: number }) {
  const id = useId()
  return (
    <Framed id={id} label={label} required={required ?? false} fault={fault} help={help}>
      <textarea
        id={id}
        rows={4}
        value={value}
        maxLength={maxLength}
        onChange={({ target }) => onChange(target.value)}
        {...described(id, { help, fault })}
      />
    </Framed>
  )
}

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

/** One of several; the phone's own picker. */
export function SelectField({
  label,
  value,
  onChange,
  required,
  fault,
  help,
  options,
  placeholder = '请选择',
}: FieldProps & { options: readonly Option[]; placeholder?: string }) {
  const id = useId()
  return (
    <Framed id={id} label={label} required={required ?? false} fault={fault} help={help}>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...described(id, { help, fault })}
      >
        <option value="">{placeholder}</option>
        {options.map((one) => (
          <option key={one.value} value={one.value} disabled={one.disabled}>
            {one.label}
          </option>
        ))}
      </select>
    </Framed>
  )
}
