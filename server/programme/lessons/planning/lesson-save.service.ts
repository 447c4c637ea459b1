import type { Checked } from '../../../../contract/core/call.ts'
import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { invalidInput } from '../../../../contract/core/failure.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { placesText } from '../../../../contract/programme/lessons/team-fields.ts'
import { audit, changedFields } from '../../../core/audit/audit.ts'
import { addSeconds } from '../../../core/base/clock.ts'
import { together } from '../../../core/base/together.ts'
import type { Context } from '../../../core/request/context.ts'
import { assertVersion } from '../../../core/request/scope-check.ts'
import { newId } from '../../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../../core/request/stamp-columns.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { from } from '../../../core/database/tenant.ts'
import { replaceFiles, useFiles } from '../../../platform/files/file-use.service.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { startPublishApproval } from '../approval/lesson-approval.service.ts'
import { proposeChange } from '../approval/lesson-change.service.ts'
import { columnsOf, filesOf, lockLessonName } from '../form/lesson-columns.service.ts'
import { namesIn } from '../form/lesson-content.service.ts'
import { lessonValuesFrom, type GivenValues, type LessonValues } from '../form/lesson-form.ts'
import {
  assertSignedSessionsStay,
  insertPeople,
  insertSessions,
  valuesOf,
  writePeople,
  writeSessions,
} from '../form/lesson-parts.service.ts'
import { lessonFor, reachLesson, type ReachedLesson } from '../model/lessons.queries.ts'
import { assertCollegePlaces, collegeNames, hasRegistered, placesTaken } from '../model/seats.queries.ts'
import {
  changedFields as materialChanges,
  comparable,
  hasSameSessions,
  inTrail,
  isSameForm,
  movesPlan,
} from '../form/material-change.ts'
import { takeNumber } from './lesson-number.ts'
import { promoteWaiting } from '../registration/waiting-list.service.ts'
import { countWorks } from '../registration/works.service.ts'
import { notifyRescheduled } from '../model/notify.service.ts'

type Form = Checked<typeof lessonApi.save>

/** Adds a course, or changes one; with `submit` it goes into approval at once. */
export function saveLesson(ctx: Context, { liId, version, submit, ...values }: Form) {
  return inTransaction(ctx, async (tx) => {
    const saved = liId ? await changeLesson(tx, liId, version, values) : await addLesson(tx, values)
    if (submit && isOneOf(saved.liStatus, lessonStatus.draft, lessonStatus.publishRefused)) {
      const lesson = await lessonFor(tx, 'submit', saved.liId)
      const liStatus = await startPublishApproval(tx, lesson, await valuesOf(tx, lesson))
      const sent = await tx.db
        .updateTable('lesson')
        .set({ liStatus, ...updatedColumns(tx) })
        .where('schoolId', '=', tx.actor.schoolId)
        .where('liId', '=', saved.liId)
        .returning(['liId', 'liNo', 'liStatus', 'version'])
        .executeTakeFirstOrThrow()
      return { ...sent, isChanging: false }
    }
    return saved
  })
}

async function addLesson(ctx: Context, given: GivenValues) {
  // the second click waits here until what the first one saved can be seen
  const [, twin] = await together(
    lockLessonName(ctx, given.liName),
    findTwin(ctx, given),
    // asked for on the same way; the checks that follow find it kept
    schoolSettings(ctx, ctx.actor.schoolId),
  )
  return twin ?? insertLesson(ctx, given)
}

/** What a form leaves open is what the school has set. */
async function withDefaults(ctx: Context, given: GivenValues): Promise<LessonValues> {
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  return lessonValuesFrom(given, { lateMinutes: rules.signLateMinutes, publictyDays: rules.publictyDefault })
}

/** What a new course has beyond its form. */
interface Origin {
  itemCategory?: '1' | '2'
  parentLiId?: string
  /** What the trail says it came from. */
  action?: string
}

/**
 * A new draft with everything that hangs on it, after all checks of the form.
 */
export async function insertLesson(ctx: Context, given: GivenValues, { action = '新增课程', ...origin }: Origin = {}) {
  const values = await withDefaults(ctx, given)
  const [{ columns, sessions }, liNo] = await together(columnsOf(ctx, values), takeNumber(ctx))
  const row = {
    ...createdColumns(ctx),
    liId: newId(),
    liNo,
    ...columns,
    ...origin,
    liStatus: lessonStatus.draft,
    version: 0,
  }
  const names = await collegeNames(ctx, [values])
  await together(
    ctx.db.insertInto('lesson').values(row).execute(),
    useFiles(ctx, filesOf(values)),
    insertPeople(ctx, row.liId, values),
    insertSessions(ctx, row.liId, sessions),
    audit(ctx, {
      action,
      bizType: 'lesson',
      bizId: row.liId,
      bizName: row.liName,
      after: { ...inTrail(values, values, names), liNo: row.liNo },
    }),
  )
  return { liId: row.liId, liNo: row.liNo, liStatus: row.liStatus, version: row.version, isChanging: false }
}

async function changeLesson(ctx: Context, liId: string, version: number | undefined, given: GivenValues) {
  const lesson = await lessonFor(ctx, 'edit', liId)
  assertVersion(ctx, lesson, version)
  const before = await valuesOf(ctx, lesson)
  const values = lessonValuesFrom(given, before)
  const { columns, sessions } = await columnsOf(ctx, values, { lesson, before })
  const after = asStored(values, columns)
  const material = materialChanges(
    before,
    after,
    isOneOf(lesson.liStatus, lessonStatus.publishPassed, lessonStatus.published)
      ? await namesIn(ctx, [before, after])
      : undefined,
  )
  await assertPlacesStay(ctx, lesson, before, values)
  if (lesson.liStatus === lessonStatus.published) await assertSignedSessionsStay(ctx, liId, before.sessions, sessions)
  if (before.workRequest && !values.workRequest) await assertNoWorks(ctx, liId)
  // what students see stays as it was approved until the change is approved too (docs/rules.md R4)
  if (lesson.liStatus === lessonStatus.published && material.length > 0)
    return proposeChange(ctx, { lesson, before, after, columns, sessions, differences: material })
  // what was approved has changed before it was published: it is approved again
  const liStatus =
    lesson.liStatus === lessonStatus.publishPassed && material.length > 0
      ? await startPublishApproval(ctx, { ...lesson, ...columns }, after, material)
      : lesson.liStatus
  const [saved] = await together(
    ctx.db
      .updateTable('lesson')
      .set({ ...columns, liStatus, ...updatedColumns(ctx) })
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('liId', '=', liId)
      .returning(['liId', 'liNo', 'liStatus', 'version'])
      .executeTakeFirstOrThrow(),
    replaceFiles(ctx, filesOf(before), filesOf(values)),
    writePeople(ctx, liId, values),
    writeSessions(ctx, liId, sessions),
  )
  if (values.quota > lesson.quota || comparable('quotaByCollege', values) !== comparable('quotaByCollege', before))
    await promoteWaiting(ctx, liId)
  if (lesson.liStatus === lessonStatus.published && movesPlan(before, after))
    await notifyRescheduled(ctx, { liId, liName: columns.liName }, before, after)
  const names = await collegeNames(ctx, [before, after])
  await audit(ctx, {
    action: '编辑课程',
    bizType: 'lesson',
    bizId: liId,
    bizName: columns.liName,
    ...changedFields<Record<string, unknown>>(
      { ...inTrail(before, before, names), liStatus: lesson.liStatus },
      {
        ...inTrail(after, before, names),
        ...(hasSameSessions(before, after) && { sessions: before.sessions }),
        liStatus,
      },
    ),
  })
  return { ...saved, isChanging: false }
}

/** What people hold of a course stays true: their places, and that they came alone or in teams. */
async function assertPlacesStay(
  ctx: Context,
  lesson: ReachedLesson,
  before: LessonValues,
  values: LessonValues,
): Promise<void> {
  const taken = await placesTaken(ctx, lesson)
  if (values.quota < taken)
    throw invalidInput([
      { field: 'quota', msg: `名额不能少于已录取的 ${placesText({ quota: taken, quotaUnit: lesson.quotaUnit })}` },
    ])
  if (comparable('quotaByCollege', values) !== comparable('quotaByCollege', before))
    await assertCollegePlaces(ctx, lesson.liId, values.quotaByCollege)
  if (values.applyUnit === lesson.applyUnit && values.quotaUnit === lesson.quotaUnit) return
  if (await hasRegistered(ctx, lesson)) {
    const field = values.applyUnit === lesson.applyUnit ? 'quotaUnit' : 'applyUnit'
    throw invalidInput([{ field, msg: '已有人报名或组队，不能再修改；请新建一门课程' }])
  }
}

/** What was handed in is shown beside what was asked for: nobody takes the one away under the other. */
async function assertNoWorks(ctx: Context, liId: string): Promise<void> {
  const n = await countWorks(ctx, liId)
  if (n > 0)
    throw invalidInput([
      { field: 'workRequest', msg: `已有 ${n} 人提交成果，不能清空成果要求；请保留要求，需要时只修改文字` },
    ])
}

/** The form with what the service works out itself. */
const asStored = (values: LessonValues, columns: Awaited<ReturnType<typeof columnsOf>>['columns']): LessonValues => ({
  ...values,
  liHours: columns.liHours,
  liCollegeId: columns.liCollegeId ?? undefined,
  liDepartmentId: columns.liDepartmentId ?? undefined,
})

/**
 * The course that the same person saved within ten seconds with the very same form: a second click, not a second
 * course. Whoever changed anything in between means another one.
 */
async function findTwin(ctx: Context, given: GivenValues) {
  const found = await from(ctx, 'lesson')
    .select('liId')
    .where('createBy', '=', ctx.actor.suId)
    .where('liName', '=', given.liName)
    .where('startTime', '=', given.startTime)
    .where('createTime', '>=', addSeconds(ctx.clock.now(), -10))
    .orderBy('createTime')
    .execute()
  for (const { liId } of found) {
    const values = await withDefaults(ctx, given)
    const lesson = await reachLesson(ctx, liId)
    const before = await valuesOf(ctx, lesson)
    const { columns } = await columnsOf(ctx, values, { lesson, before })
    if (isSameForm(before, asStored(values, columns)))
      return { liId, liNo: lesson.liNo, liStatus: lesson.liStatus, version: lesson.version, isChanging: false }
  }
  return undefined
}
