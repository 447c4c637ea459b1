import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { applyStatus, lessonStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { addDays } from '../../core/base/clock.ts'

/** What may be asked about which course and record: pure. Who may do what about a dispute: `dispute-life.ts`. */

export interface AskedLesson {
  liStatus: string
  liPublictySdate: string | null
  liPublictyEdate: string | null
}

/** Days after the public notice in which a dispute is still taken, and whether the person may take such late ones. */
export interface LateRule {
  now: string
  lateDays: number
  mayTakeLate: boolean
}

/**
 * Why no dispute about the course is taken now: outside its public notice only the school takes them, and only for some
 * days.
 */
export function windowFault(
  { liStatus, liPublictySdate, liPublictyEdate }: AskedLesson,
  { now, lateDays, mayTakeLate }: LateRule,
): Failure | undefined {
  if (
    !isOneOf(liStatus, lessonStatus.inNotice, lessonStatus.questioned, lessonStatus.completed, lessonStatus.archived) ||
    !liPublictySdate ||
    !liPublictyEdate ||
    now < liPublictySdate
  )
    return new Failure('question-not-open')
  if (now <= liPublictyEdate) return undefined
  if (now > addDays(liPublictyEdate, lateDays)) return new Failure('question-too-late', { n: lateDays })
  return mayTakeLate ? undefined : new Failure('question-late', { n: lateDays })
}

export interface AskedRecord {
  suiName: string
  laId: string | null
  laStatus: string
  laHours: number
  laResult: string
}

/**
 * Why this kind of dispute cannot be about that record (docs/rules.md R17): left out only where nothing is counted,
 * wrong only where something is.
 */
export function recordFault(qType: string, record: AskedRecord | undefined): Failure | undefined {
  if (!record)
    return qType === questionType.organiserBreach || qType === questionType.other
      ? undefined
      : new Failure('question-target-needed')
  const counts = record.laStatus === applyStatus.accepted && record.laHours > 0
  if (qType === questionType.missing && counts) return new Failure('question-not-missing', { name: record.suiName })
  if (qType === questionType.wrong && !counts) return new Failure('question-not-wrong', { name: record.suiName })
  if (qType !== questionType.missing && record.laId === null)
    return new Failure('question-not-in-list', { name: record.suiName })
  return undefined
}

/** Whether the dispute is about the reporter's own record unless told otherwise. */
export const isAboutReporter = (qType: string): boolean =>
  qType === questionType.missing || qType === questionType.wrong
