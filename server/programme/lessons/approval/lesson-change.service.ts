import { sql, type Updateable } from 'kysely'
import { messageType } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, lessonChangeStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import type { Difference } from '../../../../contract/core/difference.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import type { Tables } from '../../../core/database/pool.ts'
import { newId } from '../../../core/base/ids.ts'
import { from } from '../../../core/database/tenant.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { releaseFiles, useFiles } from '../../../platform/files/file-use.service.ts'
import { startChangeApproval } from './lesson-approval.service.ts'
import { filesOf, type columnsOf } from '../form/lesson-columns.service.ts'
import type { LessonValues } from '../form/lesson-form.ts'
import { writePeople, writeSessions } from '../form/lesson-parts.service.ts'
import { rangeFields } from '../model/admission.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { hasRegistered, placesTaken } from '../model/seats.queries.ts'
import { movesPlan } from '../form/material-change.ts'
import { appointStageCheckers } from './stage-checkers.service.ts'
import { admitReserved } from '../registration/reserved.service.ts'
import { unrate } from '../registration/team-members.ts'
import { promoteWaiting } from '../registration/waiting-list.service.ts'
import { countWorks } from '../registration/works.service.ts'
import { notifyOrganisers, notifyRescheduled, participantsOf } from '../model/notify.service.ts'

type Built = Awaited<ReturnType<typeof columnsOf>>

interface Proposal extends Built {
  lesson: ReachedLesson
  before: LessonValues
  after: LessonValues
  differences: Difference[]
}

/**
 * Puts a change of a published course before the people who approved it. The course itself stays as it is: the change
 * waits beside it, only with what it changes, and holds its new papers. Where nobody has to be asked it takes effect at
 * once.
 */
export async function proposeChange(ctx: Context, { lesson, before, after, columns, sessions, differences }: Proposal) {
  const { schoolId } = ctx.actor
  const { liId } = lesson
  const lcId = newId()
  const added = filesOf(after).filter((id) => !filesOf(before).includes(id))
  await useFiles(ctx, added)
  const moved = differences.some(({ field }) => field === 'startTime' || field === 'endTime' || field === 'sessions')
  await ctx.db
    .insertInto('lessonChange')
    .values({
      schoolId,
      lcId,
      liId,
      createBy: ctx.actor.suId,
      createName: ctx.actor.suNickname,
      createTime: ctx.clock.now(),
      columns: JSON.stringify(patchOf(lesson, columns)),
      differences: JSON.stringify(differences),
      sessions: sameList(before.sessions, sessions) ? null : JSON.stringify(sessions),
      teacherIds: sameList(before.teacherIds, after.teacherIds) ? null : after.teacherIds,
      signerIds: sameList(before.signerIds, after.signerIds) ? null : after.signerIds,
      filesBefore: idsOf(filesOf(before)),
      filesAfter: idsOf(filesOf(after)),
    })
    .execute()
  const saved = await ctx.db
    .updateTable('lesson')
    .set({ changeId: lcId, ...updatedColumns(ctx) })
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .returning(['liId', 'liNo', 'liStatus', 'version'])
    .executeTakeFirstOrThrow()
  await audit(ctx, {
    action: '申请变更课程',
    bizType: 'lesson',
    bizId: liId,
    bizName: lesson.liName,
    before: pick(differences, 'before'),
    after: pick(differences, 'after'),
  })
  const atOnce = await startChangeApproval(ctx, { ...lesson, ...columns }, after, differences, moved)
  if (atOnce) await applyChange(ctx, liId)
  return { ...saved, version: saved.version + (atOnce ? 1 : 0), isChanging: !atOnce }
}

/**
 * Puts the change of a course that has been approved into force, and tells whoever has registered what concerns them.
 * @returns whether there was one
 */
export async function applyChange(ctx: Context, liId: string): Promise<boolean> {
  const { schoolId } = ctx.actor
  const held = await openChange(ctx, liId)
  if (!held) return false
  const { lesson, change } = held
  const columns = change.columns as Updateable<Tables['lesson']>
  // people may have come since: nobody who was admitted loses their place, and who came alone or in teams did so
  const keepsUnits = (columns.applyUnit ?? columns.quotaUnit) !== undefined && (await hasRegistered(ctx, lesson))
  // and what they have handed in since is shown beside what was asked for
  const keepsRequest = columns.workRequest === '' && (await countWorks(ctx, liId)) > 0
  const quota = Math.max(Number(columns.quota ?? lesson.quota), await placesTaken(ctx, lesson))
  const set = {
    ...columns,
    quota,
    ...(keepsUnits && pickUnits(lesson)),
    ...(keepsRequest && { workRequest: lesson.workRequest }),
  }
  await ctx.db
    .updateTable('lesson')
    .set({ ...set, changeId: null, ...updatedColumns(ctx) })
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .execute()
  await writePeople(ctx, liId, { teacherIds: change.teacherIds ?? undefined, signerIds: change.signerIds ?? undefined })
  const signed = change.sessions
    ? await writeSessions(ctx, liId, change.sessions as { startTime: string; endTime: string; placeText?: string }[])
    : []
  await releaseFiles(
    ctx,
    change.filesBefore.filter((id) => !change.filesAfter.includes(id)),
  )
  await close(ctx, change.lcId, lessonChangeStatus.passed)
  await appointStageCheckers(ctx, liId)
  if (columns.reservedIds) await admitReserved(ctx, liId, lesson.reservedIds)
  if (quota > lesson.quota || change.sessions || placesRestOn.some((column) => columns[column] !== undefined))
    await promoteWaiting(ctx, liId)
  const differences = change.differences as unknown as Difference[]
  const named = { liId, liName: columns.liName ?? lesson.liName }
  const unrated = ratingsRestOn(columns, differences) ? await unrateAll(ctx, named) : 0
  await audit(ctx, {
    action: '课程变更生效',
    bizType: 'lesson',
    bizId: liId,
    bizName: lesson.liName,
    before: pick(differences, 'before'),
    after: { ...pick(differences, 'after'), ...(unrated > 0 && { unrated }) },
    reason: [
      ...(keepsUnits ? ['审批期间已有人报名或组队，报名单位、每队人数与名额单位保持不变'] : []),
      ...(keepsRequest ? ['审批期间已有人提交成果，成果要求保持不变'] : []),
      ...signed.map(({ startTime }) => `审批期间已有人签到 ${startTime.slice(0, 16)} 的场次，该场次保留`),
    ].join('；'),
  })
  const after = { startTime: lesson.startTime, endTime: lesson.endTime, placeText: lesson.placeText, ...columns }
  if (movesPlan(lesson, after)) await notifyRescheduled(ctx, named, lesson, after)
  return true
}

/** What besides quota and sessions can keep somebody who waits from a place. */
const placesRestOn = ['quotaByCollege', 'startTime', ...rangeFields] as const

/** What a rating is worked out from, and what has to be met to be rated as passed; besides the sessions. */
const ratedFrom = ['liHours', 'liLevel', 'liKind', 'esId', 'atId', 'minAttendRate', 'signOutOn'] as const

/** Whether a change reaches what people have been rated by. */
const ratingsRestOn = (columns: Updateable<Tables['lesson']>, differences: readonly Difference[]): boolean =>
  ratedFrom.some((column) => columns[column] !== undefined) || differences.some(({ field }) => field === 'sessions')

/**
 * Takes back the ratings of a locked course that were given under what was approved before, so that nobody is credited
 * with it, and tells who looks after the course.
 * @returns how many there were
 */
async function unrateAll(ctx: Context, lesson: { liId: string; liName: string }): Promise<number> {
  const rated = await from(ctx, 'registration')
    .select(['laId', 'laStatus', 'laSignStatus', 'laResult'])
    .where('liId', '=', lesson.liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where('laResult', '!=', resultStatus.unrated)
    .orderBy('laId')
    .forUpdate()
    .execute()
  const unrated = await unrate(ctx, lesson.liId, rated)
  if (unrated > 0)
    await notifyOrganisers(
      ctx,
      lesson,
      messageType.reminder,
      `《${lesson.liName}》须重新评定`,
      `课程变更已生效，评定所依据的内容有变，原有 ${unrated} 人的评定已撤回，请重新评定后再提交结果。`,
      { link: participantsOf(lesson), evenWhoDidIt: true },
    )
  return unrated
}

const dropped = {
  refused: { lcStatus: lessonChangeStatus.refused, action: '课程变更被驳回' },
  withdrawn: { lcStatus: lessonChangeStatus.withdrawn, action: '撤回课程变更' },
  terminated: { lcStatus: lessonChangeStatus.terminated, action: '课程变更审批被终止' },
} as const

/**
 * Lets go of a change that was refused, taken back or ended without a decision; the course stays as it was approved.
 * @returns whether there was one
 */
export async function dropChange(ctx: Context, liId: string, end: keyof typeof dropped, reason = ''): Promise<boolean> {
  const held = await openChange(ctx, liId)
  if (!held) return false
  const { lesson, change } = held
  await ctx.db
    .updateTable('lesson')
    .set({ changeId: null, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', liId)
    .execute()
  await releaseFiles(
    ctx,
    change.filesAfter.filter((id) => !change.filesBefore.includes(id)),
  )
  const { lcStatus, action } = dropped[end]
  await close(ctx, change.lcId, lcStatus, reason)
  await audit(ctx, {
    action,
    bizType: 'lesson',
    bizId: liId,
    bizName: lesson.liName,
    reason,
  })
  return true
}

/**
 * The course, locked, with its change; nothing where there is none. Whoever decides need not see the course by any
 * other right.
 */
async function openChange({ db, actor }: Context, liId: string) {
  const { schoolId } = actor
  const lesson = await from({ db, schoolId }, 'lesson')
    .select([
      'liId',
      'liName',
      'applyUnit',
      'teamMin',
      'teamMax',
      'quota',
      'quotaUnit',
      'applyCount',
      'passCount',
      'startTime',
      'endTime',
      'placeText',
      'changeId',
      'reservedIds',
      'workRequest',
    ])
    .where('liId', '=', liId)
    .forUpdate()
    .executeTakeFirst()
  if (!lesson?.changeId) return undefined
  const change = await from({ db, schoolId }, 'lessonChange')
    .selectAll()
    .where('lcId', '=', lesson.changeId)
    .executeTakeFirstOrThrow()
  return { lesson, change }
}

const close = ({ db, actor, clock }: Context, lcId: string, lcStatus: string, reason = '') =>
  db
    .updateTable('lessonChange')
    .set({ lcStatus, reason, endTime: clock.now() })
    .where('schoolId', '=', actor.schoolId)
    .where('lcId', '=', lcId)
    .execute()

/** The change under approval, as the pages of the course show it. */
export const changeOf = async ({ db, actor }: Context, liId: string) =>
  (
    await sql<{ lcId: string; createName: string; createTime: string; differences: Difference[] }>`
      select "lcId", "createName", "createTime", "differences"
      from "lessonChange"
      where "schoolId" = ${actor.schoolId}
        and "liId" = ${liId}::uuid
        and "lcStatus" = ${sql.lit(lessonChangeStatus.inReview)}`.execute(db)
  ).rows[0] ?? null

/** Who registers and what a place is for, as it is. */
const pickUnits = ({
  applyUnit,
  teamMin,
  teamMax,
  quotaUnit,
}: Pick<ReachedLesson, 'applyUnit' | 'teamMin' | 'teamMax' | 'quotaUnit'>) => ({
  applyUnit,
  teamMin,
  teamMax,
  quotaUnit,
})

/** Only the columns that would be different: what others write meanwhile is not written over. */
function patchOf(lesson: ReachedLesson, columns: Built['columns']): Partial<Built['columns']> {
  const same = (field: keyof typeof columns) =>
    JSON.stringify(lesson[field]) ===
    (field === 'liExt' || field === 'quotaByCollege' ? columns[field] : JSON.stringify(columns[field]))
  return Object.fromEntries(Object.entries(columns).filter(([field]) => !same(field as keyof typeof columns)))
}

const sameList = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  JSON.stringify(before) === JSON.stringify(after)
const idsOf = (files: (string | null | undefined)[]): string[] => files.filter((id) => typeof id === 'string')
const pick = (differences: readonly Difference[], side: 'before' | 'after') =>
  Object.fromEntries(differences.map(({ field, [side]: value }) => [field, value]))
