import { useState, type ReactNode } from 'react'
import { noShowApi } from '../../../contract/programme/lessons/no-shows.calls.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { maxResets, passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { studentApi, type StudentRow } from '../../../contract/school/people/students.calls.ts'
import { activationApi } from '../../../contract/school/session/activation.calls.ts'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { send } from '../../core/service/api.ts'
import type { AllRows } from '../../core/service/background.ts'
import { notify } from '../../core/service/notice.tsx'
import { accountActions } from './account-actions.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { ScoreExportDialog, type ScoreExport } from '../../shared/transcripts/score-export.tsx'
import { ActivationSlipsDialog } from './activation-slips.tsx'
import { BatchPasswordDialog } from './batch-passwords.tsx'
import { usePersonErasure } from './erase-person.tsx'
import { NoShowsDrawer } from './no-shows-drawer.tsx'
import { adjustCredibility } from './credibility-actions.tsx'
import { usePasswordReset } from './password-dialogs.tsx'
import { studentPaths } from './people-paths.ts'
import { figure } from '../../core/service/figure.ts'

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
  unit: '名学生',
  question: (rows) => `保留所选 ${rows.length} 名学生的信息？`,
  confirm: () => '毕业后到期也不删除、不匿名，直到在“毕业办理 → 信息保留”中取消。',
  ask: <AreaField name="reason" rows={2} placeholder="原因，不少于 5 个字" />,
  input: (rows, { reason }) => ({ ids: idsOf(rows), hold: true, reason: reason as string }),
  doneText: ({ affected }) =>
    affected === 0 ? '所选学生的信息此前已在保留' : `已保留 ${figure(affected)} 名学生的信息`,
})

/** What is asked about several students: those ticked, or all that the filters find. */
type Batch = ({ what: 'scores' | 'slips' } & ScoreExport) | { what: 'passwords'; suIds: string[]; skipped: number }

const idsOf = (rows: readonly StudentFacts[]): string[] => rows.map(({ suId }) => suId)
const ofRows = (rows: readonly StudentFacts[]): ScoreExport => ({
  filter: { suIds: idsOf(rows) },
  whose: `所选 ${rows.length} 名学生`,
})
const ofFilter = ({ query: { sort: _, order: __, ...filter }, total }: AllRows): ScoreExport => ({
  filter,
  whose: `符合条件的全部 ${figure(total)} 名学生`,
  rows: total,
})

/** Those of some students whose passwords the person may reset, and how many are left out. */
const ofResettable = (rows: readonly StudentFacts[]): Batch => {
  const suIds = idsOf(rows.filter(can('resetPwd')))
  return { what: 'passwords', suIds, skipped: rows.length - suIds.length }
}

/**
 * All that the filters find, for resetting their passwords; undefined, and the person is told, where they are more than
 * can be done at a time: each password takes a slow hash, and its workbook is handed out this once.
 */
async function forReset({ query, total }: AllRows): Promise<StudentFacts[] | undefined> {
  if (total > maxResets) {
    notify('warning', `一次最多重置 ${maxResets} 名学生的密码，请先按学院或班级筛选；新生也可用“打印账号激活单”`)
    return undefined
  }
  const { records } = await send(studentApi.list, { ...query, current: 1, pageSize: maxResets })
  if (records.some(can('resetPwd'))) return records
  notify('warning', '其中没有可由您重置密码的学生，请调整筛选')
  return undefined
}

/** Removes students without business records. `after` is told when they are gone. */
export const removeStudents = (after?: () => void) =>
  action.remove({
    call: studentApi.remove,
    unit: '名学生',
    confirm: '删除后学生不能登录，且不能恢复；已有课程或学分记录的学生不能删除。',
    input: (rows) => ({ ids: idsOf(rows) }),
    doneText: ({ affected }) => `已删除 ${figure(affected)} 名学生`,
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
  const erasure = usePersonErasure('student')
  const [broken, setBroken] = useState<StudentFacts>()
  const [batch, setBatch] = useState<Batch>()
  const closeBatch = () => setBatch(undefined)
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
        : [edit, transcript, resetPassword, adjustCredibility, access, erasure.erase, removeStudents(onGone)],
    batch: [
      adjustCredibility,
      action.open({
        label: '导出学生成绩',
        call: scoreExportApi.export,
        onOpen: (rows) => setBatch({ what: 'scores', ...ofRows(rows) }),
        onFilter: (all) => setBatch({ what: 'scores', ...ofFilter(all) }),
      }),
      action.open({
        label: '重置密码',
        call: passwordApi.resetMany,
        fits: can('resetPwd'),
        onOpen: (rows) => setBatch(ofResettable(rows)),
        onFilter: (all) =>
          void forReset(all).then(
            (rows) => rows && setBatch(ofResettable(rows)),
            () => undefined,
          ),
      }),
      action.open({
        label: '打印账号激活单',
        call: activationApi.slips,
        fits: can('resetPwd'),
        onOpen: (rows) => setBatch({ what: 'slips', ...ofRows(rows.filter(can('resetPwd'))) }),
        onFilter: (all) => setBatch({ what: 'slips', ...ofFilter(all) }),
      }),
      holdData,
      removeStudents(),
    ],
    dialogs: (
      <>
        {password.dialogs}
        {erasure.dialog}
        {broken && <NoShowsDrawer student={broken} onClose={() => setBroken(undefined)} />}
        {batch?.what === 'passwords' && <BatchPasswordDialog {...batch} onClose={closeBatch} />}
        {batch?.what === 'slips' && (
          <ActivationSlipsDialog filter={batch.filter} whose={batch.whose} onClose={closeBatch} />
        )}
        {batch?.what === 'scores' && <ScoreExportDialog {...batch} onClose={closeBatch} />}
      </>
    ),
  }
}
