import { sql } from 'kysely'
import { messageType } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { notify } from '../../../platform/notifications/notify.service.ts'

interface NotifiedLesson {
  liId: string
  liName: string
}
interface Plan {
  startTime: string
  endTime: string
  placeText: string
}

/** The course itself. */
export const detailOf = ({ liId }: Pick<NotifiedLesson, 'liId'>): string =>
  `/courseManagement/detailCurriculumList?liId=${liId}`
/** Where the participants of a course are looked after. */
export const participantsOf = ({ liId }: NotifiedLesson): string =>
  `/courseManagement/CurriculumList/Participants?liId=${liId}`

/** Tells everybody who has registered and was not turned away. */
export async function notifyParticipants(
  ctx: Context,
  lesson: NotifiedLesson,
  title: string,
  content: string,
): Promise<void> {
  const rows = await from(ctx, 'registration')
    .select('suId')
    .where('liId', '=', lesson.liId)
    .where('laStatus', 'in', [applyStatus.pending, applyStatus.accepted, applyStatus.waitlisted, applyStatus.onLeave])
    .execute()
  await notify(ctx, {
    suIds: rows.map(({ suId }) => suId),
    type: messageType.system,
    title,
    content,
    bizType: 'lesson',
    bizId: lesson.liId,
    link: detailOf(lesson),
  })
}

/** Tells those who look after a course: who made it, its principal, and its teachers. */
export async function notifyOrganisers(
  ctx: Context,
  lesson: NotifiedLesson,
  type: '1' | '3',
  title: string,
  content: string,
  { link = detailOf(lesson), evenWhoDidIt = false }: { link?: string; evenWhoDidIt?: boolean } = {},
): Promise<void> {
  const { rows } = await sql<{ suId: string }>`
      select "liPrincipalId" "suId"
      from "lesson"
      where "schoolId" = ${ctx.actor.schoolId} and "liId" = ${lesson.liId}::uuid
      union
      select "createBy"
      from "lesson"
      where "schoolId" = ${ctx.actor.schoolId} and "liId" = ${lesson.liId}::uuid and "createBy" is not null
      union
      select "suId"
      from "lessonPerson"
      where "schoolId" = ${ctx.actor.schoolId} and "liId" = ${lesson.liId}::uuid and "lpRole" = ${sql.lit(lessonPersonRole.teacher)}`.execute(
    ctx.db,
  )
  await notify(ctx, {
    suIds: rows.map(({ suId }) => suId),
    type,
    title,
    content,
    bizType: 'lesson',
    bizId: lesson.liId,
    link,
    evenWhoDidIt,
  })
}

/**
 * Tells organisers and participants that a course was ended as abnormal.
 * @param credited it had been credited, which is taken back
 */
export async function notifyEndedAbnormally(
  ctx: Context,
  lesson: NotifiedLesson,
  reason: string,
  { credited = false } = {},
): Promise<void> {
  const { liName } = lesson
  const nothing = credited ? '不认定学时，已入账的学时、学分已冲回' : '不认定学时'
  await notifyOrganisers(
    ctx,
    lesson,
    messageType.system,
    `《${liName}》异常结项`,
    `《${liName}》已按异常结项处理，${nothing}。\n原因：${reason}`,
  )
  await notifyParticipants(
    ctx,
    lesson,
    `《${liName}》不认定学时`,
    `您参加的《${liName}》异常结项，${nothing}，也不影响诚信分。\n原因：${reason}`,
  )
}

/** Tells those who have registered that time or place are others now. */
export function notifyRescheduled(ctx: Context, lesson: NotifiedLesson, before: Plan, after: Plan): Promise<void> {
  const moved = [
    before.startTime !== after.startTime || before.endTime !== after.endTime
      ? `时间：${periodOf(before)} 改为 ${periodOf(after)}`
      : '',
    before.placeText !== after.placeText ? `地点：${before.placeText || '未定'} 改为 ${after.placeText || '未定'}` : '',
  ]
  return notifyParticipants(
    ctx,
    lesson,
    `《${lesson.liName}》时间或地点有调整`,
    `您报名的《${lesson.liName}》有调整，请留意。\n${moved.filter(Boolean).join('\n')}`,
  )
}

const periodOf = ({ startTime, endTime }: Plan): string =>
  `${startTime.slice(0, 16)} 至 ${startTime.slice(0, 10) === endTime.slice(0, 10) ? endTime.slice(11, 16) : endTime.slice(0, 16)}`
