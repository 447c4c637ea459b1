import type { ReactNode } from 'react'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { teacherApi, type TeacherRow } from '../../../contract/school/people/teachers.calls.ts'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { accountActions } from './account-actions.tsx'
import { usePersonErasure } from './erase-person.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { usePasswordReset } from './password-dialogs.tsx'
import { teacherPaths } from './people-paths.ts'
import { figure } from '../../core/service/figure.ts'

/** What an action needs to know of a member of staff; rows and details both tell it. */
export type TeacherFacts = Pick<TeacherRow, 'suId' | 'suiName' | 'suiNumber' | 'can'>

const action = actionOn<TeacherFacts>()
const can = (name: TeacherRow['can'][number]) => (row: TeacherFacts) => row.can.includes(name)

const detail = action.link({ label: '详情', call: teacherApi.detail, href: ({ suId }) => teacherPaths.detail(suId) })
const edit = action.link({
  label: '编辑',
  call: teacherApi.save,
  fits: can('edit'),
  href: ({ suId }) => teacherPaths.edit(suId),
})

const access = action.link({ label: '权限说明', call: accessApi.view, href: ({ suId }) => rolePaths.access(suId) })

/** Removes staff without business records. `after` is told when they are gone. */
export const removeTeachers = (after?: () => void) =>
  action.remove({
    call: teacherApi.remove,
    unit: '名教师',
    confirm: '删除后教师不能登录，且不能恢复；已有课程或审批记录的教师不能删除。',
    input: (rows) => ({ ids: rows.map(({ suId }) => suId) }),
    doneText: ({ affected }) => `已删除 ${figure(affected)} 名教师`,
    ...(after && { after }),
    instead: { reason: 'person-in-use', act: accountActions('teacher').disable },
  })

/**
 * Everything that may be done to a member of staff, and the dialogs some of it opens. `onGone` is told when they were
 * removed.
 */
export function useTeacherActions(
  from: 'list' | 'detail',
  onGone?: () => void,
): { acts: RowAction<TeacherFacts>[]; dialogs: ReactNode } {
  const { reset, dialogs } = usePasswordReset('teacher')
  const { erase, dialog } = usePersonErasure('teacher')
  const resetPassword = action.open({
    label: '重置密码',
    call: passwordApi.resetTeacher,
    fits: can('resetPwd'),
    onOpen: ([row]) => row && reset(row),
  })
  return {
    acts:
      from === 'list'
        ? [detail, edit, resetPassword, access, removeTeachers()]
        : [edit, resetPassword, access, erase, removeTeachers(onGone)],
    dialogs: (
      <>
        {dialogs}
        {dialog}
      </>
    ),
  }
}
