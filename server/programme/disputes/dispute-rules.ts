import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { applyStatus, lessonStatus, questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { DisputeAction } from '../../../contract/programme/disputes/disputes.schema.ts'
import { addDays } from '../../core/base/clock.ts'

/** What may be asked, and who may do what about it: pure. */

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

export interface DisputeState {
  qStatus: string
  qOutcome: string | null
  /**
   * Its approval runs. Otherwise, where the course leaves it to the principal or the flow asks nobody, whoever handles
   * disputes decides.
   */
  approving: boolean
  liStatus: string
}

/**
 * How the person stands to a dispute. `concerned`: they asked it, it is about them, or about the course they are
 * responsible for.
 */
export interface DisputeAuthority {
  handles: boolean
  enters: boolean
  endsCourses: boolean
  seesReporter: boolean
  concerned: boolean
  /** They started its running approval. */
  started: boolean
}

/** What the person may do now. Nobody has a hand in what concerns themselves. */
export function disputeCan(
  { qStatus, qOutcome, approving, liStatus }: DisputeState,
  { handles, enters, endsCourses, seesReporter, concerned, started }: DisputeAuthority,
): DisputeAction[] {
  const waits = qStatus === questionStatus.pending || qStatus === questionStatus.overdue
  const upheld = qStatus === questionStatus.upheld && qOutcome === null
  const may: Record<DisputeAction, boolean> = {
    accept: handles && waits,
    decline: handles && waits,
    decide: handles && qStatus === questionStatus.inReview && !approving,
    settle: handles && upheld,
    abnormal: endsCourses && upheld && liStatus !== lessonStatus.abnormal,
    withdraw:
      (enters && (waits || (qStatus === questionStatus.inReview && !approving))) ||
      (started && qStatus === questionStatus.inReview),
    reporter: seesReporter,
  }
  return (Object.keys(may) as DisputeAction[]).filter((act) => may[act] && (!concerned || act === 'withdraw'))
}
