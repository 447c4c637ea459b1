import { Form, type FormProps } from 'antd'
import { useId, type ReactNode } from 'react'

type ScreenFormProps<V> = Omit<FormProps<V>, 'children'> & { children?: ReactNode }

/** antd's form with ids of its own for its fields: other tabs and dialogs in the document have fields of the same names, and a label must not lead to theirs. */
export function ScreenForm<V>({ children, ...props }: ScreenFormProps<V>) {
  return <Form<V> name={useId()} {...props}>{children}</Form>
}
