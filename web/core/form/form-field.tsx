import { Form, type FormInstance } from 'antd'
import { createContext, use, useCallback, type ReactNode } from 'react'
import type { z } from 'zod'
import type { FieldFault } from '../../../contract/core/failure.ts'
import { isEmpty } from '../service/empty.ts'
import { factsOf, faultOf, fieldsOf, rowOf, schemaAt, type FieldFacts } from '../service/schema.ts'

export type FieldName = string | (string | number)[]
type Values = Record<string, unknown>

const ScopeContext = createContext<{ schema: z.ZodType; prefix: readonly (string | number)[] } | undefined>(undefined)

/** Tells the fields inside which schema they belong to. `prefix` is where a repeated group lies: `['sessions', 0]`. */
export function FormScope({
  schema,
  prefix = [],
  children,
}: {
  schema?: z.ZodType
  prefix?: readonly (string | number)[]
  children: ReactNode
}) {
  const outer = use(ScopeContext)
  const scope = { schema: schema ?? outer!.schema, prefix: [...(outer?.prefix ?? []), ...prefix] }
  return <ScopeContext value={scope}>{children}</ScopeContext>
}

export interface FieldProps {
  /** The field's name on the wire; a path for a field inside another. */
  name: FieldName
  /** Where the contract's own label does not fit. */
  label?: string
  /** Columns of twelve; 12 is the whole width. */
  span?: number
  help?: ReactNode
  placeholder?: string
  disabled?: boolean
  /** Marks a field required that the contract leaves open, because this screen cannot do without. */
  required?: boolean
}

/** What the contract says about a field, with the path it has in the form. */
export function useField({ name, label, required }: Pick<FieldProps, 'name' | 'label' | 'required'>): FieldFacts & {
  path: (string | number)[]
  check: (value: unknown) => string | undefined
} {
  const scope = use(ScopeContext)
  const path = [...(scope?.prefix ?? []), ...(Array.isArray(name) ? name : [name])]
  const schema = scope && schemaAt(scope.schema, path)
  const facts = factsOf(schema)
  const isNeeded = required ?? facts.required
  const words = label ?? facts.label
  return {
    ...facts,
    label: words,
    required: isNeeded,
    path,
    check: (value) => {
      const fault = schema ? faultOf(schema, value) : undefined
      return fault ?? (isNeeded && isEmpty(value) ? `${facts.isChoice ? '请选择' : '请填写'}${words}` : undefined)
    },
  }
}

/** A labelled place of a form: mark, rule and limit come from the contract, the control from its child. */
export function Field({
  name,
  label,
  span = 12,
  help,
  required,
  children,
  valuePropName = 'value',
}: FieldProps & { children: ReactNode; valuePropName?: string }) {
  const field = useField({ name, label, required } as FieldProps)
  return (
    <Form.Item
      className={`field span-${span}`}
      label={field.label || undefined}
      name={field.path}
      required={field.required}
      extra={help}
      valuePropName={valuePropName}
      rules={[{ validator: (_, value) => rejectWith(field.check(value)) }]}
    >
      {children}
    </Form.Item>
  )
}

export const rejectWith = (fault: string | undefined): Promise<void> =>
  fault ? Promise.reject(new Error(fault)) : Promise.resolve()

/** Puts faults on their fields and moves to the first. True when at least one fault found its field. */
export function showFaults(form: FormInstance, faults: readonly FieldFault[]): boolean {
  const known = new Set(form.getFieldsError().map(({ name }) => name.join('.')))
  const placed = faults
    .map(({ field, msg }) => ({ path: nearest(field, known), field, msg }))
    .filter(({ path }) => path !== undefined)
  form.setFields(
    placed.map(({ path, field, msg }) => ({
      name: toPath(path!) as never,
      errors: [rowOf(toPath(field.slice(path!.length + 1))) + msg],
    })),
  )
  focusFirstFault(form)
  return placed.length > 0
}

/** The field itself, or the one that holds it: a fault in a list without own fields stands on the list. */
function nearest(field: string, known: ReadonlySet<string>): string | undefined {
  for (let path = field; path; path = path.slice(0, Math.max(0, path.lastIndexOf('.'))))
    if (known.has(path)) return path
  return undefined
}

const toPath = (field: string): (string | number)[] =>
  field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

/** Scrolls to the first field with a fault and puts the cursor into it. */
export function focusFirstFault(form: FormInstance): void {
  setTimeout(() => {
    const first = form.getFieldsError().find(({ errors }) => errors.length > 0)
    if (first) scrollTo(form, first.name)
  })
}

/** Scrolls to a field, `sessions.0.startTime`, and puts the cursor into it. */
export const focusField = (form: FormInstance, field: string): void => scrollTo(form, toPath(field))

/** Opens the shut parts, of the form in sight, that hold one of these fields. */
export function openSectionsOf(names: readonly string[]): void {
  const holds = new RegExp(`_(${names.join('|')})(_|$)`)
  for (const shut of document.querySelectorAll<HTMLDetailsElement>('details.form-fold:not([open])'))
    if (shut.offsetParent && [...shut.querySelectorAll('[id]')].some(({ id }) => holds.test(id))) shut.open = true
}

function scrollTo(form: FormInstance, name: readonly (string | number)[]): void {
  const scroll = () => {
    form.scrollToField(name as never, { block: 'center', behavior: 'smooth', focus: true })
    // the kit focuses only fields that hand it a reference; the others have their id at least
    const fields = document.querySelectorAll<HTMLElement>(`[id$="_${CSS.escape(name.join('_'))}"]`)
    const field = [...fields].find((one) => one.offsetParent !== null)
    if (!field?.contains(document.activeElement)) field?.focus({ preventScroll: true })
  }
  // a part of the form that is shut cannot be scrolled to: those with a fault are opened, once the faults are drawn
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      for (const shut of document.querySelectorAll<HTMLDetailsElement>('details.form-fold:not([open])'))
        if (shut.querySelector('.ant-form-item-has-error')) shut.open = true
      scroll()
    }),
  )
}

/** Checks a field with a fault again as soon as it changes, so that the fault goes when it is mended. */
export function useFormCheck(form: FormInstance): (changed: Values) => void {
  return useCallback(
    (changed) => {
      const faulty = form.getFieldsError().filter(({ name, errors }) => errors.length > 0 && String(name[0]) in changed)
      if (faulty.length > 0) void form.validateFields(faulty.map(({ name }) => name) as never).catch(() => undefined)
    },
    [form],
  )
}

/** The values a call takes: what its schema does not know is left out, so that a record as read can be sent back. */
export function knownValues(schema: z.ZodType, values: Values): Values {
  const fields = fieldsOf(schema)
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in fields))
}

/** Every fault of a whole input, as the service would tell it; empty values count as not given. */
export function faultsOf(schema: z.ZodType, input: Values): FieldFault[] {
  const result = schema.safeParse(prune(input))
  return result.success
    ? []
    : result.error.issues.map((issue) => ({ field: issue.path.map(String).join('.'), msg: issue.message }))
}

/** What the service does before it checks: empty texts and nulls go, lists stay. */
function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => Array.isArray(item) || !isEmpty(item))
      .map(([key, item]) => [key, prune(item)]),
  )
}
