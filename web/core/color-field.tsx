import { ColorPicker } from 'antd'
import { Field, type FieldProps } from './form-core.tsx'
import './color-field.css'

/** The colours of charts in their order: what a label or module is given keeps its colour there. */
export const chartColors = ['#2458C5', '#E39A2D', '#1C9C8C', '#8A5CC9', '#D9576B', '#5AA2E0', '#7C8A3C', '#6B7A90'] as const

/** A colour, as `#rrggbb`; the chart colours are offered first. */
export function ColorField(props: FieldProps) {
  return <Field {...props}><ColorControl disabled={props.disabled === true} /></Field>
}

function ColorControl({ value, onChange, disabled, id }: { value?: string; onChange?: (value: string | undefined) => void; disabled: boolean; id?: string }) {
  return (
    <span id={id}>
      <ColorPicker
        value={value || null}
        disabled={disabled}
        allowClear
        disabledAlpha={Boolean(value)}
        format="hex"
        showText={(color) => (color.cleared ? '未设置' : color.toHexString())}
        presets={[{ label: '图表色', colors: [...chartColors] }]}
        onChangeComplete={(color) => onChange?.(color.cleared ? undefined : color.toHexString().slice(0, 7))}
        onClear={() => onChange?.(undefined)}
      />
    </span>
  )
}

/** The colour of a record before its name; nothing where it has none. */
export function ColorDot({ color }: { color: string }) {
  return color && <span className="color-dot" style={{ background: color }} aria-hidden="true" />
}
