import type { Output } from '../../../../contract/core/call.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { signingApi } from '../../../../contract/programme/lessons/signing.calls.ts'
import { epochOf } from '../../../core/base/clock.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { withCourseQueue } from '../registration/registration.service.ts'
import { signMethods } from './attendance.service.ts'
import { qrPicture } from './code-package.ts'
import { personCode, personOfCode, personSeconds } from './codes.ts'
import { enterSign, scannedRow } from './enter-sign.service.ts'
import { sessionsOf, stepOf, turnOf, type Direction } from './sessions.queries.ts'

/** The code that a person shows on their phone to whoever signs them in; another one every half minute. */
export async function codeOfPerson(ctx: Context) {
  const { schoolId, suId } = ctx.actor
  const person = await from(ctx, 'person').select(['suiName', 'suiNumber']).where('suId', '=', suId).executeTakeFirst()
  if (!person) throw new Failure('not-found')
  const now = ctx.clock.now()
  const code = personCode(ctx.secrets.hashKey, { schoolId, suId, step: stepOf(now, personSeconds) })
  return {
    ...person,
    code,
    picture: await qrPicture(code),
    every: personSeconds,
    leftSeconds: personSeconds - ((epochOf(now) / 1000) % personSeconds),
  }
}

/** Whom somebody signs in: what they scanned or typed, and for which session where not for the one whose time it is. */
interface PersonScan {
  liId: string
  lseNo?: number | undefined
  direction?: Direction | undefined
  scanned: string
}

/**
 * Signs in or out a participant who stands before whoever looks after the sign-in: by the code that they show, or by
 * their number. No place is asked for: whoever looks after it has seen them.
 */
export function scanPerson(
  ctx: Context,
  { liId, lseNo, direction: wanted, scanned }: PersonScan,
): Promise<Output<typeof signingApi.scan>> {
  return withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'sign', liId)
    const rules = await schoolSettings(tx, tx.actor.schoolId)
    const sessions = await sessionsOf(tx, liId)
    const at = tx.clock.now()
    const { session, direction } = turnOf(lesson, sessions, { lseNo, direction: wanted }, at, rules)
    const { suiNumber, isCode } = await personScanned(tx, scanned)
    const row = await scannedRow(tx, liId, suiNumber, session.lseNo)
    return enterSign(tx, lesson, row, {
      sessions,
      session,
      direction,
      at,
      rules,
      // of several sessions a number that was typed counts for its own only, as their code would
      method: isCode || sessions.length > 1 ? signMethods.student : signMethods.manual,
      action: isCode ? '扫学生码签到' : '输入学号签到',
    })
  })
}

/** Whose code was scanned, or which number was typed. */
async function personScanned(ctx: Context, scanned: string): Promise<{ suiNumber: string; isCode: boolean }> {
  if (!scanned.startsWith('EK')) return { suiNumber: scanned, isCode: false }
  const person = personOfCode(scanned, ctx.secrets.hashKey, stepOf(ctx.clock.now(), personSeconds))
  if (!person || person.schoolId !== ctx.actor.schoolId) throw new Failure('person-code-wrong')
  const found = await from(ctx, 'person').select('suiNumber').where('suId', '=', person.suId).executeTakeFirst()
  if (!found) throw new Failure('person-code-wrong')
  return { suiNumber: found.suiNumber, isCode: true }
}
