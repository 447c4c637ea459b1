import pg from 'pg'
import { addDays, systemClock } from '../server/core/base/clock.ts'
import type { Job, JobHandler } from '../server/core/jobs/job-runner.ts'
import { jobHandlers } from '../server/setup/job-handlers.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { benchSchool } from './prepare.ts'
import type { Part } from './report.ts'
import { timingStatements } from './statement-times.ts'

/**
 * Bars: seconds of a job that runs every minute or oftener, of one that has the night, and milliseconds of a single
 * statement of the former: others wait behind what it has locked.
 */
const bars = { often: 15, night: 4 * 3600, statement: 1000 }
/** Seconds between two runs up to which a job counts as one that runs often. */
const often = 60
/** Jobs of one school that are asked for by recurring ones, and need nothing but the school. */
const ofSchool = ['statistics:check-school', 'threshold:calc', 'audit:verify']
/** What they ask goes elsewhere, or depends on what an installation has set. */
const elsewhere = /^(backup|outbox|source|mail)/
/** The hour at which everything that waits for the night runs. */
const night = '03:00:00'

/** Every job that the program does by itself, once, as it would at three in the night; and those of one school. */
export async function nightJobs({ services, owner }: OpenServices): Promise<Part> {
  const own = new pg.Pool(owner)
  const today = systemClock.now().slice(0, 10)
  const at = `${addDays(today, 1)} ${night}`
  const handlers = jobHandlers({ ...services, clock: { now: () => at } })
  const part: Part = {
    title: 'What the program does by itself, once each, at three in the night; processor time of the database',
    rows: [],
    missed: [],
  }
  const run = async (kind: string, handler: JobHandler): Promise<void> => {
    const { seconds, databaseSeconds, statements, longest, text } = await timingStatements(own, () =>
      handler.run(jobOf(kind)),
    )
    const isOften = (handler.every ?? Infinity) <= often
    part.rows.push({
      job: kind,
      'every s': handler.every ?? 'a school and night',
      seconds,
      'of the database s': databaseSeconds,
      statements,
      'longest statement ms': longest,
      statement: longest > 100 ? text : '',
    })
    const bar = isOften ? bars.often : bars.night
    if (databaseSeconds > bar) part.missed.push(`${kind}: ${databaseSeconds} s, ${bar} allowed`)
    if (isOften && longest > bars.statement)
      part.missed.push(`${kind}: a statement of ${longest} ms, ${bars.statement} allowed`)
  }
  for (const [kind, handler] of Object.entries(handlers))
    if (!elsewhere.test(kind) && (handler.every !== undefined || ofSchool.includes(kind))) await run(kind, handler)
  await own.end()
  return part
}

const jobOf = (kind: string): Job => ({
  jobId: '00000000-0000-7000-8000-000000000000',
  schoolId: benchSchool,
  jobKind: kind,
  jobKey: null,
  payload: {},
  attempts: 1,
  claim: '00000000-0000-7000-8000-000000000000',
  signal: new AbortController().signal,
  progress: async () => {},
  finish: async () => {},
})
