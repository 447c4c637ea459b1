import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, signType as signTypeCodes } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { signingApi } from '../../../../contract/programme/lessons/signing.calls.ts'
import { addMinutes, epochOf } from '../../../core/base/clock.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { qrPicture } from './code-package.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { signMethods, writeSigns } from './attendance.service.ts'
import {
  codeHolds,
  isTyped,
  movingCode,
  movingHolds,
  readCode,
  readMoving,
  typedCode,
  typedHolds,
  typedSeconds,
} from './codes.ts'
import { countedTry } from '../model/code-tries.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { auditPeople, withCourseQueue } from '../registration/registration.service.ts'
import { presentStatuses } from '../model/registration-counts.ts'
import { comes, leaves, metresBetween, statusAfter, type SignRules } from '../model/sign-rules.ts'

interface SessionRow {
  lseNo: number
  startTime: string
  endTime: string
  placeText: string
  codeSecret: Buffer
}

const sessionsOf = (ctx: Pick<Context, 'db' | 'actor'>, liId: string): Promise<SessionRow[]> =>
  from(ctx, 'lessonSession')
    .select(['lseNo', 'startTime', 'endTime', 'placeText', 'codeSecret'])
    .where('liId', '=', liId)
    .orderBy('lseNo')
    .execute()

/** From when to when a session's codes count. */
function windowOf(
  { startTime, endTime }: SessionRow,
  direction: 'in' | 'out',
  rules: SignRules,
): { opens: string; closes: string } {
  return direction === 'in'
    ? { opens: addMinutes(startTime, -rules.signOpenMinutes), closes: addMinutes(startTime, rules.signCloseMinutes) }
    : { opens: addMinutes(endTime, -rules.signOutOpenMinutes), closes: addMinutes(endTime, rules.signOutCloseMinutes) }
}

const stepOf = (now: string, every: number): number => Math.floor(epochOf(now) / 1000 / every)

/** What a big screen shows: the code of a session for this moment, and how many have come. */
export async function signBoard(ctx: Context, input: Checked<typeof signingApi.board>) {
  const { liId } = input
  const lesson = await lessonFor(ctx, 'sign', liId, { lock: false })
  const { schoolId } = ctx.actor
  const rules = await schoolSettings(ctx, schoolId)
  const sessions = await sessionsOf(ctx, liId)
  const now = ctx.clock.now()
  // whose time it is: the first session whose last code is not over yet
  const over = (session: SessionRow) => windowOf(session, lesson.signOutOn === yesNo.yes ? 'out' : 'in', rules).closes
  const session =
    sessions.find(({ lseNo }) => lseNo === input.lseNo) ?? sessions.find((one) => now <= over(one)) ?? sessions.at(-1)
  if (!session) throw new Failure('not-found')
  const direction =
    lesson.signOutOn !== yesNo.yes
      ? 'in'
      : (input.direction ?? (now > windowOf(session, 'in', rules).closes ? 'out' : 'in'))
  const { opens, closes } = windowOf(session, direction, rules)
  const open = now >= opens && now <= closes
  const every = rules.codeSeconds
  const code = open
    ? movingCode(session.codeSecret, { schoolId, liId, lseNo: session.lseNo, direction, step: stepOf(now, every) })
    : null
  const typed =
    open && lesson.signType.includes(signTypeCodes.password)
      ? typedCode(session.codeSecret, { lseNo: session.lseNo, direction, step: stepOf(now, typedSeconds) })
      : null
  const { counts, last } = await arrivals(ctx, liId, session.lseNo, direction)
  return {
    liName: lesson.liName,
    signOutOn: lesson.signOutOn,
    now,
    passCount: lesson.passCount,
    signCount: lesson.signCount,
    lseNo: session.lseNo,
    direction,
    opens,
    closes,
    open,
    every,
    sessions: sessions.map(({ lseNo, startTime, endTime, placeText }) => ({
      lseNo,
      startTime,
      endTime,
      placeText: placeText || lesson.placeText,
      came: counts.get(lseNo)?.came ?? 0,
      left: counts.get(lseNo)?.left ?? 0,
    })),
    typed,
    code,
    picture: code && (await qrPicture(code)),
    leftSeconds: every - ((epochOf(now) / 1000) % every),
    last,
  }
}

/** Who came by code: numbers by session, and the last five of one. */
async function arrivals({ db, actor }: Context, liId: string, lseNo: number, direction: 'in' | 'out') {
  const column = direction === 'in' ? sql.ref('x.signInTime') : sql.ref('x.signOutTime')
  const of = sql`from "sessionSign" x
    join "registration" r on r."schoolId" = x."schoolId" and r."laId" = x."laId"
    where r."schoolId" = ${actor.schoolId} and r."liId" = ${liId}::uuid and r."delFlag" = '0'`
  const { rows } = await sql<{
    lseNo: number
    came: number
    left: number
  }>`select x."lseNo", count(*)::int as "came", count(x."signOutTime")::int as "left" ${of} group by 1`.execute(db)
  const { rows: last } = await sql<{
    suiName: string
    time: string
  }>`
    select p."suiName", t."time"
    from (
      select r."suId", ${column} as "time" ${of} and x."lseNo" = ${lseNo} and ${column} is not null
      order by ${column} desc
      limit 5
    ) t
    join "person" p on p."schoolId" = ${actor.schoolId} and p."suId" = t."suId"
    order by t."time" desc`.execute(db)
  return { counts: new Map(rows.map((row) => [row.lseNo, row])), last }
}

interface Scanned {
  laId: string
  suiName: string
  suiNumber: string
  laStatus: string
  laSignStatus: string
  laResult: string
  signInTime: string | null
  signOutTime: string | null
  sessionIn: string | null
  sessionOut: string | null
}

/**
 * Which session of this course a code is for; a code of elsewhere, an old one of a screen or a forged one is refused.
 */
function sessionOfCode(
  ctx: Context,
  lesson: ReachedLesson,
  code: string,
  sessions: readonly SessionRow[],
  rules: SignRules & { codeSeconds: number },
): { session: SessionRow; direction: 'in' | 'out' } {
  if (isTyped(code)) return sessionOfTyped(ctx.clock.now(), lesson, code, sessions, rules)
  const claimed = readMoving(code) ?? readCode(code)
  if (!claimed) throw new Failure('code-wrong')
  if (claimed.schoolId !== ctx.actor.schoolId || claimed.liId !== lesson.liId) throw new Failure('code-of-other')
  const session = sessions.find(({ lseNo }) => lseNo === claimed.lseNo)
  // a printed code that is sealed rightly is told when its window is over, so its own end is not asked here
  if (
    !session ||
    !(
      movingHolds(code, session.codeSecret, stepOf(ctx.clock.now(), rules.codeSeconds)) ||
      codeHolds(code, session.codeSecret, '')
    )
  )
    throw new Failure('code-wrong')
  return { session, direction: claimed.direction === 'out' ? 'out' : 'in' }
}

/** The session in whose window these digits are shown; only where the course is signed in to by typing. */
function sessionOfTyped(
  now: string,
  { signType }: ReachedLesson,
  code: string,
  sessions: readonly SessionRow[],
  rules: SignRules,
): { session: SessionRow; direction: 'in' | 'out' } {
  const step = stepOf(now, typedSeconds)
  for (const session of signType.includes(signTypeCodes.password) ? sessions : []) {
    for (const direction of ['in', 'out'] as const) {
      const { opens, closes } = windowOf(session, direction, rules)
      if (
        now >= opens &&
        now <= closes &&
        typedHolds(code, session.codeSecret, { lseNo: session.lseNo, direction }, step)
      )
        return { session, direction }
    }
  }
  throw new Failure('code-wrong')
}

/** Takes a scanned or typed code; of typed ones only so many wrong ones. */
export const scanCode = (ctx: Context, input: Checked<typeof signingApi.scan>) =>
  isTyped(input.code) ? countedTry(ctx, input.liId, 'sign', () => takeCode(ctx, input)) : takeCode(ctx, input)

/**
 * Takes a scanned code for a student of the course: signs them in or out, once a session, in its window, and near
 * enough where places count.
 */
function takeCode(ctx: Context, { liId, code, suiNumber, lng, lat }: Checked<typeof signingApi.scan>) {
  return withCourseQueue(ctx, liId, async (tx) => {
    const { schoolId, suId } = tx.actor
    const lesson = await lessonFor(tx, 'sign', liId)
    const rules = await schoolSettings(tx, schoolId)
    const sessions = await sessionsOf(tx, liId)
    const { session, direction } = sessionOfCode(tx, lesson, code, sessions, rules)
    const row = await scannedRow(tx, liId, suiNumber, session.lseNo)
    if (row.laStatus !== applyStatus.accepted) throw new Failure('not-participant', { name: row.suiName, act: '签到' })
    if (direction === 'out' && lesson.signOutOn !== yesNo.yes) throw new Failure('no-sign-out')
    const now = tx.clock.now()
    // who was signed in by hand in a course of one session has come to it
    const byHand = sessions.length === 1 && presentStatuses.includes(row.laSignStatus)
    const known = {
      signInTime: row.sessionIn ?? (byHand ? row.signInTime : null),
      signOutTime: row.sessionOut ?? (byHand ? row.signOutTime : null),
    }
    const scan =
      direction === 'in' ? comes(session, known, now, rules, lesson.lateMinutes) : leaves(session, known, now, rules)
    if ('refusal' in scan) throw new Failure(scan.refusal, { name: row.suiName, ...scan.words })
    refuseFar(lesson, lng, lat, rules.signDistance)
    const laSignStatus = statusAfter(row.laSignStatus, {
      direction,
      late: scan.late,
      last: session.lseNo === sessions.at(-1)!.lseNo,
    })
    await tx.db
      .insertInto('sessionSign')
      .values({
        schoolId,
        laId: row.laId,
        lseNo: session.lseNo,
        signInTime: known.signInTime ?? now,
        signOutTime: direction === 'out' ? now : null,
        signBy: suId,
        signLng: lng ?? null,
        signLat: lat ?? null,
      })
      .onConflict((taken) => taken.columns(['schoolId', 'laId', 'lseNo']).doUpdateSet({ signOutTime: now }))
      .execute()
    await writeSigns(
      tx,
      lesson,
      [
        {
          row,
          sign: {
            laSignStatus,
            signInTime: row.signInTime ?? now,
            signOutTime: direction === 'out' ? now : row.signOutTime,
          },
        },
      ],
      isTyped(code) ? signMethods.typed : signMethods.code,
    )
    await auditPeople(tx, signingApi.scan.summary, lesson, [row], {
      lseNo: session.lseNo,
      direction: direction === 'in' ? '签到' : '签退',
      laSignStatus: labelOf('sign_status', laSignStatus),
    })
    return { suiName: row.suiName, suiNumber: row.suiNumber, lseNo: session.lseNo, direction, laSignStatus, time: now }
  })
}

async function scannedRow({ db, actor }: Context, liId: string, suiNumber: string, lseNo: number): Promise<Scanned> {
  const { rows } = await sql<Scanned>`
      select r."laId", p."suiName", p."suiNumber", r."laStatus", r."laSignStatus", r."laResult", r."signInTime",
        r."signOutTime", x."signInTime" as "sessionIn", x."signOutTime" as "sessionOut"
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

/** Where a course is signed in to by place, the scan must say where it was made, and be near. */
function refuseFar(
  { signType, signLng, signLat, signRadius }: ReachedLesson,
  lng: number | undefined,
  lat: number | undefined,
  distance: number,
): void {
  if (!signType.includes(signTypeCodes.location) || signLng === null || signLat === null) return
  if (lng === undefined || lat === undefined) throw new Failure('position-needed')
  const [n, m] = [metresBetween({ lng: signLng, lat: signLat }, { lng, lat }), signRadius ?? distance]
  if (n > m) throw new Failure('too-far', { n, m })
}
