import type { ReactNode } from 'react'
import { passwordApi } from '../../contract/people/passwords.calls.ts'
import { studentApi, type StudentRow } from '../../contract/people/students.calls.ts'
import { transcriptApi } from '../../contract/transcripts/transcripts.calls.ts'
import { actOn, type RowAct } from '../core/action.tsx'
import { accountActs } from './account-acts.tsx'
import { usePasswordReset } from './password-dialogs.tsx'
import { studentPaths } from './people-paths.ts'

/** What an act needs to know of a student; rows and details both tell it. */
export type StudentFacts = Pick<StudentRow, 'suId' | 'suiName' | 'suiNumber' | 'can'>

const act = actOn<StudentFacts>()
const can = (name: StudentRow['can'][number]) => (row: StudentFacts) => row.can.includes(name)

const detail = act.link({ label: '详情', call: studentApi.detail, href: ({ suId }) => studentPaths.detail(suId) })
const edit = act.link({ label: '编辑', call: studentApi.save, fits: can('edit'), href: ({ suId }) => studentPaths.edit(suId) })
const transcript = act.link({ label: '成绩单', call: transcriptApi.header, href: ({ suId }) => studentPaths.transcript(suId) })

/** Removes students without business records. `after` is told when they are gone. */
export const removeStudents = (after?: () => void) =>
  act({
    label: '删除', call: studentApi.remove, isDanger: true, unit: '名学生', fits: can('delete'), confirm: '删除后学生不能登录，且不能恢复；已有课程或学分记录的学生不能删除。',
    input: (rows) => ({ ids: rows.map(({ suId }) => suId) }), doneText: ({ affected }) => `已删除 ${affected} 名学生`, ...(after && { after }),
    instead: { reason: 'person-in-use', act: accountActs('student').disable },
  })

/** Everything that may be done to a student, and the dialogs some of it opens. `onGone` is told when he was removed. */
export function useStudentActs(from: 'list' | 'detail', onGone?: () => void): { acts: RowAct<StudentFacts>[]; dialogs: ReactNode } {
  const { reset, dialogs } = usePasswordReset('student')
  const resetPassword = act.open({ label: '重置密码', call: passwordApi.reset, fits: can('resetPwd'), onOpen: ([row]) => row && reset(row) })
  return { acts: from === 'list' ? [detail, edit, transcript, resetPassword, removeStudents()] : [edit, transcript, resetPassword, removeStudents(onGone)], dialogs }
}
