import { Form, type FormProps } from 'antd'
import { createContext, use, useId, type ReactNode } from 'react'
import type { FieldName } from './form-core.tsx'

type Values = Record<string, unknown>
type ScreenFormProps<V> = Omit<FormProps<V>, 'children'> & { children?: ReactNode }

const ChangedContext = createContext<((changed: never, values: never) => void) | undefined>(undefined)

/** antd's form with ids of its own for its fields: other tabs and dialogs in the document have fields of the same names, and a label must not lead to theirs. */
export function ScreenForm<V>({ children, ...props }: ScreenFormProps<V>) {
  return (
    <Form<V> name={useId()} {...props}>
      <ChangedContext value={props.onValuesChange}>{children}</ChangedContext>
    </Form>
  )
}

/** Sets a field as if the person had typed it: the form has something to lose by it, keeps it as a draft and checks it again. */
export function useSetField(): (name: FieldName, value: unknown) => void {
  const form = Form.useFormInstance<Values>()
  const changed = use(ChangedContext)
  return (name, value) => {
    const top = Array.isArray(name) ? name[0]! : name
    form.setFieldValue(name as never, value as never)
    changed?.({ [top]: form.getFieldValue(top as never) as unknown } as never, form.getFieldsValue(true) as never)
  }
}
