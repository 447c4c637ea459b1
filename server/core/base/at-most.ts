import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until work has settled, well or not, but no longer than some milliseconds: for the last work of a program that
 * stops. A database or peer that does not answer is not waited for, and neither does the wait itself keep the program
 * from ending; what fails tells of it itself, if anybody need know.
 */
export const atMost = (ms: number, work: Promise<unknown>): Promise<void> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })]).then(
    () => {},
    () => {},
  )
