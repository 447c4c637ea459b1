import { Form, Modal } from 'antd'
import { useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { fitting, needsQuestion, questionOf, type SendAction } from './action.tsx'
import { useDiscardQuestion } from '../screen/discard-question.tsx'
import { FormScope, showFaults, useFormCheck } from '../form/form-field.tsx'
import { notify } from '../service/notice.tsx'
import type { BatchResult, RefusedItem } from '../../../contract/core/batch-result.ts'
import { ScopedForm } from '../form/scoped-form.tsx'
import { refreshAll } from '../service/use-call.ts'
import { ApiError } from '../service/wire.ts'

type Shown =
  | {
      what: 'ask'
      id: number
      act: SendAction<unknown>
      rows: readonly unknown[]
      skipped: number
      nameOf: (row: unknown) => string
    }
  | { what: 'failed'; label: string; failed: RefusedItem[]; affected: number }

let shown: Shown | undefined
let nextId = 1
const listeners = new Set<() => void>()

/**
 * Starts an action on rows: asks where it must, then sends. Rows that do not fit are left out, and the question says
 * so.
 */
export function startAction<R>(act: SendAction<R>, rows: readonly R[], nameOf: (row: R) => string): void {
  const fit = fitting(act, rows)
  if (fit.length === 0) return notify('warning', `所选记录当前不能${act.label}`)
  if (needsQuestion(act, fit))
    show({
      what: 'ask',
      id: nextId++,
      act: act as SendAction<unknown>,
      rows: fit,
      skipped: rows.length - fit.length,
      nameOf: nameOf as (row: unknown) => string,
    })
  else perform(act, fit, act.given, nameOf).catch(() => undefined)
}

/** The dialogs of actions; stands once in the shell. */
export function ActionDialogs() {
  const now = useSyncExternalStore(subscribe, () => shown)
  if (now?.what === 'ask') return <AskDialog key={now.id} {...now} />
  if (now?.what === 'failed') return <FailedDialog {...now} />
  return null
}

function AskDialog({ id, act, rows, skipped, nameOf }: Extract<Shown, { what: 'ask' }>) {
  const [form] = Form.useForm<Record<string, unknown>>()
  const [isSending, setSending] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const [isTyped, setTyped] = useState(false)
  const [askFirst, discardQuestion] = useDiscardQuestion(isTyped)
  const { question, consequence } = questionOf(act, rows, nameOf)
  const recheck = useFormCheck(form)
  const submit = async () => {
    try {
      if (act.ask) await form.validateFields()
    } catch {
      return
    }
    setSending(true)
    try {
      await perform(act, rows, act.ask ? form.getFieldsValue(true) : act.given, nameOf)
      setOpen(false)
    } catch (error) {
      const isPlaced = act.ask && error instanceof ApiError && showFaults(form, error.faults)
      // what was typed is kept after a refusal: it may be tried again once the reason is gone, or taken elsewhere
      if (!isTyped && (!act.ask || (error instanceof ApiError && error.kind === 'refused' && !isPlaced))) setOpen(false)
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal
      open={isOpen}
      title={act.label}
      okText={act.label}
      cancelText="取消"
      okButtonProps={{ danger: act.isDanger === true, autoFocus: !act.ask }}
      confirmLoading={isSending}
      onOk={() => void submit()}
      onCancel={() => askFirst(() => setOpen(false))}
      mask={{ closable: !isTyped }}
      afterOpenChange={(isShown) =>
        isShown && act.ask && document.querySelector<HTMLElement>('.ant-modal .form-grid :is(textarea, input)')?.focus()
      }
      afterClose={() => shown?.what === 'ask' && shown.id === id && show(undefined)}
      width={460}
      destroyOnHidden
    >
      <p className="ask-question">
        {question}
        {consequence}
      </p>
      {act.note?.(rows)}
      {rows.length > 1 && <p className="ask-names">{namesOf(rows.map(nameOf))}</p>}
      {skipped > 0 && (
        <p className="ask-skipped">
          另有 {skipped} 项当前状态不能{act.label}，将不处理。
        </p>
      )}
      {act.ask && (
        <ScopedForm
          form={form}
          layout="vertical"
          initialValues={act.given}
          onValuesChange={(changed: Record<string, unknown>) => (setTyped(true), recheck(changed))}
          validateTrigger="onBlur"
          className="form-grid"
        >
          <FormScope schema={act.call.input}>{act.ask}</FormScope>
        </ScopedForm>
      )}
      {discardQuestion}
    </Modal>
  )
}

function FailedDialog({ label, failed, affected }: Extract<Shown, { what: 'failed' }>) {
  return (
    <Modal open title={`${label}结果`} footer={null} onCancel={() => show(undefined)} width={520}>
      <p className="ask-question">
        成功 {affected} 项，未处理 {failed.length} 项：
      </p>
      <ul className="failed-list">
        {failed.map((one) => (
          <li key={one.id}>
            <b>{one.name}</b>
            <span>{one.msg}</span>
          </li>
        ))}
      </ul>
    </Modal>
  )
}

async function perform<R>(
  act: SendAction<R>,
  rows: readonly R[],
  given: Record<string, unknown>,
  nameOf: (row: R) => string,
): Promise<void> {
  try {
    const answer = await act.run(rows, given)
    const { failed = [], affected = 0 } = (answer ?? {}) as Partial<BatchResult>
    if (failed.length > 0) show({ what: 'failed', label: act.label, failed, affected })
    else
      notify(
        'success',
        act.doneText(answer, rows),
        act.undo && {
          label: '撤销',
          run: () => void act.undo!(rows, answer).then(refreshAll, refreshAll),
          ...(act.undoSeconds && { seconds: act.undoSeconds }),
        },
      )
    // what is gone leaves the screen before everything on it is read anew, so that nobody asks for it again
    flushSync(() => act.after(answer, rows))
  } catch (error) {
    const other =
      act.instead && error instanceof ApiError && error.reason === act.instead.reason ? act.instead.act : undefined
    const fit = other ? fitting(other, rows) : []
    if (other && fit.length > 0)
      notify(
        'info',
        fit.length === 1
          ? `“${nameOf(fit[0]!)}”可改为${other.label}`
          : `所选 ${fit.length} ${other.unit}可改为${other.label}`,
        { label: other.label, run: () => startAction(other, fit, nameOf) },
      )
    throw error
  } finally {
    void refreshAll()
  }
}

const namesOf = (names: string[]): string =>
  names.length > 6 ? `${names.slice(0, 6).join('、')} 等` : names.join('、')

function show(next: Shown | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
