import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { applyStatus, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'

interface Facts {
  workRequest: string
  liStatus: string
  startTime: string
  laStatus: string | null
}

/**
 * Why a participant cannot hand in a work now, or another one; undefined when they can: from the beginning of the
 * activity until its results are put forward, for these are decided by the works. Pure.
 */
export function workFault({ workRequest, liStatus, startTime, laStatus }: Facts, now: string): Failure | undefined {
  if (workRequest === '') return new Failure('work-not-asked')
  if (laStatus !== applyStatus.accepted) return new Failure('work-not-participant')
  if (!isOneOf(liStatus, lessonStatus.published, lessonStatus.resultRefused)) return new Failure('work-late')
  return now < startTime ? new Failure('work-early', { time: startTime.slice(0, 16) }) : undefined
}
