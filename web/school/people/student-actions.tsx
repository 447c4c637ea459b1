import { useState, type ReactNode } from 'react'
import { noShowApi } from '../../../contract/programme/lessons/no-shows.calls.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { studentApi, type StudentRow } from '../../../contract/school/people/students.calls.ts'
import { activationApi } from '../../../contract/school/session/activation.calls.ts'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { accountActions } from './account-actions.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { ScoreExportDialog } from '../../shared/transcripts/score-export.tsx'
import { ActivationSlipsDialog } from './activation-slips.tsx'
import { BatchPasswordDialog } from './batch-passwords.tsx'
import { NoShowsDrawer } from './no-shows-drawer.tsx'
import { adjustCredibility } from './credibility-actions.tsx'
import { usePasswordReset } from './password-dialogs.tsx'
import { studentPaths } from './people-paths.ts'

/** What an action needs to know of a student; rows and details both tell it. */
export type StudentFacts = Pick<StudentRow, 'suId' | 'suiName' | 'suiNumber' | 'can'>

const action = actionOn<StudentFacts>()
const can = (name: StudentRow['can'][number]) => (row: StudentFacts) => row.can.includes(name)

const detail = action.link({ label: '详情', call: studentApi.detail, href: ({ suId }) => studentPaths.detail(suId) })
const edit = action.link({
  label: '编辑',
  call: studentApi.save,
  fits: can('edit'),
  href: ({ suId }) => studentPaths.edit(suId),
})
const transcript = action.link({
  label: '成绩单',
  call: transcriptApi.header,
  href: ({ suId }) => studentPaths.transcript(suId),
})

const access = action.link({ label: '权限说明', call: accessApi.view, href: ({ suId }) => rolePaths.access(suId) })

/** Has nothing of some graduates erased, whatever the school's years say. */
const holdData = action({
  label: '保留信息',
  call: graduationApi.hold,
  question: (rows) => `保留所选 ${rows.length} 名学生的信息？`,
  confirm: () => '毕业后到期也不删除、不匿名，直到在“毕业办理 → 信息保留”中取消。',
  ask: <AreaField name="reason" rows={2} placeholder="原因，不少于 5 个字" />,
  input: (rows, { reason }) => ({ ids: rows.map(({ suId }) => suId), hold: true, reason: reason as string }),
  doneText: ({ affected }) => `已保留 ${affected} 名学生的信息`,
})

/** Removes students without business records. `after` is told when they are gone. */
export const removeStudents = (after?: () => void) =>
  action.remove({
    call: studentApi.remove,
    unit: '名学生',
    confirm: '删除后学生不能登录，且不能恢复；已有课程或学分记录的学生不能删除。',
    input: (rows) => ({ ids: rows.map(({ suId }) => suId) }),
    doneText: ({ affected }) => `已删除 ${affected} 名学生`,
    ...(after && { after }),
    instead: { reason: 'person-in-use', act: accountActions('student').disable },
  })

/**
 * Everything that may be done to a student, and the dialogs some of it opens. `onGone` is told when they were removed.
 */
export function useStudentActions(
  from: 'list' | 'detail',
  onGone?: () => void,
): { acts: RowAction<StudentFacts>[]; batch: RowAction<StudentFacts>[]; dialogs: ReactNode } {
  const password = usePasswordReset('student')
  const [broken, setBroken] = useState<StudentFacts>()
  const [batch, setBatch] = useState<{ what: 'passwords' | 'scores' | 'slips'; rows: readonly StudentFacts[] }>()
  const closeBatch = () => setBatch(undefined)
  const suIds = batch?.rows.map(({ suId }) => suId) ?? []
  const resetPassword = action.open({
    label: '重置密码',
    call: passwordApi.reset,
    fits: can('resetPwd'),
    onOpen: ([row]) => row && password.reset(row),
  })
  const breakLessons = action.open({ label: '爽约记录', call: noShowApi.list, onOpen: ([row]) => setBroken(row) })
  return {
    acts:
      from === 'list'
        ? [detail, edit, transcript, adjustCredibility, breakLessons, resetPassword, access, removeStudents()]
        : [edit, transcript, resetPassword, adjustCredibility, access, removeStudents(onGone)],
    batch: [
      adjustCredibility,
      action.open({
        label: '导出成绩',
        call: scoreExportApi.export,
        onOpen: (rows) => setBatch({ what: 'scores', rows }),
      }),
      action.open({
        label: '重置密码',
        call: passwordApi.resetMany,
        fits: can('resetPwd'),
        onOpen: (rows) => setBatch({ what: 'passwords', rows: rows.filter(can('resetPwd')) }),
      }),
      action.open({
        label: '打印激活单',
        call: activationApi.slips,
        fits: can('resetPwd'),
        onOpen: (rows) => setBatch({ what: 'slips', rows: rows.filter(can('resetPwd')) }),
      }),
      holdData,
      removeStudents(),
    ],
    dialogs: (
      <>
        {password.dialogs}
        {broken && <NoShowsDrawer student={broken} onClose={() => setBroken(undefined)} />}
        {batch?.what === 'passwords' && <BatchPasswordDialog suIds={suIds} onClose={closeBatch} />}
        {batch?.what === 'slips' && (
          <ActivationSlipsDialog filter={{ suIds }} whose={`所选 ${suIds.length} 名学生`} onClose={closeBatch} />
        )}
        {batch?.what === 'scores' && (
          <ScoreExportDialog filter={{ suIds }} whose={`所选 ${suIds.length} 名学生`} onClose={closeBatch} />
        )}
      </>
    ),
  }
}
