import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, resultStatus, signStatus, signType } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../../contract/core/file.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { audit } from '../../../core/audit/audit.ts'
import { chunksOf, recordset } from '../../../core/database/bulk.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { codePackage, type CodeSession } from './code-package.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { signCode } from './codes.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { auditPeople, onParticipants, type RegistrationRow } from '../registration/registration.service.ts'
import { moveCounters } from '../registration/registration-write.ts'

/** `signMethod`, as `dictionary.sign_type`. */
export const signMethods = {
  code: signType.activityCode,
  typed: signType.password,
  student: signType.studentCode,
  manual: signType.manual,
  sheet: signType.imported,
} as const

/** What attendance says of a participant. */
export interface Sign {
  laSignStatus: string
  signInTime: string | null
  signOutTime: string | null
}

/**
 * The attendance a participant has after a status was entered at a moment: a first arrival is kept, leaving is added.
 * Pure.
 */
export function signed(row: Sign, laSignStatus: string, at: string): Sign {
  if (laSignStatus === signStatus.notSigned || laSignStatus === signStatus.absent)
    return { laSignStatus, signInTime: null, signOutTime: null }
  if (laSignStatus === signStatus.exempt)
    return { laSignStatus, signInTime: row.signInTime, signOutTime: row.signOutTime }
  const left = laSignStatus === signStatus.signedOut || laSignStatus === signStatus.leftEarly
  return { laSignStatus, signInTime: row.signInTime ?? at, signOutTime: left ? at : row.signOutTime }
}

/** Enters attendance by hand, for one or many participants; one who was not admitted, and nothing is entered. */
export function signParticipants(
  ctx: Context,
  { laIds, laSignStatus, reason = '' }: Checked<typeof registrationApi.sign>,
) {
  return onParticipants(ctx, 'sign', laIds, async (tx, lesson, rows) => {
    if (laSignStatus === signStatus.madeUp && [...reason].length < 5) throw new Failure('sign-reason-needed')
    const outsider = rows.find(({ laStatus }) => laStatus !== applyStatus.accepted)
    if (outsider) throw new Failure('not-participant', { name: outsider.suiName, act: '登记签到' })
    const now = tx.clock.now()
    await writeSigns(
      tx,
      lesson,
      rows.map((row) => ({ row, sign: signed(row, laSignStatus, now) })),
      signMethods.manual,
      reason,
    )
    await auditPeople(
      tx,
      registrationApi.sign.summary,
      lesson,
      rows,
      { laSignStatus: labelOf('sign_status', laSignStatus) },
      reason,
    )
    return { affected: rows.length }
  })
}

type Signable = Pick<RegistrationRow, 'laId' | 'laStatus' | 'laSignStatus' | 'laResult'>

/**
 * Whether a rating still holds under another attendance. Whoever was not there, or not to the end, can only have
 * failed; whoever failed for that is rated anew once it turns out that they were.
 */
function keepsRating({ laResult, laSignStatus }: Signable, now: string): boolean {
  const stayed = (status: string) => attendedStatuses.includes(status) && status !== signStatus.leftEarly
  return laResult === resultStatus.failed ? stayed(laSignStatus) || !stayed(now) : stayed(now)
}

/** Writes attendance of admitted participants. A rating that attendance no longer bears is taken back. */
export async function writeSigns(
  ctx: Context,
  lesson: ReachedLesson,
  signs: readonly { row: Signable; sign: Sign }[],
  signMethod: string,
  signReason = '',
): Promise<void> {
  const { schoolId, suId } = ctx.actor
  const rows = signs.map(({ row, sign }) => ({
    laId: row.laId,
    ...sign,
    keeps: keepsRating(row, sign.laSignStatus),
  }))
  const cleared = (name: string, empty: string) =>
    sql`${sql.ref(name)} = case when r."keeps" then t.${sql.ref(name)} else ${sql.raw(empty)} end`
  for await (const some of chunksOf(rows, 2000)) {
    await sql`
        update "registration" t
        set "laSignStatus" = r."laSignStatus",
          "signInTime" = r."signInTime",
          "signOutTime" = r."signOutTime",
          "updateTime" = ${ctx.clock.now()}::timestamptz,
          "version" = t."version" + 1,
          "signMethod" = case
            when r."laSignStatus" = ${sql.lit(signStatus.notSigned)} then null
            else ${signMethod}
          end,
          "signBy" = case when r."laSignStatus" = ${sql.lit(signStatus.notSigned)} then null else ${suId}::uuid end,
          "signReason" = ${signReason},
          ${sql.join([cleared('laResult', `'${resultStatus.unrated}'`), cleared('adId', 'null'), cleared('awardName', `''`), cleared('laHours', '0'), cleared('laCredit', '0'), cleared('laPoints', '0')])}
        from
        ${recordset(some, { laId: 'uuid', laSignStatus: 'text', signInTime: 'timestamptz', signOutTime: 'timestamptz', keeps: 'boolean' })}
        where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
  }
  const gone = rows
    .filter(({ laSignStatus }) => laSignStatus === signStatus.notSigned || laSignStatus === signStatus.absent)
    .map(({ laId }) => laId)
  if (gone.length > 0)
    await ctx.db.deleteFrom('sessionSign').where('schoolId', '=', schoolId).where(anyOf('laId', gone)).execute()
  const after = signs.map(({ row, sign }, at) => ({
    ...row,
    laSignStatus: sign.laSignStatus,
    laResult: rows[at]!.keeps ? row.laResult : resultStatus.unrated,
  }))
  await moveCounters(
    ctx,
    lesson.liId,
    signs.map(({ row }) => row),
    after,
  )
}

/**
 * The sign-in codes of all sessions as printable pictures, from some hours before the activity on. A code is void when
 * the window of its session closes.
 */
export async function lessonCodes(ctx: Context, { liId }: Checked<typeof lessonApi.codePackage>): Promise<FileAnswer> {
  const lesson = await lessonFor(ctx, 'codes', liId, { lock: false })
  const { schoolId } = ctx.actor
  const { signCloseMinutes, signOutCloseMinutes } = await schoolSettings(ctx, schoolId)
  const sessions = await from(ctx, 'lessonSession').selectAll().where('liId', '=', liId).orderBy('lseNo').execute()
  const coded = sessions.map(({ lseNo, startTime, endTime, placeText, codeSecret }): CodeSession => {
    const textOf = (direction: 'in' | 'out') =>
      signCode(codeSecret, {
        schoolId,
        liId,
        lseNo,
        direction,
        expires:
          direction === 'in' ? addMinutes(startTime, signCloseMinutes) : addMinutes(endTime, signOutCloseMinutes),
      })
    return {
      no: lseNo,
      startTime,
      endTime,
      placeText: placeText || lesson.placeText,
      signInText: textOf('in'),
      ...(lesson.signOutOn === yesNo.yes ? { signOutText: textOf('out') } : {}),
    }
  })
  await audit(ctx, {
    action: '下载签到码',
    bizType: 'lesson',
    bizId: liId,
    bizName: lesson.liName,
    after: { sessions: coded.length },
  })
  return {
    name: `签到码_${lesson.liNo}.zip`,
    type: 'application/zip',
    body: codePackage(lesson, coded, ctx.clock.now()),
  }
}
