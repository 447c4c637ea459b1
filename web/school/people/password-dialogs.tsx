import { useState, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { passwordApi, type InitialPassword } from '../../../contract/school/people/passwords.calls.ts'
import { AreaField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { InitialPasswordDialog } from './initial-password.tsx'
import './people.css'

interface Person {
  suId: string
  suiName: string
  suiNumber: string
}

/** Resetting passwords: asks what the call wants to know, then shows the one-time password this once. */
export function usePasswordReset(kind: 'student' | 'teacher'): { reset: (person: Person) => void; dialogs: ReactNode } {
  const [person, setPerson] = useState<Person>()
  const [issued, setIssued] = useState<InitialPassword>()
  const common = person && {
    title: '重置密码',
    width: 460,
    submitText: '重置密码',
    doneText: '密码已重置',
    initial: { suId: person.suId },
    onClose: () => setPerson(undefined),
    onDone: (answer: InitialPassword) => setIssued(answer),
  }
  const dialogs = (
    <>
      {common && kind === 'student' && (
        <DialogForm {...common} call={passwordApi.reset}>
          <Warning person={person} />
          <TextField
            name="birth"
            label="出生日期"
            placeholder="如 20050607"
            help="与档案核对，确认是本人；多次不符将暂停重置"
          />
          <AreaField name="reason" rows={2} placeholder="选填，写入操作日志" />
        </DialogForm>
      )}
      {common && kind === 'teacher' && (
        <DialogForm {...common} call={passwordApi.resetTeacher}>
          <Warning person={person} />
          <AreaField name="reason" rows={2} placeholder="选填，写入操作日志" />
        </DialogForm>
      )}
      {issued && <InitialPasswordDialog given={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
  return { reset: setPerson, dialogs }
}

const Warning = ({ person: { suiName, suiNumber } }: { person: Person }) => (
  <p className="dialog-warning">
    确认重置{quoted(`${suiName}（${suiNumber}）`)}的密码？原密码立即失效，已登录的设备将退出。
  </p>
)
