import { hashKey } from '@tanstack/react-query'
import { Form, type FormInstance } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { download, send } from '../service/api.ts'
import { changesOf, clearDraft, keepDraft } from '../service/draft.ts'
import { faultsOf, focusFirstFault, knownValues, showFaults, useFormCheck } from './form-field.tsx'
import { notify } from '../service/notice.tsx'
import { defaultsOf } from '../service/schema.ts'
import { isAwaiting } from './scoped-form.tsx'
import { useDirty } from '../service/tab.ts'
import { refreshAll } from '../service/use-call.ts'
import { ApiError } from '../service/wire.ts'

export type Values = Record<string, unknown>

export interface RecordFormOptions<C extends Call> {
  call: C
  /** The record being edited; undefined while it is still being read. */
  initial?: Values | undefined
  /** Turns the form's values into the call's input; by default the fields the call knows. */
  input?: ((values: Values) => Input<C>) | undefined
  /** Name under which unsent work is kept on this machine; without it nothing is kept. */
  draft?: string | undefined
  /** Fields that are never kept on this machine, such as papers. */
  draftWithout?: readonly string[] | undefined
  /** Sends what passed the checks in another way than by the call itself. */
  sendAs?: ((input: Input<C>) => Promise<Output<C> | undefined>) | undefined
  /** Asked before sending what passed the checks; false holds it back. */
  confirm?: ((input: Input<C>) => Promise<boolean>) | undefined
  onDone: (answer: Output<C>, values: Values) => void
  /** Told why the service did not take it, after the person has been told; for what a message cannot do. */
  onFailed?: ((error: ApiError) => void) | undefined
}

export interface RecordFormState {
  form: FormInstance<Values>
  isSending: boolean
  isDirty: boolean
  /** Checks and sends; `more` is added to the input (the button that was pressed, for instance). */
  submit: (more?: Values) => Promise<void>
  onValuesChange: (changed: Values) => void
  /** Takes a draft over into the form; it is sent as an edit of the record as it was read now. */
  fill: (values: Values) => void
  /** Puts everything back to the record as it was read. */
  reset: () => void
  /** Forgets the draft of what was typed, for who gives it up; one that nobody has taken up yet stays. */
  discard: () => void
}

/** The life of a form: filled from a record, kept as a draft, checked by the contract, sent, and told its faults. */
export function useRecordForm<C extends Call>({
  call,
  initial,
  input,
  draft,
  draftWithout = [],
  sendAs,
  confirm,
  onDone,
  onFailed,
}: RecordFormOptions<C>): RecordFormState {
  const [form] = Form.useForm<Values>()
  const [isSending, setSending] = useState(false)
  const [isDirty, setIsDirty] = useState(false)
  const isTyped = useRef(false)
  const filledWith = useRef<string>(undefined)
  const recheck = useFormCheck(form)
  const setDirty = (is: boolean) => {
    isTyped.current = is
    setIsDirty(is)
  }

  useEffect(() => {
    // read again, or run again because its tab came to the front: what was typed meanwhile stays
    const content = initial && hashKey([initial])
    if (!initial || isTyped.current || content === filledWith.current) return
    filledWith.current = content
    form.setFieldsValue(initial)
  }, [form, initial])
  const nothingToLose = useDirty(isDirty, !draft ? 'lost' : draftWithout.length > 0 ? 'partlyKept' : 'kept')

  const keep = () => {
    if (!draft) return
    keepDraft(draft, () => {
      const kept = (all: Values) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => !draftWithout.includes(name)))
      return changesOf(kept(form.getFieldsValue(true) as Values), kept({ ...defaultsOf(call.input), ...initial }))
    })
  }
  // with the version it was typed over, the service would refuse it for ever once somebody else has saved
  const fill = ({ version: _, ...values }: Values) => {
    // one by one: taken together, what is within a value would be merged with what stands there
    for (const [name, value] of Object.entries(values)) form.setFieldValue(name, value ?? undefined)
    setDirty(true)
    // with what was typed before it was taken up, which had taken its place on this machine
    keep()
  }
  const reset = () => {
    form.resetFields()
    if (initial) form.setFieldsValue(initial)
    setDirty(false)
  }
  const submit = async (more: Values = {}) => {
    if (isAwaiting(form)) return notify('warning', '文件正在上传，请等上传完成后再试')
    try {
      await form.validateFields()
    } catch {
      return focusFirstFault(form)
    }
    const values: Values = { ...initial, ...form.getFieldsValue(true), ...more }
    const wanted = (input ? input(values) : knownValues(call.input, values)) as Input<C>
    const faults = faultsOf(call.input, wanted as Values)
    if (faults.length > 0) {
      if (!showFaults(form, faults)) notify('warning', faults[0]!.msg)
      return
    }
    if (confirm && !(await confirm(wanted))) return
    setSending(true)
    try {
      // a file goes to where the browser keeps files; what is done then is told its name
      const answer = (
        sendAs ? await sendAs(wanted) : call.gives === 'file' ? await download(call, wanted) : await send(call, wanted)
      ) as Output<C>
      if (draft) clearDraft(draft)
      setDirty(false)
      nothingToLose()
      onDone(answer, values)
      void refreshAll()
    } catch (error) {
      if (error instanceof ApiError) {
        showFaults(form, error.faults)
        onFailed?.(error)
      }
    } finally {
      setSending(false)
    }
  }
  const onValuesChange = (changed: Values) => {
    setDirty(true)
    recheck(changed)
    keep()
  }
  const discard = () => {
    if (draft && isDirty) clearDraft(draft)
  }
  return { form, isSending, isDirty, submit, onValuesChange, fill, reset, discard }
}
