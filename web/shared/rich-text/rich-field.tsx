import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { Field, useField, type FieldProps } from '../../core/form/form-field.tsx'

const RichEditor = lazy(() => import('./rich-editor.tsx').then((file) => ({ default: file.RichEditor })))

/** A rich text in a form. The editor comes in a chunk of its own, which only forms that have such a field load. */
export function RichField({ isShort = false, ...props }: FieldProps & { isShort?: boolean }) {
  const { label, max } = useField(props)
  return (
    <Field {...props}>
      <LazyEditor
        label={label}
        max={max}
        isShort={isShort}
        {...(props.placeholder !== undefined && { placeholder: props.placeholder })}
      />
    </Field>
  )
}

const LazyEditor = (props: {
  label: string
  max: number | undefined
  isShort: boolean
  placeholder?: string
  value?: string
  onChange?: (html: string) => void
  id?: string
}) => (
  <Suspense fallback={<Skeleton active paragraph={{ rows: props.isShort ? 3 : 6 }} />}>
    <RichEditor {...props} />
  </Suspense>
)
