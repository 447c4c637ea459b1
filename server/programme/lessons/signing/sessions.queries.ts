import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { addMinutes, epochOf } from '../../../core/base/clock.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import type { SignRules } from '../model/sign-rules.ts'

/** A session of a course as signing needs it. */
export interface SessionRow {
  lseNo: number
  startTime: string
  endTime: string
  placeText: string
  codeSecret: Buffer
}

export type Direction = 'in' | 'out'

/** The sessions of a course in their order. */
export const sessionsOf = (ctx: Pick<Context, 'db' | 'actor'>, liId: string): Promise<SessionRow[]> =>
  from(ctx, 'lessonSession')
    .select(['lseNo', 'startTime', 'endTime', 'placeText', 'codeSecret'])
    .where('liId', '=', liId)
    .orderBy('lseNo')
    .execute()

/** From when to when a session's codes count. */
export function windowOf(
  { startTime, endTime }: SessionRow,
  direction: Direction,
  rules: SignRules,
): { opens: string; closes: string } {
  return direction === 'in'
    ? { opens: addMinutes(startTime, -rules.signOpenMinutes), closes: addMinutes(startTime, rules.signCloseMinutes) }
    : { opens: addMinutes(endTime, -rules.signOutOpenMinutes), closes: addMinutes(endTime, rules.signOutCloseMinutes) }
}

/** The number of a time step of so many seconds. */
export const stepOf = (now: string, every: number): number => Math.floor(epochOf(now) / 1000 / every)

/**
 * The session and direction that were asked for, else those whose time it is: the first session whose last code is not
 * over yet, and leaving once coming is over.
 */
export function turnOf(
  { signOutOn }: Pick<ReachedLesson, 'signOutOn'>,
  sessions: readonly SessionRow[],
  wanted: { lseNo?: number | undefined; direction?: Direction | undefined },
  now: string,
  rules: SignRules,
): { session: SessionRow; direction: Direction } {
  const over = (session: SessionRow) => windowOf(session, signOutOn === yesNo.yes ? 'out' : 'in', rules).closes
  const session =
    sessions.find(({ lseNo }) => lseNo === wanted.lseNo) ?? sessions.find((one) => now <= over(one)) ?? sessions.at(-1)
  if (!session) throw new Failure('not-found')
  const direction =
    signOutOn !== yesNo.yes ? 'in' : (wanted.direction ?? (now > windowOf(session, 'in', rules).closes ? 'out' : 'in'))
  return { session, direction }
}
