import { sql } from 'kysely'
import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { Context } from '../../../core/request/context.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { attendedStatuses, presentStatuses } from '../model/registration-counts.ts'
import { comes, leaves, statusAfter, type SignRules } from '../model/sign-rules.ts'
import { auditPeople } from '../registration/registration.service.ts'
import { signMethods, writeSigns } from './attendance.service.ts'
import type { Direction, SessionRow } from './sessions.queries.ts'

/** A participant as they stand before they sign in or out. */
interface Scanned {
  laId: string
  suiName: string
  suiNumber: string
  laStatus: string
  laSignStatus: string
  laResult: string
  signInTime: string | null
  signOutTime: string | null
  signMethod: string | null
  signReason: string
  sessionIn: string | null
  sessionOut: string | null
}

/** The participant of a course by their number, locked, with what is known of a session. */
export async function scannedRow(
  { db, actor }: Context,
  liId: string,
  suiNumber: string,
  lseNo: number,
): Promise<Scanned> {
  const { rows } = await sql<Scanned>`
      select r."laId", p."suiName", p."suiNumber", r."laStatus", r."laSignStatus", r."laResult", r."signInTime",
        r."signOutTime", r."signMethod", r."signReason", x."signInTime" as "sessionIn", x."signOutTime" as "sessionOut"
      from "person" p
      join "registration" r on r."schoolId" = p."schoolId"
        and r."suId" = p."suId"
        and r."liId" = ${liId}::uuid
        and r."delFlag" = '0'
      left join "sessionSign" x on x."schoolId" = r."schoolId" and x."laId" = r."laId" and x."lseNo" = ${lseNo}
      where p."schoolId" = ${actor.schoolId} and p."suiNumber" = ${suiNumber} and p."delFlag" = '0'
      for update of r`.execute(db)
  if (!rows[0]) throw new Failure('not-on-list', { number: suiNumber })
  return rows[0]
}

interface Entry {
  sessions: readonly SessionRow[]
  session: SessionRow
  direction: Direction
  /** The moment that counts. */
  at: string
  rules: SignRules
  /** `signMethod`, and the words of the trail. */
  method: string
  action: string
  position?: { lng: number | undefined; lat: number | undefined }
  /** Throws where the place of the scan does not bear it; asked last. */
  assertPlace?: () => void
  deviceHash?: Buffer
}

/**
 * Signs a participant in or out of a session as of a moment: once, in its window, by the rules of the course. Always in
 * a transaction that has locked the course.
 */
export async function enterSign(ctx: Context, lesson: ReachedLesson, row: Scanned, entry: Entry) {
  const { schoolId, suId } = ctx.actor
  const { sessions, session, direction, at, rules } = entry
  if (row.laStatus !== applyStatus.accepted) throw new Failure('not-participant', { name: row.suiName, act: '签到' })
  if (direction === 'out' && lesson.signOutOn !== yesNo.yes) throw new Failure('no-sign-out')
  // who was signed in by hand in a course of one session has come to it
  const byHand = sessions.length === 1 && presentStatuses.includes(row.laSignStatus)
  const known = {
    signInTime: row.sessionIn ?? (byHand ? row.signInTime : null),
    signOutTime: row.sessionOut ?? (byHand ? row.signOutTime : null),
  }
  const scan =
    direction === 'in' ? comes(session, known, at, rules, lesson.lateMinutes) : leaves(session, known, at, rules)
  if ('refusal' in scan) throw new Failure(scan.refusal, { name: row.suiName, ...scan.words })
  entry.assertPlace?.()
  const laSignStatus = statusAfter(row.laSignStatus, {
    direction,
    late: scan.late,
    last: session.lseNo === sessions.at(-1)!.lseNo,
  })
  await ctx.db
    .insertInto('sessionSign')
    .values({
      schoolId,
      laId: row.laId,
      lseNo: session.lseNo,
      signInTime: known.signInTime ?? at,
      signOutTime: direction === 'out' ? at : null,
      signBy: suId,
      signLng: entry.position?.lng ?? null,
      signLat: entry.position?.lat ?? null,
      deviceHash: entry.deviceHash ?? null,
    })
    .onConflict((taken) => taken.columns(['schoolId', 'laId', 'lseNo']).doUpdateSet({ signOutTime: at }))
    .execute()
  const entered =
    attendedStatuses.includes(row.laSignStatus) && isOneOf(row.signMethod, signMethods.manual, signMethods.sheet)
  await writeSigns(
    ctx,
    lesson,
    [
      {
        row,
        sign: {
          laSignStatus,
          signInTime: row.signInTime ?? at,
          signOutTime: direction === 'out' ? at : row.signOutTime,
        },
      },
    ],
    // attendance that was entered for the whole course stays so: a scan of one session adds to it
    entered ? row.signMethod! : entry.method,
    entered ? row.signReason : '',
  )
  await auditPeople(ctx, entry.action, lesson, [row], {
    lseNo: session.lseNo,
    direction: direction === 'in' ? '签到' : '签退',
    laSignStatus: labelOf('sign_status', laSignStatus),
    // where it was handed in later than it was made
    ...(at !== ctx.clock.now() && { signTime: at }),
  })
  return {
    suiName: row.suiName,
    suiNumber: row.suiNumber,
    lseNo: session.lseNo,
    direction,
    laSignStatus,
    time: at,
  }
}
