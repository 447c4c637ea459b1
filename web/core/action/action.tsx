import type { ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import type { FailureName } from '../../../contract/core/failure.ts'
import { send } from '../service/api.ts'
import type { AllOfList, AllRows } from '../service/background.ts'

interface Common<R> {
  label: string
  /** The call behind the action: its right decides who sees the button. */
  call: Call
  /** Whether a row is in a state that allows it; usually `row.can.includes('…')`. */
  fits?: (row: R) => boolean
  isDanger?: boolean
}

/** What a screen says of an action that sends something. */
interface SendSpec<R, C extends Call> extends Common<R> {
  call: C
  /** @param given what the person filled in where the action asks for something. */
  input: (rows: readonly R[], given: Record<string, unknown>) => Input<C>
  /** What the rows are called in the question: `个圈子`. */
  unit?: string
  /** The question itself, where the usual one (确认…“名称”？) does not fit. */
  question?: (rows: readonly R[]) => string
  /** The consequence, told after the question. `false` asks nothing where only one row is meant. */
  confirm?: string | false | ((rows: readonly R[]) => string)
  /** What the person should know besides, such as what would be affected; it may look that up. */
  note?: (rows: readonly R[]) => ReactNode
  /** Fields to fill in first, such as a reason; labels and limits come from the call's schema. */
  ask?: ReactNode
  /** Values the asked fields begin with. */
  given?: Record<string, unknown>
  /** The message after success; `…成功` otherwise. */
  doneText?: (answer: Output<C>, rows: readonly R[]) => string
  /** What the screen does after success. State set here is drawn before everything on the screen is read anew. */
  after?: (answer: Output<C>, rows: readonly R[]) => void
  /** Takes the action back; offered for some seconds after success. */
  undo?: (rows: readonly R[], answer: Output<C>) => Promise<unknown>
  /** For how long; eight seconds unless given. */
  undoSeconds?: number
  /** The message after taking it back; `已撤销` unless given. */
  undoneText?: (rows: readonly R[]) => string
  /** What may be done instead where the service refuses for this reason; offered beside the refusal. */
  instead?: { reason: FailureName; act: SendAction<R> }
}

/**
 * An action that sends: shown as row button and batch button alike. The types of its call have been checked when it was
 * made.
 */
export interface SendAction<R> extends Common<R> {
  kind: 'send'
  unit: string
  question: ((rows: readonly R[]) => string) | undefined
  confirm: string | false | undefined | ((rows: readonly R[]) => string)
  note: ((rows: readonly R[]) => ReactNode) | undefined
  ask: ReactNode
  given: Record<string, unknown>
  inputOf: (rows: readonly R[], given: Record<string, unknown>) => Record<string, unknown>
  run: (rows: readonly R[], given: Record<string, unknown>) => Promise<unknown>
  doneText: (answer: unknown, rows: readonly R[]) => string
  after: (answer: unknown, rows: readonly R[]) => void
  undo: ((rows: readonly R[], answer: unknown) => Promise<unknown>) | undefined
  undoSeconds: number | undefined
  undoneText: (rows: readonly R[]) => string
  instead: { reason: FailureName; act: SendAction<R> } | undefined
}

/** An action that leads to another screen. */
interface LinkAction<R> extends Common<R> {
  kind: 'link'
  href: (row: R) => string
}

/** An action the screen does itself, such as opening a dialog. */
export interface OpenAction<R> extends Common<R> {
  kind: 'open'
  onOpen: (rows: readonly R[]) => void
  /** Does it to all rows that fit the list's filters, by a call that can be done so (`forAll`). */
  onAll?: { call: Call; open: (all: AllOfList, rows: readonly R[]) => void }
  /** Does it to all rows that fit the list's filters by itself, such as a file that is made of filters as well. */
  onFilter?: (all: AllRows) => void
}

export type RowAction<R> = SendAction<R> | LinkAction<R> | OpenAction<R>

/**
 * Makes the actions of one kind of row: `const act = actionOn<CircleRow>()`, then `act({ label: '停用', call, input, fits
 * })`, `act.remove({ call, input })`, `act.link({ label: '编辑', call, href })` or `act.open({ label: '授权', call, onOpen
 * })`.
 */
export function actionOn<R>() {
  const make = <C extends Call>({
    unit = '条记录',
    question,
    confirm,
    note,
    ask,
    given = {},
    doneText,
    input,
    after,
    undo,
    undoSeconds,
    undoneText = () => '已撤销',
    instead,
    ...spec
  }: SendSpec<R, C>): SendAction<R> => ({
    ...spec,
    kind: 'send',
    unit,
    question,
    confirm,
    note,
    ask,
    given,
    inputOf: (rows, values) => input(rows, values) as Record<string, unknown>,
    run: (rows, values) => send(spec.call as C, input(rows, values)),
    doneText: (answer, rows) => doneText?.(answer as Output<C>, rows) ?? `${spec.label}成功`,
    after: (answer, rows) => after?.(answer as Output<C>, rows),
    undoSeconds,
    undoneText,
    undo: undo && ((rows, answer) => undo(rows, answer as Output<C>)),
    instead,
  })
  return Object.assign(make, {
    /** 删除: asked about, and offered where the service allows it (`can`). */
    remove: <C extends Call>(spec: Omit<SendSpec<R, C>, 'label' | 'isDanger'>): SendAction<R> =>
      make({
        label: '删除',
        isDanger: true,
        confirm: '删除后不能恢复。',
        fits: (row) => (row as { can?: readonly string[] }).can?.includes('delete') ?? true,
        ...spec,
      }),
    link: (spec: Omit<LinkAction<R>, 'kind'>): LinkAction<R> => ({ ...spec, kind: 'link' }),
    open: (spec: Omit<OpenAction<R>, 'kind'>): OpenAction<R> => ({ ...spec, kind: 'open' }),
  })
}

/** The rows an action can be done to. */
export const fitting = <R,>(act: Common<R>, rows: readonly R[]): R[] => rows.filter((row) => act.fits?.(row) ?? true)

/** The question before an action: it names the object or the number, then the consequence. */
export function questionOf<R>(
  act: SendAction<R>,
  rows: readonly R[],
  nameOf: (row: R) => string,
): { question: string; consequence: string } {
  const what = rows.length === 1 ? quoted(nameOf(rows[0]!)) : `所选 ${rows.length} ${act.unit}`
  const consequence = typeof act.confirm === 'function' ? act.confirm(rows) : act.confirm || ''
  return { question: (rows.length > 0 && act.question?.(rows)) || `确认${act.label}${what}？`, consequence }
}

/** Whether an action is asked about before it is done. */
export const needsQuestion = <R,>(act: SendAction<R>, rows: readonly R[]): boolean =>
  Boolean(act.ask) || rows.length > 1 || (act.confirm !== false && (act.isDanger === true || act.confirm !== undefined))

/** The call by which an action is done to all rows of a list; the action's own unless it says another one. */
export const callForAll = <R,>(act: RowAction<R>): Call | undefined =>
  act.kind === 'send' ? act.call : act.kind === 'open' ? act.onAll?.call : undefined
