import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { signStatus, signType } from '../../../../contract/core/codes/programme.ts'
import type { FailureName } from '../../../../contract/core/failure.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { addMinutes } from '../../../core/base/clock.ts'

/** When and where people may sign in and out with a code, and what comes of it. Pure. */
export type SignRules = Pick<
  SchoolSettings,
  'signOpenMinutes' | 'signCloseMinutes' | 'signOutOpenMinutes' | 'signOutCloseMinutes'
>

export interface Session {
  startTime: string
  endTime: string
}

/** What a course says about the place of its sign-in. */
interface SignPlace {
  signType: readonly string[]
  signLng: number | null
  signLat: number | null
}

/** Whether a course is signed in to by place: it says so, and where that is. */
export const isSignedByPlace = <L extends SignPlace>(lesson: L): lesson is L & { signLng: number; signLat: number } =>
  lesson.signType.includes(signType.location) && lesson.signLng !== null && lesson.signLat !== null

/** What a scan means, or why it counts for nothing. */
export type Scan = { refusal: FailureName; words?: Record<string, string | number> } | { late: boolean }

/** Somebody comes to a session: in its window, once; after so many minutes they are late. */
export function comes(
  { startTime }: Session,
  known: { signInTime: string | null },
  now: string,
  rules: SignRules,
  lateMinutes: number,
): Scan {
  const opens = addMinutes(startTime, -rules.signOpenMinutes)
  if (now < opens) return { refusal: 'sign-early', words: { time: opens.slice(0, 16) } }
  if (known.signInTime !== null) return { refusal: 'signed-in-already' }
  if (now > addMinutes(startTime, rules.signCloseMinutes))
    return { refusal: 'sign-closed', words: { n: rules.signCloseMinutes } }
  return { late: now > addMinutes(startTime, lateMinutes) }
}

/** Somebody leaves a session: in its window, once, and only who had come. */
export function leaves(
  { endTime }: Session,
  known: { signInTime: string | null; signOutTime: string | null },
  now: string,
  rules: SignRules,
): Scan {
  const opens = addMinutes(endTime, -rules.signOutOpenMinutes)
  if (now < opens) return { refusal: 'sign-out-early', words: { time: opens.slice(0, 16) } }
  if (known.signInTime === null) return { refusal: 'sign-in-first' }
  if (known.signOutTime !== null) return { refusal: 'signed-out-already' }
  if (now > addMinutes(endTime, rules.signOutCloseMinutes))
    return { refusal: 'sign-out-closed', words: { n: rules.signOutCloseMinutes } }
  return { late: false }
}

/** What somebody's attendance of a session still lacks. */
export interface SessionAttendance extends Session {
  signInTime: string | null
  signOutTime: string | null
}

/**
 * Whether a code may yet count for somebody, now or later: in some session they may still come, or, where the course
 * asks for it, leave.
 */
export const mayStillSign = (
  { signOutOn }: { signOutOn: string },
  sessions: readonly SessionAttendance[],
  now: string,
  rules: SignRules,
): boolean =>
  sessions.some(({ startTime, endTime, signInTime, signOutTime }) =>
    signInTime === null
      ? now <= addMinutes(startTime, rules.signCloseMinutes)
      : signOutOn === yesNo.yes && signOutTime === null && now <= addMinutes(endTime, rules.signOutCloseMinutes),
  )

/**
 * The attendance in the whole course after a scan: once late is late for good; leaving the last session makes it
 * complete. Whoever was signed in by hand or excused keeps that.
 */
export function statusAfter(before: string, scan: { direction: 'in' | 'out'; late: boolean; last: boolean }): string {
  if (scan.direction === 'out') return scan.last && before === signStatus.signedIn ? signStatus.signedOut : before
  if (before === signStatus.notSigned || before === signStatus.absent)
    return scan.late ? signStatus.late : signStatus.signedIn
  return before === signStatus.signedIn && scan.late ? signStatus.late : before
}

/** Whether somebody has left as the course asks: by signing out, or by what was entered for them; never early. */
export const hasLeft = (
  signOutOn: string,
  { laSignStatus, signOutTime }: { laSignStatus: string; signOutTime: string | null },
): boolean =>
  laSignStatus !== signStatus.leftEarly &&
  (signOutOn !== yesNo.yes ||
    signOutTime !== null ||
    isOneOf(laSignStatus, signStatus.signedOut, signStatus.exempt, signStatus.madeUp))

/**
 * Whether somebody who signed in left early by themselves: the course asks to sign out, and they did not, or did so
 * before sign-out opens. What was entered by hand stays.
 */
export const leftEarly = (
  { signOutOn, endTime }: { signOutOn: string; endTime: string },
  { laSignStatus, signOutTime }: { laSignStatus: string; signOutTime: string | null },
  rules: Pick<SignRules, 'signOutOpenMinutes'>,
): boolean =>
  signOutOn === yesNo.yes &&
  isOneOf(laSignStatus, signStatus.signedIn, signStatus.late) &&
  (signOutTime === null || signOutTime < addMinutes(endTime, -rules.signOutOpenMinutes))

/**
 * Whether somebody left before the end, by themselves or as was entered for them: they do not pass (docs/rules.md R11).
 */
export const hasLeftEarly = (
  lesson: { signOutOn: string; endTime: string },
  row: { laSignStatus: string; signOutTime: string | null },
  rules: Pick<SignRules, 'signOutOpenMinutes'>,
): boolean => row.laSignStatus === signStatus.leftEarly || leftEarly(lesson, row, rules)

interface Point {
  lng: number
  lat: number
}

const earthRadius = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Metres between two places, along the surface. */
export function metresBetween(a: Point, b: Point): number {
  const [dLat, dLng] = [radians(b.lat - a.lat), radians(b.lng - a.lng)]
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2
  return Math.round(2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h))))
}
