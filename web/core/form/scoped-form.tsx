import { Form, type FormInstance, type FormProps } from 'antd'
import { createContext, use, useId, type ReactNode } from 'react'
import type { FieldName } from './form-field.tsx'

type Values = Record<string, unknown>
type ScopedFormProps<V> = Omit<FormProps<V>, 'children'> & { children?: ReactNode }

const ChangedContext = createContext<((changed: never, values: never) => void) | undefined>(undefined)

/**
 * antd's form with ids of its own for its fields: other tabs and dialogs in the document have fields of the same names,
 * and a label must not lead to theirs.
 */
export function ScopedForm<V>({ children, ...props }: ScopedFormProps<V>) {
  return (
    <Form<V> name={useId()} {...props}>
      <ChangedContext value={props.onValuesChange}>{children}</ChangedContext>
    </Form>
  )
}

/**
 * Sets a field as if the person had typed it: the form has something to lose by it, keeps it as a draft and checks it
 * again.
 */
export function useSetField(): (name: FieldName, value: unknown) => void {
  const form = Form.useFormInstance<Values>()
  const changed = use(ChangedContext)
  return (name, value) => {
    const top = Array.isArray(name) ? name[0]! : name
    form.setFieldValue(name as never, value as never)
    changed?.({ [top]: form.getFieldValue(top as never) as unknown } as never, form.getFieldsValue(true) as never)
  }
}

/** How much is still on its way into a form, by form. */
const awaited = new WeakMap<FormInstance<Values>, number>()

/**
 * Whether something that belongs into the form, such as a file being uploaded, is still on its way: sent now, it would
 * be missing.
 */
export const isAwaiting = (form: FormInstance<Values>): boolean => (awaited.get(form) ?? 0) > 0

/**
 * Runs work whose result goes into the form: until it is done the form is not sent, and it has something to lose from
 * the start.
 */
export function useAwaited(): <T>(work: Promise<T>) => Promise<T> {
  const form = Form.useFormInstance<Values>()
  const changed = use(ChangedContext)
  return async (work) => {
    awaited.set(form, (awaited.get(form) ?? 0) + 1)
    changed?.({} as never, form.getFieldsValue(true) as never)
    try {
      return await work
    } finally {
      awaited.set(form, awaited.get(form)! - 1)
    }
  }
}
