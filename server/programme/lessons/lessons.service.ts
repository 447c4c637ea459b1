import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { applyStatus, applyWay, lessonStatus, lessonPersonRole } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { industryFiles } from '../../../contract/programme/lessons/industry.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { withdrawApproval } from '../approvals/approvals.service.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { releaseFiles } from '../../platform/files/file-use.service.ts'
import { viewFile } from '../../platform/files/files.service.ts'
import { promiseSeed } from './model/draw-seed.ts'
import { startPublishApproval } from './approval/lesson-approval.service.ts'
import { admitReserved } from './registration/reserved.service.ts'
import { appointStageCheckers } from './approval/stage-checkers.service.ts'
import { peopleByIds } from './form/lesson-checks.ts'
import { filesOf } from './form/lesson-columns.service.ts'
import { actionOnLesson } from './model/action-on-lesson.service.ts'
import { valuesOf } from './form/lesson-parts.service.ts'
import { lessonFor, visibleLessons, type ReachedLesson } from './model/lessons.queries.ts'
import { publishOutcome, resultOutcome } from './approval/outcomes.service.ts'
import { notifyEndedAbnormally, notifyParticipants } from './model/notify.service.ts'

/** Puts a draft or a returned course before its reviewers, or passes it where no flow asks anybody. */
export const submitLesson = (ctx: Context, input: Checked<typeof lessonApi.submit>) =>
  actionOnLesson(ctx, 'submit', lessonApi.submit, input, async (tx, lesson) => ({
    liStatus: await startPublishApproval(tx, lesson, await valuesOf(tx, lesson)),
  }))

/**
 * Takes a course back from its approval, as long as nobody has decided. The approval is locked before the course, as
 * deciders do.
 */
export function withdrawLesson(ctx: Context, { liId }: Checked<typeof lessonApi.withdraw>) {
  return inTransaction(ctx, async (tx) => {
    const lesson = await lessonFor(tx, 'withdraw', liId, { lock: false })
    const [bizType, outcome] =
      lesson.liStatus !== lessonStatus.resultInReview
        ? (['publish', publishOutcome] as const)
        : (['result', resultOutcome] as const)
    await withdrawApproval(tx, bizType, liId)
    await outcome.withdrawn(tx, liId)
    return { affected: 1 }
  })
}

/** Publishes a passed course, or one that was unpublished; of the latter its participants are told. */
export const publishLesson = (ctx: Context, input: Checked<typeof lessonApi.publish>) =>
  actionOnLesson(ctx, 'publish', lessonApi.publish, input, async (tx, lesson) => {
    if (lesson.liStatus === lessonStatus.unpublished)
      await notifyParticipants(
        tx,
        lesson,
        `《${lesson.liName}》重新发布`,
        `您报名的《${lesson.liName}》已重新发布，活动时间 ${lesson.startTime.slice(0, 16)}，地点 ${lesson.placeText}，报名仍然有效。`,
      )
    if (lesson.applyWay === applyWay.draw) await promiseSeed(tx, lesson.liId)
    await appointStageCheckers(tx, lesson.liId)
    await admitReserved(tx, lesson.liId)
    return { publishTime: tx.clock.now(), publishBy: tx.actor.suId, exitReason: '' }
  })

/**
 * Publishes a course. A caller who knows of no submission means the whole way with it: a draft, or one that was
 * refused, goes into approval instead, and is published at once where nobody has to decide (decision 034).
 */
export async function submitOrPublishLesson(ctx: Context, input: Checked<typeof lessonApi.publish>) {
  const { permit } = lessonApi.submit
  if (ctx.origin.isStrict || !ctx.actor.permits.has(permit)) return publishLesson(ctx, input)
  const stateOf = async () =>
    (await visibleLessons(ctx).select('lesson.liStatus').where('lesson.liId', '=', input.liId).executeTakeFirst())
      ?.liStatus
  if (!isOneOf(await stateOf(), lessonStatus.draft, lessonStatus.publishRefused)) return publishLesson(ctx, input)
  const submitted = await submitLesson({ ...ctx, scope: ctx.actor.scopeFor(permit) }, input)
  return (await stateOf()) === lessonStatus.publishPassed ? publishLesson(ctx, { liId: input.liId }) : submitted
}

/** Takes a published course off the lists and tells its participants; their registrations stay. */
export const unpublishLesson = (ctx: Context, input: Checked<typeof lessonApi.unpublish>) =>
  actionOnLesson(ctx, 'unpublish', lessonApi.unpublish, input, async (tx, lesson) => {
    await notifyParticipants(
      tx,
      lesson,
      `《${lesson.liName}》已取消发布`,
      `您报名的《${lesson.liName}》已取消发布，报名暂予保留，重新发布或取消时将另行通知。\n取消发布原因：${input.reason}`,
    )
    return { exitReason: input.reason }
  })

/** Calls a course off: whoever had registered is set to 活动取消 and loses nothing. */
export const cancelLesson = (ctx: Context, input: Checked<typeof lessonApi.cancel>) =>
  actionOnLesson(ctx, 'cancel', lessonApi.cancel, input, async (tx, lesson) => {
    await notifyParticipants(
      tx,
      lesson,
      `《${lesson.liName}》已取消`,
      `您报名的《${lesson.liName}》已取消，报名随之失效，不影响诚信分。\n取消原因：${input.reason}`,
    )
    await tx.db
      .updateTable('registration')
      .set({
        laStatus: applyStatus.activityCancelled,
        waitNo: null,
        updateTime: tx.clock.now(),
        version: sql<number>`version + 1`,
      })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('liId', '=', input.liId)
      .where('delFlag', '=', sql.lit(yesNo.no))
      .where('laStatus', 'in', [applyStatus.pending, applyStatus.accepted, applyStatus.waitlisted, applyStatus.onLeave])
      .execute()
    return { exitReason: input.reason, pendingCount: 0, passCount: 0, signCount: 0, resultCount: 0 }
  })

/** Closes a course that took place but must not count: nobody gets credit for it and nobody loses credibility. */
export const endAbnormally = (ctx: Context, input: Checked<typeof lessonApi.abnormal>) =>
  actionOnLesson(ctx, 'abnormal', lessonApi.abnormal, input, async (tx, lesson) => {
    await notifyEndedAbnormally(tx, lesson, input.reason)
    return { exitReason: input.reason }
  })

/** Archives a completed course; it can still be read, and what it gave still counts. */
export const archiveLesson = (ctx: Context, input: Checked<typeof lessonApi.archive>) =>
  actionOnLesson(ctx, 'archive', lessonApi.archive, input, async () => ({}))

/** Removes drafts and refused courses; one out of reach or in another state, and none is removed. */
export function deleteLessons(ctx: Context, { liId: liIds }: Checked<typeof lessonApi.del>) {
  return inTransaction(ctx, async (tx) => {
    const lessons: ReachedLesson[] = []
    for (const liId of liIds.toSorted()) lessons.push(await lessonFor(tx, 'del', liId))
    const ids = lessons.map(({ liId }) => liId)
    await tx.db
      .updateTable('lesson')
      .set({ delFlag: yesNo.yes, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('liId', ids))
      .execute()
    for (const lesson of lessons) await releaseFiles(tx, filesOf(await valuesOf(tx, lesson)))
    await auditMany(
      tx,
      lessons.map(({ liId, liName, liStatus }) => ({
        action: lessonApi.del.summary,
        bizType: 'lesson',
        bizId: liId,
        bizName: liName,
        before: { liStatus },
      })),
    )
    return { affected: lessons.length }
  })
}

/** 32 random bytes, other ones for every row: two random UUIDs from the database's strong generator. */
const newSecret = sql<Buffer>`decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`

/**
 * Replaces the sign-in managers; the codes are issued anew, for whoever is no longer in charge may hold the old ones.
 */
export const setSigners = (ctx: Context, input: Checked<typeof lessonApi.signPrincipalAdd>) =>
  actionOnLesson(ctx, 'signManagers', lessonApi.signPrincipalAdd, input, async (tx, lesson) => {
    const { schoolId } = tx.actor
    const suIds = [...new Set(input.suIds)]
    const people = await peopleByIds(tx, suIds)
    if (suIds.length === 0 || !suIds.every((suId) => people.get(suId)?.active)) throw new Failure('signers-needed')
    const before = await tx.db
      .deleteFrom('lessonPerson')
      .where('schoolId', '=', schoolId)
      .where('liId', '=', input.liId)
      .where('lpRole', '=', lessonPersonRole.signer)
      .returning('suId')
      .execute()
    await tx.db
      .insertInto('lessonPerson')
      .values(suIds.map((suId) => ({ schoolId, liId: input.liId, suId, lpRole: lessonPersonRole.signer })))
      .execute()
    await tx.db
      .updateTable('lessonSession')
      .set({ codeSecret: newSecret })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', input.liId)
      .execute()
    await audit(tx, {
      action: '更换签到负责人',
      bizType: 'lesson',
      bizId: input.liId,
      bizName: lesson.liName,
      before: { signerIds: before.map(({ suId }) => suId) },
      after: { signerIds: suIds },
    })
    return {}
  })

/** Leaves a course: the person is no longer its teacher or sign-in manager. */
export const leaveLesson = (ctx: Context, input: Checked<typeof lessonApi.exit>) =>
  actionOnLesson(ctx, 'exit', lessonApi.exit, input, async (tx) => {
    await tx.db
      .deleteFrom('lessonPerson')
      .where('schoolId', '=', tx.actor.schoolId)
      .where('liId', '=', input.liId)
      .where('suId', '=', tx.actor.suId)
      .where('lpRole', 'in', [lessonPersonRole.teacher, lessonPersonRole.signer])
      .execute()
    return {}
  })

/** Gives a file of a course to one who may see the course. */
export async function lessonFile(ctx: Context, { id }: Checked<typeof lessonApi.fileDownload>) {
  const holder = await visibleLessons(ctx)
    .select('lesson.liId')
    .where((or) =>
      or.or([
        or('lesson.liPlan', '=', id),
        or('lesson.liPoster', '=', id),
        sql<boolean>`"lesson"."liAttachments" @> ${[id]}::uuid[]`,
        ...industryFiles.map((field) => sql<boolean>`"lesson"."liExt" ->> ${field} = ${id}`),
      ]),
    )
    .executeTakeFirst()
  if (!holder) throw new Failure('not-found')
  return viewFile(ctx, { id })
}
