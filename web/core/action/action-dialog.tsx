import { nestQuotes, quoted } from '../../../contract/core/quotes.ts'
import { Form, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { LockButton } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { fitting, needsQuestion, questionOf, type SendAction } from './action.tsx'
import { useDiscardQuestion } from '../screen/discard-question.tsx'
import { FormScope, showFaults, useFormCheck } from '../form/form-field.tsx'
import { notify } from '../service/notice.tsx'
import type { BatchResult, RefusedItem } from '../../../contract/core/batch-result.ts'
import { ScopedForm } from '../form/scoped-form.tsx'
import { createStore, useStore } from '../service/store.ts'
import { refreshAll } from '../service/use-call.ts'
import { ApiError } from '../service/wire.ts'
import { actOnAll, forAllOf, isAllChanged, useAllOfList, type AllOfList, type AllRows } from '../service/background.ts'
import { undoMinutes } from '../../../contract/platform/background/background.calls.ts'
import { figure } from '../service/figure.ts'

type Shown =
  | {
      what: 'ask'
      id: number
      act: SendAction<unknown>
      rows: readonly unknown[]
      skipped: number
      nameOf: (row: unknown) => string
      /** Where all rows are meant that fit a list's filters; `rows` are then those of the page. */
      all?: AllOfList
    }
  | {
      what: 'failed'
      id: number
      label: string
      failed: RefusedItem[]
      affected: number
      /** Takes back what was done to the others, where that can be done, and for how many seconds. */
      undo?: { run: () => void; count: number; seconds: number | undefined } | undefined
    }

const shown = createStore<Shown | undefined>(undefined)
let nextId = 1

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

/** Starts an action on all rows that fit a list's filters: tells how many they are and what follows, then begins. */
export function startOnAll<R>(act: SendAction<R>, all: AllOfList, rows: readonly R[]): void {
  show({
    what: 'ask',
    id: nextId++,
    act: act as SendAction<unknown>,
    rows,
    skipped: 0,
    nameOf: () => '',
    all,
  })
}

/** The dialogs of actions; stands once in the shell. */
export function ActionDialogs() {
  const now = useStore(shown)
  if (now?.what === 'ask') return <AskDialog key={now.id} {...now} />
  if (now?.what === 'failed') return <FailedDialog key={now.id} {...now} />
  return null
}

function AskDialog({ id, act, rows, skipped, nameOf, all: asked }: Extract<Shown, { what: 'ask' }>) {
  const all = useAllOfList(asked)
  const [form] = Form.useForm<Record<string, unknown>>()
  const [isSending, setSending] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const [isTyped, setTyped] = useState(false)
  const [askFirst, discardQuestion] = useDiscardQuestion(isTyped)
  const { question, consequence } = all ? questionOnAll(act, all) : questionOf(act, rows, nameOf)
  const recheck = useFormCheck(form)
  const submit = async () => {
    try {
      if (act.ask) await form.validateFields()
    } catch {
      return
    }
    setSending(true)
    try {
      const given = act.ask ? (form.getFieldsValue(true) as Record<string, unknown>) : act.given
      await (all ? actOnAll(all, act.call, act.label, act.inputOf(rows, given)) : perform(act, rows, given, nameOf))
      setOpen(false)
    } catch (error) {
      const isPlaced = act.ask && error instanceof ApiError && showFaults(form, error.faults)
      // what was typed is kept after a refusal: it may be tried again once the reason is gone, or taken elsewhere;
      // where there are only more or fewer rows than it said, the question says so now and is asked again
      if (
        !isAllChanged(error) &&
        !isTyped &&
        (!act.ask || (error instanceof ApiError && error.kind === 'refused' && !isPlaced))
      )
        setOpen(false)
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog
      open={isOpen}
      title={act.label}
      okText={act.label}
      cancelText="取消"
      okButtonProps={{ danger: act.isDanger === true, autoFocus: !act.ask }}
      confirmLoading={isSending}
      to={act.call}
      onOk={() => void submit()}
      onCancel={() => askFirst(() => setOpen(false))}
      mask={{ closable: !isTyped }}
      afterOpenChange={(isShown) =>
        isShown && act.ask && document.querySelector<HTMLElement>('.ant-modal .form-grid :is(textarea, input)')?.focus()
      }
      afterClose={() => closeQuestion(id)}
      width={460}
      destroyOnHidden
    >
      <p className="ask-question">
        {nestQuotes(question)}
        {consequence}
      </p>
      {!all && act.note?.(rows)}
      {all && <p className="ask-skipped">{consequenceOnAll(act, all)}</p>}
      {!all && rows.length > 1 && <p className="ask-names">{namesOf(rows.map(nameOf))}</p>}
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
    </Dialog>
  )
}

function FailedDialog({ label, failed, affected, undo }: Extract<Shown, { what: 'failed' }>) {
  const [isLate, setLate] = useState(false)
  const seconds = undo?.seconds
  useEffect(() => {
    if (seconds === undefined) return
    const timer = setTimeout(() => setLate(true), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return (
    <Modal
      open
      title={`${label}结果`}
      footer={
        undo && !isLate ? (
          <LockButton onClick={() => (show(undefined), undo.run())}>撤销成功的 {figure(undo.count)} 项</LockButton>
        ) : null
      }
      onCancel={() => show(undefined)}
      width={520}
    >
      <p className="ask-question">
        成功 {figure(affected)} 项，被拒绝 {figure(failed.length)} 项：
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

/** The question before an action on all: the number is that which the service is held to. */
const questionOnAll = <R,>(act: SendAction<R>, { total }: AllRows) => ({
  question: `确认对符合当前筛选条件的全部 ${figure(total)} ${act.unit}进行${quoted(act.label)}？`,
  // what depends on the rows is not known of those that the page does not show
  consequence: questionOf(act, [], () => '').consequence,
})

const consequenceOnAll = <R,>(act: SendAction<R>, { list }: AllRows): string =>
  [
    `在后台逐条处理，可随时取消，已处理的不会因此恢复。当前状态不能${act.label}的不处理，原因列在可下载的结果中。`,
    forAllOf(act.call, list)?.undo ? `完成后 ${undoMinutes} 分钟内可以撤销。` : '完成后不能整批撤销。',
  ].join('')

async function perform<R>(
  act: SendAction<R>,
  rows: readonly R[],
  given: Record<string, unknown>,
  nameOf: (row: R) => string,
): Promise<void> {
  try {
    const answer = await act.run(rows, given)
    const { failed = [], affected = 0 } = (answer ?? {}) as Partial<BatchResult>
    if (failed.length > 0) {
      const done = rows.filter((row) => !isAmongRefused(act.inputOf([row], given), failed))
      showFailed(
        act.label,
        failed,
        affected,
        act.undo && done.length > 0
          ? { run: () => void takeBack(act, done, answer), count: done.length, seconds: act.undoSeconds }
          : undefined,
      )
    } else
      notify(
        'success',
        act.doneText(answer, rows),
        act.undo && {
          label: '撤销',
          run: () => void takeBack(act, rows, answer),
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
          ? `${quoted(nameOf(fit[0]!))}可改为${other.label}`
          : `所选 ${fit.length} ${other.unit}可改为${other.label}`,
        { label: other.label, run: () => startAction(other, fit, nameOf) },
      )
    throw error
  } finally {
    void refreshAll()
  }
}

/** Whether one of the refusals is about the row for which this would be sent: it names the row by the id in it. */
const isAmongRefused = (input: Record<string, unknown>, failed: readonly RefusedItem[]): boolean => {
  const sent = Object.values(input).flat()
  return failed.some(({ id }) => sent.includes(id))
}

/** Takes an action back and says so; what cannot be taken back is told row by row. */
async function takeBack<R>(act: SendAction<R>, rows: readonly R[], answer: unknown): Promise<void> {
  try {
    const { failed = [], affected = 0 } = ((await act.undo!(rows, answer)) ?? {}) as Partial<BatchResult>
    if (failed.length > 0) showFailed(`撤销${act.label}`, failed, affected)
    else notify('success', act.undoneText(rows))
  } catch {
    // told already
  } finally {
    void refreshAll()
  }
}

const showFailed = (
  label: string,
  failed: RefusedItem[],
  affected: number,
  undo?: Extract<Shown, { what: 'failed' }>['undo'],
): void => show({ what: 'failed', id: nextId++, label, failed, affected, undo })

const namesOf = (names: string[]): string =>
  names.length > 6 ? `${names.slice(0, 6).join('、')} 等` : names.join('、')

const show = (next: Shown | undefined): void => shown.set(next)

/** Takes a question away, unless another dialog stands in its place already. */
function closeQuestion(id: number): void {
  const now = shown.get()
  if (now?.what === 'ask' && now.id === id) show(undefined)
}
