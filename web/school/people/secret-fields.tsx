import { Form, Input } from 'antd'
import { useState, type ReactElement } from 'react'
import { isMasked } from '../../../contract/school/people/people.fields.ts'
import { Field, type FieldProps } from '../../core/form/form-field.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import './people.css'

/**
 * A sensitive field of a form. It arrives masked, and sent back as it was shown, what is stored stays; only who presses
 * 修改 gets an empty field to fill in anew, and may still change their mind.
 */
export function SecretField({
  name,
  span = 6,
  help,
  children,
}: Pick<FieldProps, 'span' | 'help'> & { name: string; children: (props: FieldProps) => ReactElement }) {
  const form = Form.useFormInstance()
  const setField = useSetField()
  const value = Form.useWatch<string | null | undefined>(name, form)
  const [kept, setKept] = useState<string>()
  if (value && isMasked(value)) {
    return (
      <Field name={name} span={span} help="已填写，内容不显示；不修改则保持不变">
        <MaskedInput onAnew={() => setKept(value)} />
      </Field>
    )
  }
  const restore = kept && (
    <button type="button" className="person-link" onClick={() => setField(name, kept)}>
      保留原内容
    </button>
  )
  return children({
    name,
    span,
    help: restore ? (
      <>
        {help ? <>{help}；</> : null}
        {restore}
      </>
    ) : (
      help
    ),
  })
}

function MaskedInput({
  id,
  value,
  onChange,
  onAnew,
}: {
  id?: string
  value?: string
  onChange?: (value: undefined) => void
  onAnew: () => void
}) {
  const anew = () => {
    onAnew()
    onChange?.(undefined)
  }
  return (
    <Input
      {...(id && { id })}
      value={value ?? ''}
      readOnly
      variant="filled"
      suffix={
        <button type="button" className="person-link" onClick={anew}>
          修改
        </button>
      }
    />
  )
}
