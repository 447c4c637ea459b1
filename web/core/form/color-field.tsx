import { Field, type FieldProps } from './form-field.tsx'
import './color-field.css'

/** The colours of charts in their order: what a label or module is given keeps its colour there. */
const chartColors = ['#2458C5', '#E39A2D', '#1C9C8C', '#8A5CC9', '#D9576B', '#5AA2E0', '#7C8A3C', '#6B7A90'] as const

/** A colour, as `#rrggbb`; the chart colours are offered first. */
export function ColorField(props: FieldProps) {
  return (
    <Field {...props}>
      <ColorControl disabled={props.disabled === true} />
    </Field>
  )
}

interface ColorControlProps {
  value?: string | null
  onChange?: (value: string | undefined) => void
  disabled: boolean
  id?: string
}

/** Swatches and the browser's own colour field; the kit's picker would check on every screen. */
function ColorControl({ value, onChange, disabled, id }: ColorControlProps) {
  const chosen = value?.toUpperCase()
  return (
    <div className="color-field">
      {chartColors.map((color) => (
        <button
          key={color}
          type="button"
          style={{ background: color }}
          disabled={disabled}
          aria-label={`颜色 ${color}`}
          aria-pressed={chosen === color}
          onClick={() => onChange?.(color)}
        />
      ))}
      <input
        id={id}
        type="color"
        aria-label="其他颜色"
        title="其他颜色"
        value={value || '#ffffff'}
        disabled={disabled}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <span>{value || '未设置'}</span>
      {value && !disabled && (
        <button type="button" className="row-act" onClick={() => onChange?.(undefined)}>
          清除
        </button>
      )}
    </div>
  )
}

/** The colour of a record before its name; nothing where it has none. */
export function ColorDot({ color }: { color: string }) {
  return color && <span className="color-dot" style={{ background: color }} aria-hidden="true" />
}
