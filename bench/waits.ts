import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../server/core/database/pool.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { callsToMeasure } from './calls.ts'
import type { Clients } from './clients.ts'
import { loadRound, requestsOf } from './load.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const only = process.env['BENCH_CALLS'] ?? 'a new draft'
/** Milliseconds between two looks at what the sessions of the service do. */
const everyMs = 5

/** What all processors together have done so far, in milliseconds. */
function processorTime(): { busy: number; all: number } {
  const sum = { busy: 0, all: 0 }
  for (const { times } of cpus()) {
    const all = Object.values(times).reduce((total, ms) => total + ms, 0)
    sum.all += all
    sum.busy += all - times.idle
  }
  return sum
}

/**
 * What 16 people who write wait for: what PostgreSQL says of the service's sessions every few milliseconds, and how
 * much of the processors is in use meanwhile, the load itself included.
 */
export async function waits(opened: OpenServices, clients: Clients): Promise<Part> {
  const { token } = await clients('admin')
  const { pool, close } = openDatabase(opened.owner, { max: 1 })
  const service = await startServer('service.ts', JSON.stringify(opened.owner))
  const rows: Part['rows'] = []
  try {
    for (const measured of (await callsToMeasure(opened)).filter(({ name }) => name.includes(only))) {
      const requests = requestsOf(measured, token!)
      await loadRound(service, requests, 2)
      const seen = new Map<string, number>()
      let looks = 0
      let isOver = false
      const before = processorTime()
      const commits = await commitsOf(pool)
      const watching = (async () => {
        while (!isOver) {
          looks++
          const { rows: sessions } = await pool.query<{ what: string; sessions: number }>(
            `select case
                 when "state" = 'idle' then 'idle'
                 when "state" = 'idle in transaction' then 'the service, in a transaction'
                 when "wait_event" is null then 'works'
                 else "wait_event_type" || ' ' || "wait_event"
               end as "what", count(*)::int as "sessions"
             from pg_stat_activity
             where "backend_type" = 'client backend' and "pid" <> pg_backend_pid() and "usename" = 'console_service'
             group by 1`,
          )
          for (const { what, sessions: count } of sessions) seen.set(what, (seen.get(what) ?? 0) + count)
          await sleep(everyMs)
        }
      })()
      const round = await loadRound(service, requests, seconds)
      isOver = true
      await watching
      const after = processorTime()
      rows.push({
        call: measured.name,
        'req/s': rounded(round.rate),
        'p50 ms': rounded(round.p50),
        'CPU ms': rounded(round.cpu),
        'commits a request': rounded(((await commitsOf(pool)) - commits - looks) / (round.rate * seconds)),
        'processors in use': `${Math.round((100 * (after.busy - before.busy)) / (after.all - before.all))} %`,
        sessions: [...seen]
          .filter(([what]) => what !== 'idle')
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, 12)
          .map(([what, count]) => `${what} ${rounded(count / looks)}`)
          .join(', '),
      })
    }
  } finally {
    await service.stop()
    await close()
  }
  return { title: 'What 16 writers wait for: sessions at a time by what they do', rows, missed: [], isPartial: true }
}

async function commitsOf(pool: OpenServices['pool']): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()').catch(() => {})
  const { rows } = await pool.query<{ commits: number }>(
    `select "xact_commit"::int as "commits" from pg_stat_database where "datname" = current_database()`,
  )
  return rows[0]!.commits
}
