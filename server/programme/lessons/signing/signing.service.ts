import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { signType as signTypeCodes } from '../../../../contract/core/codes/programme.ts'
import { signHint } from '../../../../contract/core/codes/signing.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { signingApi } from '../../../../contract/programme/lessons/signing.calls.ts'
import { epochOf, secondsBetween } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { countedTry } from '../model/code-tries.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { handInMinutes, scanMoment, type ScanMoment } from '../model/scan-moment.ts'
import { isSignedByPlace, metresBetween, type SignRules } from '../model/sign-rules.ts'
import { withCourseQueue } from '../registration/registration.service.ts'
import { signMethods } from './attendance.service.ts'
import { qrPicture } from './code-package.ts'
import {
  codeHolds,
  isTyped,
  movingCode,
  movingSealed,
  readCode,
  readMoving,
  typedCode,
  typedHolds,
  typedSeconds,
} from './codes.ts'
import { enterSign, scannedRow } from './enter-sign.service.ts'
import { sessionsOf, stepOf, turnOf, windowOf, type Direction, type SessionRow } from './sessions.queries.ts'
import { deviceHash, forwardedAfter, noteHints, noteSharedDevice, type SignHint } from './sign-hints.service.ts'

/** What a big screen shows: the code of a session for this moment, and how many have come. */
export async function signBoard(ctx: Context, input: Checked<typeof signingApi.board>) {
  const { liId } = input
  const lesson = await lessonFor(ctx, 'sign', liId, { lock: false })
  const { schoolId } = ctx.actor
  const rules = await schoolSettings(ctx, schoolId)
  const sessions = await sessionsOf(ctx, liId)
  const now = ctx.clock.now()
  const { session, direction } = turnOf(lesson, sessions, input, now, rules)
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
async function arrivals({ db, actor }: Context, liId: string, lseNo: number, direction: Direction) {
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

/** What a phone tells beside the code that it scanned. */
interface PhoneScan {
  /** When it says that it scanned, where it had no network then. */
  scannedAt?: string | undefined
  /** A random id of its browser. */
  device?: string | undefined
}

/**
 * Takes a scanned or typed code for a student of the course: signs them in or out, once a session, in its window, and
 * near enough where places count. Of typed codes only so many wrong ones.
 * @param phone given where the student scans for themselves
 */
export async function scanCode(ctx: Context, input: Checked<typeof signingApi.scan>, phone?: PhoneScan) {
  const hints: SignHint[] = []
  const take = () => takeCode(ctx, input, phone, hints)
  try {
    return await (isTyped(input.code) ? countedTry(ctx, input.liId, 'sign', take) : take())
  } catch (error) {
    // what was refused has left nothing else behind
    if (phone) await noteHints(ctx, hints)
    throw error
  }
}

function takeCode(
  ctx: Context,
  { liId, code, suiNumber, lng, lat }: Checked<typeof signingApi.scan>,
  phone: PhoneScan | undefined,
  hints: SignHint[],
) {
  return withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'sign', liId)
    const rules = await schoolSettings(tx, tx.actor.schoolId)
    const sessions = await sessionsOf(tx, liId)
    const { session, direction, moment } = sessionOfCode(tx, lesson, code, sessions, rules, phone?.scannedAt)
    const row = await scannedRow(tx, liId, suiNumber, session.lseNo)
    const device = phone?.device === undefined ? undefined : deviceHash(tx, liId, phone.device)
    const of = { laId: row.laId, lseNo: session.lseNo }
    if ('refusal' in moment) {
      if (moment.age >= forwardedAfter) hints.push({ ...of, kind: signHint.forwarded, amount: moment.age })
      throw new Failure(moment.refusal, { minutes: handInMinutes })
    }
    const answer = await enterSign(tx, lesson, row, {
      sessions,
      session,
      direction,
      at: moment.at,
      rules,
      method: isTyped(code) ? signMethods.typed : signMethods.code,
      action: signingApi.scan.summary,
      position: { lng, lat },
      assertPlace: () => {
        const metres = metresAway(lesson, { lng, lat }, rules.signDistance)
        if (metres === undefined) return
        hints.push({ ...of, kind: signHint.far, amount: metres })
        throw new Failure('too-far', { n: metres, m: lesson.signRadius ?? rules.signDistance })
      },
      ...(device && { deviceHash: device }),
    })
    if (moment.heldBack)
      hints.push({ ...of, kind: signHint.offline, amount: secondsBetween(moment.at, tx.clock.now()) })
    if (phone) await noteHints(tx, hints)
    if (device && direction === 'in') await noteSharedDevice(tx, session.lseNo, device)
    return answer
  })
}

/**
 * Which session of this course a code is for, and at which moment it was scanned; a code of elsewhere or a forged one
 * is refused.
 */
function sessionOfCode(
  ctx: Context,
  lesson: ReachedLesson,
  code: string,
  sessions: readonly SessionRow[],
  rules: SignRules & { codeSeconds: number },
  scannedAt: string | undefined,
): { session: SessionRow; direction: Direction; moment: ScanMoment } {
  const now = ctx.clock.now()
  const atOnce = { at: now, heldBack: false }
  if (isTyped(code)) return { ...sessionOfTyped(now, lesson, code, sessions, rules), moment: atOnce }
  const moving = readMoving(code)
  const claimed = moving ?? readCode(code)
  if (!claimed) throw new Failure('code-wrong')
  if (claimed.schoolId !== ctx.actor.schoolId || claimed.liId !== lesson.liId) throw new Failure('code-of-other')
  const session = sessions.find(({ lseNo }) => lseNo === claimed.lseNo)
  // a printed code that is sealed rightly is told when its window is over, so its own end is not asked here
  if (!session || !(movingSealed(code, session.codeSecret) || codeHolds(code, session.codeSecret, '')))
    throw new Failure('code-wrong')
  return {
    session,
    direction: claimed.direction === 'out' ? 'out' : 'in',
    // a printed code proves no time: it counts when it arrives
    moment: moving ? scanMoment({ step: moving.step, every: rules.codeSeconds, scannedAt, now }) : atOnce,
  }
}

/** The session in whose window these digits are shown; only where the course is signed in to by typing. */
function sessionOfTyped(
  now: string,
  { signType }: ReachedLesson,
  code: string,
  sessions: readonly SessionRow[],
  rules: SignRules,
): { session: SessionRow; direction: Direction } {
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

/**
 * Where a course is signed in to by place, the scan must say where it was made, and be near.
 * @returns the metres to the place where they are too many
 */
function metresAway(
  lesson: ReachedLesson,
  { lng, lat }: { lng: number | undefined; lat: number | undefined },
  distance: number,
): number | undefined {
  if (!isSignedByPlace(lesson)) return undefined
  if (lng === undefined || lat === undefined) throw new Failure('position-needed')
  const metres = metresBetween({ lng: lesson.signLng, lat: lesson.signLat }, { lng, lat })
  return metres > (lesson.signRadius ?? distance) ? metres : undefined
}
