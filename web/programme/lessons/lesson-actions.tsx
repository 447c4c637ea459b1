import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonAction, LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { useState, type ReactNode } from 'react'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { dialogOnDemand } from '../../core/parts/loaded-on-demand.tsx'
import { CredibilityCourseDialog } from '../../shared/people/credibility-course.tsx'
import { ResultConsequence } from './result-consequence.tsx'
import { figure } from '../../core/service/figure.ts'

// both bring the calendars along, which the list itself does without
const PublicityDialog = dialogOnDemand(() => import('./publicity-dialog.tsx'), 'PublicityDialog')
const SeriesDialog = dialogOnDemand(() => import('./series-dialog.tsx'), 'SeriesDialog')

/**
 * A course as far as its addresses depend on it: industry courses have screens of their own, made of the same parts.
 */
type Placed = { liId: string; liScheme?: string }
const variant = ({ liScheme }: Placed) => (liScheme === 'industry' ? 'Industry' : '')

export const lessonPaths = {
  list: '/courseManagement/CurriculumList',
  own: '/personalCenter/course',
  add: '/courseManagement/addCurriculumList',
  addIndustry: '/courseManagement/addIndustryCurriculumList',
  copy: (lesson: Placed) => `/courseManagement/add${variant(lesson)}CurriculumList?from=${lesson.liId}`,
  edit: (lesson: Placed) => `/courseManagement/edit${variant(lesson)}CurriculumList?liId=${lesson.liId}`,
  detail: (lesson: Placed) => `/courseManagement/detail${variant(lesson)}CurriculumList?liId=${lesson.liId}`,
  participants: (liId: string) => `/courseManagement/CurriculumList/Participants?liId=${liId}`,
  signBoard: (liId: string) => `/courseManagement/CurriculumList/SignBoard?liId=${liId}`,
}

const action = actionOn<LessonRow>()
const can = (name: LessonAction) => (row: LessonRow) => row.can.includes(name)
const one = (rows: readonly LessonRow[]) => ({ liId: rows[0]!.liId, version: rows[0]!.version })
const withReason = (rows: readonly LessonRow[], { reason }: Record<string, unknown>) => ({
  ...one(rows),
  reason: reason as string,
})

const detail = action.link({ label: '详情', call: lessonApi.view, href: lessonPaths.detail })
const edit = action.link({ label: '编辑', call: lessonApi.save, fits: can('edit'), href: lessonPaths.edit })
const copy = action.link({ label: '复制', call: lessonApi.save, href: lessonPaths.copy })
const participants = action.link({
  label: '参与人员',
  call: lessonApi.view,
  fits: ({ liStatus, applyCount }) =>
    applyCount > 0 ||
    !isOneOf(
      liStatus,
      lessonStatus.draft,
      lessonStatus.publishInReview,
      lessonStatus.publishRefused,
      lessonStatus.publishPassed,
    ),
  href: ({ liId }) => lessonPaths.participants(liId),
})
const submit = action({
  label: '提交审批',
  call: lessonApi.submit,
  fits: can('submit'),
  input: one,
  confirm: '提交后按审批流程逐级审批，审批期间不能修改。',
  doneText: () => '已提交审批',
})
const withdraw = action({
  label: '撤回',
  call: lessonApi.withdraw,
  fits: can('withdraw'),
  input: one,
  isDanger: true,
  confirm: ([row]) =>
    row!.isChanging ? '撤回后课程保持已批准的内容，变更须重新提交。' : '撤回后审批终止，修改后须重新提交。',
})
const publish = action({
  label: '发布',
  call: lessonApi.publish,
  fits: can('publish'),
  input: one,
  confirm: '发布后学生可见，并按报名时间开放报名。',
})
const unpublish = action({
  label: '取消发布',
  call: lessonApi.unpublish,
  fits: can('unpublish'),
  isDanger: true,
  input: withReason,
  confirm: ([row]) =>
    `取消后学生不再可见${row!.applyCount > 0 ? `，已报名的 ${figure(row!.applyCount)} 人将收到通知` : ''}；可再次发布。`,
  ask: <AreaField name="reason" rows={3} />,
})
const cancel = action({
  label: '取消课程',
  call: lessonApi.cancel,
  fits: can('cancel'),
  isDanger: true,
  input: withReason,
  confirm: ([row]) =>
    `取消后不能恢复${row!.applyCount > 0 ? `，${figure(row!.applyCount)} 条报名将作废，不影响学生诚信分` : ''}。`,
  ask: <AreaField name="reason" rows={3} />,
})
export const resultAudit = action({
  label: '提交结果',
  call: lessonApi.resultAudit,
  fits: can('resultAudit'),
  input: (rows, { resultSummary }) => ({
    ...one(rows),
    ...(resultSummary ? { resultSummary: resultSummary as string } : {}),
  }),
  confirm: '提交后名单与奖项冻结。',
  note: ([lesson]) => lesson && <ResultConsequence liId={lesson.liId} />,
  ask: (
    <AreaField name="resultSummary" label="活动总结" rows={4} placeholder="活动开展情况、成效与不足，供审批人参考" />
  ),
  doneText: () => '结果已提交审批',
})
const unpublicise = action({
  label: '取消公示',
  call: lessonApi.unpublicty,
  fits: can('unpublicty'),
  isDanger: true,
  input: withReason,
  confirm: '取消后回到“待公示”，已提出的质疑保留。',
  ask: <AreaField name="reason" rows={3} />,
})
const abnormal = action({
  label: '异常结项',
  call: lessonApi.abnormal,
  fits: can('abnormal'),
  isDanger: true,
  input: withReason,
  confirm: ([row]) =>
    `活动未按要求开展时使用：${row!.passCount > 0 ? `已录取的 ${figure(row!.passCount)} 人（签到 ${figure(row!.signCount)} 人）` : ''}不认定任何学时，也不影响诚信分，不能恢复。`,
  ask: <AreaField name="reason" rows={3} />,
})
const archive = action({
  label: '归档',
  call: lessonApi.archive,
  fits: can('archive'),
  input: one,
  confirm: '归档后只读。',
})
const purger = (after: () => void) =>
  action({
    label: '删除已结束',
    call: lessonApi.purge,
    fits: can('purge'),
    isDanger: true,
    input: withReason,
    after,
    confirm: '课程从各列表中移除，记录与操作日志保留，参与者提交的成果一并删除；已入账的须先冲正。',
    ask: <AreaField name="reason" rows={3} />,
    doneText: () => '已删除',
  })
const purge = purger(() => undefined)
const leave = action({
  label: '退出课程',
  call: lessonApi.exit,
  fits: can('exit'),
  isDanger: true,
  input: one,
  confirm: '退出后您不再是该课程的指导老师或签到负责人。',
})

/** Deletes drafts and refused courses, one or several. */
const remover = (after: () => void) =>
  action({
    label: '删除',
    call: lessonApi.del,
    unit: '门课程',
    isDanger: true,
    fits: can('del'),
    input: (rows) => ({ liId: rows.map((row) => row.liId) }),
    confirm: '删除后不能恢复。',
    after,
  })
const removeLessons = remover(() => undefined)

const idsOf = (rows: readonly LessonRow[]) => ({ liIds: rows.map(({ liId }) => liId) })
const idsAndReason = (rows: readonly LessonRow[], { reason }: Record<string, unknown>) => ({
  ...idsOf(rows),
  reason: reason as string,
})
const unit = '门课程'
/** Whom an action on several courses reaches: `已报名的学生`, with their number where the courses are known. */
const appliedTo = (rows: readonly LessonRow[]): string => {
  const people = rows.reduce((sum, { applyCount }) => sum + applyCount, 0)
  return rows.length > 0 ? `已报名的 ${figure(people)} 人次` : '已报名的学生'
}

/**
 * What may be done to several courses at once; each is checked by itself, and those refused are told with the reason.
 */
export const batchActions: readonly RowAction<LessonRow>[] = [
  action({
    label: '提交审批',
    call: lessonApi.submitMany,
    unit,
    fits: can('submit'),
    input: idsOf,
    confirm: '审批期间不能修改。',
    doneText: ({ affected }) => `已提交 ${figure(affected)} 门课程`,
  }),
  action({
    label: '发布',
    call: lessonApi.publishMany,
    unit,
    fits: can('publish'),
    input: idsOf,
    confirm: '发布后学生可见。',
    doneText: ({ affected }) => `已发布 ${figure(affected)} 门课程`,
  }),
  action({
    label: '公示',
    call: lessonApi.publictyMany,
    unit,
    fits: can('publicty'),
    input: idsOf,
    confirm: '从今天起公示，天数按各课程的设置，且不少于学校规定的下限；期满且没有未处理的质疑时自动完成并记入学分。',
    doneText: ({ affected }) => `已开始公示 ${figure(affected)} 门课程`,
  }),
  action({
    label: '归档',
    call: lessonApi.archiveMany,
    unit,
    fits: can('archive'),
    input: idsOf,
    confirm: '归档后只读。',
    doneText: ({ affected }) => `已归档 ${figure(affected)} 门课程`,
  }),
  action({
    label: '取消发布',
    call: lessonApi.unpublishMany,
    unit,
    fits: can('unpublish'),
    isDanger: true,
    input: idsAndReason,
    confirm: (rows) => `${appliedTo(rows)}将收到通知。`,
    ask: <AreaField name="reason" rows={3} />,
    doneText: ({ affected }) => `已取消发布 ${figure(affected)} 门课程`,
  }),
  action({
    label: '取消课程',
    call: lessonApi.cancelMany,
    unit,
    fits: can('cancel'),
    isDanger: true,
    input: idsAndReason,
    confirm: (rows) => `取消后不能恢复，${appliedTo(rows)}的报名随之作废。`,
    ask: <AreaField name="reason" rows={3} />,
    doneText: ({ affected }) => `已取消 ${figure(affected)} 门课程`,
  }),
  removeLessons,
]

/**
 * Everything that may be done to a course, most wanted first, and the dialogs some of it opens. `from` leaves out the
 * way to the page one stands on; `onGone` leaves a course that is gone.
 */
export function useLessonActions(
  from: 'list' | 'detail',
  onGone: () => void = () => undefined,
): { acts: RowAction<LessonRow>[]; dialogs: ReactNode } {
  const [publicising, setPublicising] = useState<LessonRow>()
  const [restoring, setRestoring] = useState<LessonRow>()
  const publicise = action.open({
    label: '公示',
    call: lessonApi.publicty,
    fits: can('publicty'),
    onOpen: ([row]) => setPublicising(row),
  })
  const restore = action.open({
    label: '恢复诚信分',
    call: credibilityApi.restoreByLesson,
    fits: ({ liStatus }) => isOneOf(liStatus, lessonStatus.completed, lessonStatus.archived),
    onOpen: ([row]) => setRestoring(row),
  })
  const [repeating, setRepeating] = useState<LessonRow>()
  const series = action.open({
    label: '生成系列',
    call: lessonApi.series,
    fits: can('series'),
    onOpen: ([row]) => setRepeating(row),
  })
  const moves = [
    submit,
    publish,
    resultAudit,
    publicise,
    copy,
    series,
    withdraw,
    unpublicise,
    unpublish,
    cancel,
    abnormal,
    archive,
    leave,
    removeLessons,
    purge,
  ]
  return {
    acts:
      from === 'list'
        ? [detail, participants, edit, ...moves]
        : [
            submit,
            publish,
            resultAudit,
            publicise,
            edit,
            withdraw,
            unpublicise,
            series,
            archive,
            restore,
            copy,
            unpublish,
            cancel,
            abnormal,
            leave,
            remover(onGone),
            purger(onGone),
          ],
    dialogs: (
      <>
        {publicising && <PublicityDialog lesson={publicising} onClose={() => setPublicising(undefined)} />}
        {repeating && <SeriesDialog lesson={repeating} onClose={() => setRepeating(undefined)} />}
        {restoring && <CredibilityCourseDialog lesson={restoring} onClose={() => setRestoring(undefined)} />}
      </>
    ),
  }
}
