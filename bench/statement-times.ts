import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { telemetry } from '../server/core/base/telemetry.ts'
import { databaseMeter } from './processor-time.ts'
import { rounded } from './report.ts'

/** What a piece of work asked of the database. */
export interface StatementTimes {
  seconds: number
  /** Seconds of processor time in the database. */
  databaseSeconds: number
  statements: number
  /** Milliseconds of processor time of the longest statement, and its first words. */
  longest: number
  text: string
}

/** Characters of a statement by which it is known again. */
const told = 90

/**
 * Does a piece of work that sends one statement after another, and tells what it cost the database and which statement
 * cost most. Nothing else may go on meanwhile.
 * @param pool as the owner, who may see every connection
 */
export async function timingStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<StatementTimes> {
  const meter = await databaseMeter(pool)
  const first = meter()
  let [longest, text, statements, last] = [0, '', 0, first]
  const stop = telemetry.statement.subscribe((one) => {
    // the process tells by the way that it lives
    if (one.text.includes('"processBeat"')) return
    const now = meter()
    const ms = Number.isNaN(now - last) ? one.ms : now - last
    statements++
    if (ms > longest) [longest, text] = [ms, one.text]
    last = now
  })
  const began = performance.now()
  try {
    await work()
  } finally {
    stop()
  }
  return {
    seconds: rounded((performance.now() - began) / 1000),
    databaseSeconds: rounded((meter() - first) / 1000),
    statements,
    longest: rounded(longest),
    text: text.replace(/\s+/g, ' ').trim().slice(0, told),
  }
}
