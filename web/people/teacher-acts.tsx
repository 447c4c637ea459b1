import { useState } from 'react'
import { passwordApi, type InitialPassword } from '../../contract/people/passwords.calls.ts'
import { teacherApi, type TeacherRow } from '../../contract/people/teachers.calls.ts'
import { actOn } from '../core/action.tsx'
import { TextField } from '../core/fields.tsx'
import { InitialPasswordDialog } from './initial-password.tsx'

export const teacherPaths = {
  list: '/personnelAdmin/teacherAdmin',
  add: '/personnelAdmin/teacherAdmin/add',
  edit: (suId: string) => `/personnelAdmin/teacherAdmin/edit?id=${suId}`,
  detail: (suId: string) => `/personnelAdmin/teacherAdmin/detail?id=${suId}`,
}

/** What list and detail have in common of a teacher. */
export type AnyTeacher = Pick<TeacherRow, 'suId' | 'suiName' | 'suiNumber' | 'can'>
const act = actOn<AnyTeacher>()

const edit = act.link({ label: '编辑', call: teacherApi.save, fits: ({ can }) => can.includes('edit'), href: ({ suId }) => teacherPaths.edit(suId) })

/** The acts on teachers, and the dialog in which a reset shows its password. */
export function useTeacherActs(onRemoved?: () => void) {
  const [given, setGiven] = useState<InitialPassword>()
  const reset = act({
    label: '重置密码', call: passwordApi.resetTeacher, unit: '名教师', fits: ({ can }) => can.includes('resetPwd'),
    confirm: '将生成一次性密码，并退出其已有的登录。',
    ask: <TextField name="reason" help="可以不填，记入操作日志" />,
    input: ([one], { reason }) => ({ suId: one!.suId, ...(reason ? { reason: String(reason) } : {}) }),
    doneText: () => '已生成一次性密码',
    after: setGiven,
  })
  const remove = act({
    label: '删除', call: teacherApi.remove, isDanger: true, unit: '名教师', fits: ({ can }) => can.includes('delete'),
    confirm: '删除后账号即时停用、工号可重新使用；已有课程、审批记录的教师不能删除。',
    input: (rows) => ({ ids: rows.map(({ suId }) => suId) }),
    after: () => onRemoved?.(),
  })
  const dialog = given && <InitialPasswordDialog given={given} onClose={() => setGiven(undefined)} />
  return { edit, reset, remove, dialog }
}
