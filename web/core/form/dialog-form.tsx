import { useState, type ReactNode } from 'react'
import type { Call, Output } from '../../../contract/core/call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useDiscardQuestion } from '../screen/discard-question.tsx'
import { ReadSkeleton } from '../screen/read-skeleton.tsx'
import { FormScope } from './form-field.tsx'
import { notify } from '../service/notice.tsx'
import { defaultsOf } from '../service/schema.ts'
import { ScopedForm } from './scoped-form.tsx'
import { useRecordForm, type RecordFormOptions, type Values } from './use-record-form.ts'

interface DialogFormProps<C extends Call> extends Omit<RecordFormOptions<C>, 'onDone' | 'draft'> {
  title: string
  isLoading?: boolean
  width?: number
  /** False where there is nothing to send; the dialog says why. */
  canSubmit?: boolean
  submitText?: string
  /** What is sent cannot be taken back: the button says so. */
  isDanger?: boolean
  /** Empty where what sends it says so itself. */
  doneText?: string | ((answer: Output<C>) => string)
  onClose: () => void
  onDone?: RecordFormOptions<C>['onDone']
  children: ReactNode
}

/** A small form over its list, for records of a few fields. Drawn only while open: `{editing && <DialogForm …/>}`. */
export function DialogForm<C extends Call>({
  title,
  isLoading = false,
  canSubmit = true,
  width = 520,
  submitText = '保存',
  isDanger = false,
  doneText = '保存成功',
  onClose,
  onDone,
  children,
  ...options
}: DialogFormProps<C>) {
  const [isOpen, setOpen] = useState(true)
  const form = useRecordForm({
    ...options,
    onDone: (answer, values: Values) => {
      const text = typeof doneText === 'string' ? doneText : doneText(answer)
      if (text) notify('success', text)
      onDone?.(answer, values)
      setOpen(false)
    },
  })
  const [ask, question] = useDiscardQuestion(form.isDirty)
  return (
    <Dialog
      open={isOpen}
      title={title}
      width={width}
      okText={submitText}
      cancelText="取消"
      confirmLoading={form.isSending}
      okButtonProps={{ disabled: isLoading || !canSubmit, danger: isDanger }}
      to={options.call}
      onOk={() => void form.submit()}
      onCancel={() => ask(() => setOpen(false))}
      afterClose={onClose}
      mask={{ closable: !form.isDirty }}
    >
      {isLoading ? (
        <ReadSkeleton />
      ) : (
        <ScopedForm
          form={form.form}
          layout="vertical"
          initialValues={{ ...defaultsOf(options.call.input), ...options.initial }}
          onValuesChange={form.onValuesChange}
          validateTrigger="onBlur"
          className="form-grid dialog-form"
          scrollToFirstError={false}
        >
          <FormScope schema={options.call.input}>{children}</FormScope>
        </ScopedForm>
      )}
      {question}
    </Dialog>
  )
}
