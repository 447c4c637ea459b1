import { useState } from 'react'
import type { InitialPassword } from '../../contract/people/passwords.calls.ts'
import { passwordApi } from '../../contract/people/passwords.calls.ts'
import { studentApi, type StudentRow } from '../../contract/people/students.calls.ts'
import { memberApi } from '../../contract/roles/members.calls.ts'
import { roleApi } from '../../contract/roles/roles.calls.ts'
import { actOn } from '../core/action.tsx'
import { DateField } from '../core/date-fields.tsx'
import { SwitchField, TextField } from '../core/fields.tsx'
import { useCall } from '../core/use-call.ts'
import { InitialPasswordDialog } from './initial-password.tsx'

export const studentPaths = {
  list: '/personnelAdmin/studentAdmin',
  add: '/personnelAdmin/studentAdmin/add',
  edit: (suId: string) => `/personnelAdmin/studentAdmin/edit?id=${suId}`,
  detail: (suId: string) => `/personnelAdmin/studentAdmin/detail?id=${suId}`,
}

/** What list and detail have in common of a student. */
export type AnyStudent = Pick<StudentRow, 'suId' | 'suiName' | 'suiNumber' | 'can'>
const act = actOn<AnyStudent>()

const edit = act.link({ label: '编辑', call: studentApi.save, fits: ({ can }) => can.includes('edit'), href: ({ suId }) => studentPaths.edit(suId) })

/** The acts on students, and the dialog in which a reset shows its password. */
export function useStudentActs(onRemoved?: () => void) {
  const [given, setGiven] = useState<InitialPassword>()
  const { data: roles = [] } = useCall(roleApi.options, {}, { fresh: 300_000 })
  const srId = roles.find(({ srCode }) => srCode === 'LEAGUE_SEC')?.srId
  const reset = act({
    label: '重置密码', call: passwordApi.reset, unit: '名学生', fits: ({ can }) => can.includes('resetPwd'),
    confirm: '将生成一次性密码，并退出其已有的登录。请填写出生日期以核对身份。',
    ask: <><DateField name="birth" /><TextField name="reason" help="可以不填，记入操作日志" /></>,
    input: ([one], { birth, reason }) => ({ suId: one!.suId, birth: String(birth ?? ''), ...(reason ? { reason: String(reason) } : {}) }),
    doneText: () => '已生成一次性密码',
    after: setGiven,
  })
  const appoint = act({
    label: '设为团支书', call: memberApi.appointSecretary, unit: '名学生', fits: ({ can }) => can.includes('edit') && srId !== undefined,
    confirm: '其管理范围为所在班级，每个班级只有一名团支书。',
    ask: <SwitchField name="replace" label="班级已有团支书时，替换为该学生" />,
    given: { replace: '0' },
    input: ([one], { replace }) => ({ srId: srId ?? '', suId: one!.suId, replace: String(replace ?? '0') }),
    doneText: ({ affected }) => (affected === 0 ? '该学生已是本班团支书' : '已设为团支书'),
  })
  const remove = act({
    label: '删除', call: studentApi.remove, isDanger: true, unit: '名学生', fits: ({ can }) => can.includes('delete'),
    confirm: '删除后账号即时停用、学号可重新使用；已有课程、审批或学分记录的学生不能删除。',
    input: (rows) => ({ ids: rows.map(({ suId }) => suId) }),
    after: () => onRemoved?.(),
  })
  const dialog = given && <InitialPasswordDialog given={given} onClose={() => setGiven(undefined)} />
  return { edit, reset, appoint, remove, dialog }
}
