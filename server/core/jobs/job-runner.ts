import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { atMost } from '../base/at-most.ts'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import { addSeconds, type Clock } from '../base/clock.ts'
import { telemetry } from '../base/telemetry.ts'
import type { Db } from '../database/pool.ts'
import {
  backOff,
  heartbeat,
  claimJob,
  ensureRecurring,
  jobChannel,
  JobLost,
  settle,
  type Claim,
  type Outcome,
} from './jobs.ts'
import type { Signals } from '../database/signals.ts'

/** What a handler receives. */
export interface Job<P = unknown> extends Omit<Claim, 'payload'> {
  payload: P
  /** Aborted when the job is cancelled, taken over, its school suspended, or the program stops. */
  signal: AbortSignal
  /** Tells how far it is, 0 to 100. Throws when there is no use in going on, or not now. */
  progress(percent: number): Promise<void>
  /**
   * Marks the job done within the handler's own transaction. Work done in that transaction happens exactly once,
   * whatever is killed when; a handler that does not call this happens at least once.
   */
  finish(tx: Db, result?: unknown): Promise<void>
}

export interface JobHandler {
  run(job: Job): Promise<unknown>
  /** Seconds between two runs; the job then exists by itself, once for the whole installation. */
  every?: number
  /** Jobs of the kind at a time in this process, so that long ones leave room for others; any number unless given. */
  atOnce?: number
  /** Tries before it counts as failed for good; recurring ones never do. */
  attempts?: number
  /** Told when it has broken off at every try without ever coming to an end of its own. */
  gaveUp?(claim: Claim): Promise<void>
}

/** Handlers by kind of job. */
export type JobHandlers = Record<string, JobHandler>

interface Options {
  db: Db
  clock: Clock
  log: Logger
  handlers: JobHandlers
  /** What wakes it at once; without it runners only poll. */
  signals?: Signals | undefined
  /** The process, as its log names it. */
  instance?: string | undefined
  /** Jobs at a time in this process. */
  concurrency?: number
  /** Milliseconds: between looks, between heartbeats, and of silence after which a runner counts as dead. */
  pollMs?: number
  beatMs?: number
  deadMs?: number
}

export interface JobRunner {
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void
  /** Resolves when nothing is due or running. For tests. */
  idle(): Promise<void>
  /**
   * Takes no more jobs; after `grace` milliseconds running ones are told to stop and go back to wait. Whoever asks
   * again waits for the same end.
   */
  stop(grace?: number): Promise<void>
}

/** How often putting back a failed job is tried, and milliseconds between. */
const putBackTries = 4
const putBackPauseMs = 2000

/**
 * Runs the jobs of the handlers' kinds until stopped. Any number of runners in any number of processes share the work.
 */
export async function startJobs({
  db,
  clock,
  log,
  handlers,
  signals,
  instance,
  concurrency = 4,
  pollMs = 5000,
  beatMs = 5000,
  deadMs = 30_000,
}: Options): Promise<JobRunner> {
  const kinds = Object.keys(handlers)
  const running = new Map<string, { kind: string; schoolId: string; done: Promise<void>; abort: AbortController }>()
  const hasRoom = (kind: string) =>
    [...running.values()].filter((one) => one.kind === kind).length < (handlers[kind]?.atOnce ?? Infinity)
  /**
   * One place is never taken by a school that has all others: whoever comes next would wait for the end of its work.
   */
  const perSchool = Math.max(1, concurrency - 1)
  const fullSchools = () => {
    const schools = [...running.values()].map(({ schoolId }) => schoolId).filter((schoolId) => schoolId !== '')
    return [...new Set(schools)].filter((one) => schools.filter((school) => school === one).length >= perSchool)
  }
  let stopped = false
  let isLooking = false
  let looking: Promise<void> | undefined
  let lookAgain = false

  for (const [kind, { every }] of Object.entries(handlers)) if (every) await ensureRecurring({ db, clock }, kind)

  const wake = (): void => {
    lookAgain = true
    if (!isLooking) looking = look()
  }

  async function look(): Promise<void> {
    isLooking = true
    try {
      while (lookAgain && !stopped) {
        lookAgain = false
        await takeDue()
      }
    } catch (error) {
      log.error({ err: error }, 'looking for jobs failed')
    } finally {
      // in the same turn in which it has seen that nobody asks: whoever asks later begins anew
      isLooking = false
    }
  }

  async function takeDue(): Promise<void> {
    while (!stopped && running.size < concurrency) {
      const claim = await claimJob(db, kinds.filter(hasRoom), clock.now(), deadMs / 1000, fullSchools(), instance)
      if (!claim) break
      const abort = new AbortController()
      const done = work(claim, abort).finally(() => {
        running.delete(claim.jobId)
        wake()
      })
      running.set(claim.jobId, { kind: claim.jobKind, schoolId: claim.schoolId, done, abort })
    }
  }

  async function work(claim: Claim, abort: AbortController): Promise<void> {
    const handler = handlers[claim.jobKind] as JobHandler
    const beat = async (percent?: number): Promise<void> => {
      const state = await heartbeat(db, claim, percent)
      if (state === 'lost') abort.abort(new JobLost(`job ${claim.jobId} was cancelled or taken over`))
      // it goes back to wait, and is taken again once the school works
      else if (state === 'waits') abort.abort(new Error('the school is suspended'))
    }
    const pulse = setInterval(() => void beat().catch(() => {}), beatMs)
    let settled = false
    const job: Job = {
      ...claim,
      signal: abort.signal,
      progress: async (percent) => {
        await beat(percent)
        abort.signal.throwIfAborted()
      },
      finish: async (tx, result) => {
        await settle({ db: tx, clock }, claim, done(handler, clock, result))
        settled = true
      },
    }
    try {
      const maxAttempts = handler.attempts ?? 5
      // an earlier runner died with it every time: perhaps it is the job that kills them
      if (claim.attempts > maxAttempts && !handler.every) {
        await handler.gaveUp?.(claim)
        return await settle({ db, clock }, claim, { status: jobStatus.failed, error: '多次运行中断，已放弃' })
      }
      const result = telemetry.work.hasSubscribers() ? await runAsWork(handler, job) : await handler.run(job)
      if (!settled) await settle({ db, clock }, claim, done(handler, clock, result))
      log.info({ jobId: claim.jobId, kind: claim.jobKind, schoolId: claim.schoolId }, 'job done')
    } catch (error) {
      await putBack(() => fail(claim, handler, error, abort.signal), claim)
    } finally {
      clearInterval(pulse)
    }
  }

  /** Tries again for a while: what failed the job may have been the connection that this goes over, too. */
  async function putBack(back: () => Promise<unknown>, claim: Claim): Promise<void> {
    for (let left = putBackTries; ; await sleep(putBackPauseMs, undefined, { ref: false }))
      try {
        return void (await back())
      } catch (err) {
        // it has ended or is somebody else's, however often this asks
        if (err instanceof JobLost) return logLost(claim)
        if (--left > 0 && !stopped) continue
        return log.warn({ err, jobId: claim.jobId }, 'job could not be put back; it is taken over later')
      }
  }

  const logLost = ({ jobId, jobKind }: Claim) => log.info({ jobId, kind: jobKind }, 'job cancelled or taken over')

  async function fail(claim: Claim, handler: JobHandler, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof JobLost || signal.reason instanceof JobLost) return logLost(claim)
    if (signal.aborted)
      return settle({ db, clock }, claim, {
        status: jobStatus.waiting,
        runAt: clock.now(),
        error: '',
        attempts: claim.attempts - 1,
      })
    log.error({ err: error, jobId: claim.jobId, kind: claim.jobKind, attempts: claim.attempts }, 'job failed')
    const text = error instanceof Error ? error.message : String(error)
    const wait = handler.every ? Math.min(handler.every, backOff(claim.attempts)) : backOff(claim.attempts)
    const final = !handler.every && claim.attempts >= (handler.attempts ?? 5)
    await settle(
      { db, clock },
      claim,
      final
        ? { status: jobStatus.failed, error: text }
        : { status: jobStatus.waiting, runAt: addSeconds(clock.now(), wait), error: text },
    )
  }

  const unhear = signals?.on(jobChannel, wake)
  const poll = setInterval(wake, pollMs)
  wake()

  let halted: Promise<void> | undefined
  async function halt(grace: number): Promise<void> {
    stopped = true
    clearInterval(poll)
    unhear?.()
    const late = setTimeout(() => running.forEach((one) => one.abort.abort(new Error('the program stops'))), grace)
    // what is looked for may begin; a handler deaf to its signal is left behind: the next start takes its job over
    const all = Promise.resolve(looking).then(() => Promise.all([...running.values()].map((one) => one.done)))
    await atMost(grace + 1000, all)
    clearTimeout(late)
  }

  return {
    wake,
    async idle() {
      for (;;) {
        wake()
        await looking
        if (running.size === 0 && !isLooking) return
        await Promise.all([...running.values()].map((one) => one.done))
      }
    },
    stop: (grace = 5000) => (halted ??= halt(grace)),
  }
}

/** The same, told to whoever makes traces. */
function runAsWork(handler: JobHandler, job: Job): Promise<unknown> {
  const { jobKind, schoolId, attempts } = job
  return telemetry.work.runStores({ kind: 'job', jobKind, schoolId, attempts }, async () => {
    try {
      const result = await handler.run(job)
      telemetry.jobEnded.publish({})
      return result
    } catch (error) {
      telemetry.jobEnded.publish({ error })
      throw error
    }
  })
}

const done = ({ every }: JobHandler, clock: Clock, result: unknown): Outcome =>
  every
    ? { status: jobStatus.waiting, runAt: addSeconds(clock.now(), every), error: '', attempts: 0 }
    : { status: jobStatus.done, result }
