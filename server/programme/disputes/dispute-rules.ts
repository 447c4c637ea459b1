import { applyStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { addDays } from '../../core/base/clock.ts'

/**
 * What may be asked about which course or supplement record: pure. Who may do what about a dispute: `dispute-life.ts`.
 */

/** The public notice of a course or supplement record. */
export interface AskedNotice {
  /** `课程` or `补录`. */
  what: string
  /** It is in public notice, or has been and was credited. */
  isNoticed: boolean
  from: string | null
  to: string | null
}

/** Days after the public notice in which a dispute is still taken, and whether the person may take such late ones. */
export interface LateRule {
  now: string
  lateDays: number
  mayTakeLate: boolean
}

/**
 * Why no dispute about the course or record is taken now: outside its public notice only the school takes them, and
 * only for some days.
 */
export function windowFault(
  { what, isNoticed, from, to }: AskedNotice,
  { now, lateDays, mayTakeLate }: LateRule,
): Failure | undefined {
  if (!isNoticed || !from || !to || now < from) return new Failure('question-not-open', { what })
  if (now <= to) return undefined
  if (now > addDays(to, lateDays)) return new Failure('question-too-late', { n: lateDays })
  return mayTakeLate ? undefined : new Failure('question-late', { n: lateDays })
}

export interface AskedRecord {
  suiName: string
  suiNumber: string
  laId: string | null
  laStatus: string
  laHours: number
  laResult: string
}

/**
 * Why this kind of dispute cannot be about that record (docs/rules.md R17): left out only where nothing is counted,
 * wrong only where something is.
 */
export function recordFault(
  qType: string,
  record: AskedRecord | undefined,
  { what }: Pick<AskedNotice, 'what'>,
): Failure | undefined {
  if (!record)
    return qType === questionType.organiserBreach || qType === questionType.other
      ? undefined
      : new Failure('question-target-needed')
  const counts = record.laStatus === applyStatus.accepted && record.laHours > 0
  if (qType === questionType.missing && counts)
    return new Failure('question-not-missing', { name: record.suiName, what })
  if (qType === questionType.wrong && !counts) return new Failure('question-not-wrong', { name: record.suiName, what })
  if (qType !== questionType.missing && record.laId === null)
    return new Failure('question-not-in-list', { name: record.suiName })
  return undefined
}

/** Whether the dispute is about the reporter's own record unless told otherwise. */
export const isAboutReporter = (qType: string): boolean =>
  qType === questionType.missing || qType === questionType.wrong
