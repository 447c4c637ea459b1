import { diskRoom } from '../base/disk-places.ts'
import type { FastifyInstance } from 'fastify'
import { walArchiveState, walArchiveVerdict, type WalArchiveState } from '../database/wal-archive-state.ts'
import { delaysOf } from '../jobs/delays.ts'
import type { AppServices } from './http.ts'

/** Free bytes below which the service calls itself not ready, so that nothing is half written. */
const neededBytes = 200 * 1_048_576

/** Set by the stopping program: readiness turns red at once while requests under way are finished. */
export const stopping = { now: false }

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work (a database that answers within 500 ms and takes
 * writes, room on the disk, not stopping). Where a virus scanner is set, `virusCheck` tells whether it answers; without
 * it only uploads wait, so it does not count. `clock`: seconds by which the machine's clock is ahead of the database's,
 * by which everything goes, where they are more than two; it does not count either. `walArchive`, where one is set:
 * whether the WAL gets there (`ok`, `failing`, `late`); people can go on, so it does not count. `replica`, where
 * one is set: `ok`, `behind` or `away`; the primary answers in its stead. `listen` is `deaf` while nothing is heard
 * from other processes, `jobs` is `late` where the oldest due one has waited for longer than the alarm allows; neither
 * counts, for requests are answered without.
 * @param deafMs milliseconds without an answer after which the connection that listens for notifications counts as deaf
 */
export function mountHealth(
  app: FastifyInstance,
  services: Pick<AppServices, 'db' | 'healthDb' | 'config' | 'scanner' | 'clock' | 'replica' | 'signals'>,
  deafMs = 30_000,
): void {
  const { config } = services
  // while all others wait, for a lock or for one another, the database is still there
  const db = services.healthDb ?? services.db
  type Looked = [{ reason: string | null; isLate: boolean }, boolean | undefined, WalArchiveState | undefined]
  let last: { until: number; answer: Promise<Looked> } | undefined
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    if (!last || last.until < performance.now())
      last = {
        until: performance.now() + 1000,
        answer: Promise.all([fault(), services.scanner?.isThere(), walArchive()]),
      }
    const [found, scans, archive] = await last.answer
    const ahead = services.clock.aheadSeconds?.() ?? 0
    const reason = stopping.now ? 'stopping' : found.reason
    const isDeaf = (services.signals.silentFor() ?? 0) > deafMs
    return reply
      .status(reason ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({
        status: reason ? 'unavailable' : 'ok',
        ...(reason ? { reason } : {}),
        ...(ahead === 0 ? {} : { clock: ahead }),
        ...(scans === undefined ? {} : { virusCheck: scans ? 'ok' : 'away' }),
        ...(services.replica === undefined ? {} : { replica: services.replica.state().status }),
        ...(isDeaf ? { listen: 'deaf' } : {}),
        ...(found.isLate ? { jobs: 'late' } : {}),
        ...(archive === undefined ? {} : { walArchive: walArchiveVerdict(archive) }),
      })
  })

  /** A database that does not answer has its own reason. */
  const walArchive = async (): Promise<WalArchiveState | undefined> =>
    config.walArchive === undefined
      ? undefined
      : Promise.race([
          walArchiveState(db).catch(() => undefined),
          new Promise<undefined>((done) => setTimeout(done, 500, undefined).unref()),
        ])

  async function fault(): Promise<{ reason: string | null; isLate: boolean }> {
    const tooLate = new Promise<'late'>((done) => setTimeout(done, 500, 'late').unref())
    const asked = delaysOf(db).catch(() => 'failed' as const)
    const answer = await Promise.race([asked, tooLate])
    if (typeof answer === 'string') return { reason: 'database', isLate: false }
    const isLate = answer.late > config.alarms.jobMinutes * 60
    if (answer.isReadOnly) return { reason: 'read-only', isLate }
    const { free } = await diskRoom(config.dataDir)
    return { reason: free !== null && free < neededBytes ? 'disk' : null, isLate }
  }
}
