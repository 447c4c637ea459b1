import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { backupStatus } from '../../../contract/core/codes/platform.ts'
import { sql } from 'kysely'
import { addDays, addMinutes, dayOf } from '../../core/base/clock.ts'
import type { AppServices } from '../../core/http/http.ts'
import { isUnbroken } from '../../core/backup/base-retention.ts'
import type { JobHandlers } from '../../core/jobs/job-runner.ts'
import { archiveFiles } from './base.ts'

/** Minutes before a backup that failed is tried again. */
const tryAgainAfter = 60

/**
 * The recurring backups, where the settings name places for them. In a process of its own: encrypting would keep those
 * who wait for an answer of this one waiting.
 * @param program the file that `main.ts` was built into
 */
export const backupJobs = (services: AppServices, program: string | undefined): JobHandlers =>
  program
    ? {
        ...(services.config.backupPlace
          ? { 'backup:run': { every: 60, run: ({ signal }) => backUpWhenDue(services, program, signal) } }
          : {}),
        ...(services.config.walArchive
          ? {
              'backup:base': { every: 60, run: ({ signal }) => backUpBaseWhenDue(services, program, signal) },
              'backup:files': { every: 120, run: () => archiveFiles(services) },
            }
          : {}),
      }
    : {}

/** The latest, the newest first; those that began in the future, by a clock that was wrong then, say nothing. */
const runsOf = ({ db, clock }: AppServices, kind: 'backup' | 'base', place: string) =>
  db
    .selectFrom('backupRun')
    .select(['brStatus', 'startTime', 'endTime'])
    .where('brKind', '=', kind)
    .where('place', '=', place)
    .where('startTime', '<=', clock.now())
    .orderBy('startTime', 'desc')
    .limit(100)
    .execute()

async function backUpWhenDue(services: AppServices, program: string, signal: AbortSignal) {
  const { config, clock, log } = services
  const runs = await runsOf(services, 'backup', config.backupPlace!)
  if (!isBackupDue(clock.now(), config.backupAt, runs)) return
  const output = await runCommand([program, 'backup'], signal)
  log.info({ place: config.backupPlace, output }, 'backup written')
}

/** Number of the timeline that the embedded database writes. */
async function timelineOf({ db }: AppServices): Promise<number> {
  const { rows } = await sql<{ timeline: number }>`
    select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int "timeline"`.execute(db)
  return rows[0]!.timeline
}

/** Each day, and as soon as the WAL does not lead on from the newest base backup of the place. */
async function backUpBaseWhenDue(services: AppServices, program: string, signal: AbortSignal) {
  const { config, clock, log } = services
  const place = config.walArchive!
  const now = clock.now()
  const runs = await runsOf(services, 'base', place)
  const [newest] = runs
  const tried =
    newest?.brStatus === backupStatus.failed && addMinutes(newest.endTime ?? newest.startTime, tryAgainAfter) > now
  if (!isBackupDue(now, config.backupAt, runs) && (tried || (await isUnbroken(place, await timelineOf(services)))))
    return
  const output = await runCommand([program, 'backup', '--base'], signal)
  log.info({ place, output }, 'base backup written')
}

/**
 * Whether the backup of the day is still to be made: none that began at or after the last planned moment has succeeded.
 * One that was missed, because the program stood still, is made up for at once. Runs that began in the future, by a
 * clock that was wrong then, say nothing.
 * @param now wall-clock text
 * @param at time of day, `02:30`
 * @param runs the newest first
 */
export function isBackupDue(
  now: string,
  at: string,
  runs: readonly { brStatus: string; startTime: string; endTime: string | null }[],
): boolean {
  const today = `${dayOf(now)} ${at}:00`
  const planned = today <= now ? today : addDays(today, -1)
  const since = runs.filter(({ startTime }) => startTime >= planned && startTime <= now)
  if (since.some(({ brStatus }) => brStatus === backupStatus.done)) return false
  const newest = since[0]
  return !newest || addMinutes(newest.endTime ?? newest.startTime, tryAgainAfter) <= now
}

/** A command, as a person would run it. @throws Error with what it said when it did not succeed */
function runCommand(words: readonly string[], signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    // people who use the program come first
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // it runs as fast as others then
  }
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)))
  return new Promise<string>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done(said.trim()) : fail(new Error(said.trim() || `exit code ${code}`))))
  }).finally(() => signal.removeEventListener('abort', stop))
}
