import type { Connection } from '../server/core/database/connection.ts'
import { serviceConnection } from '../server/core/postgres/embedded.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { startPgbouncer } from '../server/testing/pgbouncer.ts'
import { planStandby } from '../server/testing/standby.ts'
import { callsToMeasure } from './calls.ts'
import type { Clients } from './clients.ts'
import { addressOf } from './installation.ts'
import { loadRound, median, requestsOf, type Round } from './load.ts'
import { benchData } from './prepare.ts'
import { startServer, type Server } from './processes.ts'
import { rounded, type Part } from './report.ts'
import type { WebStart } from './web-service.ts'

/**
 * Ways of running that are compared with one process; `2+standby` and `2+pooler` have something beside the processes.
 */
const steps = (process.env['BENCH_STEPS'] ?? '2').split(',')
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 16)
const rounds = 3
const seconds = 2
/** Connections to the database that all processes of a step have together: two steps fit what the server takes. */
const poolOfStep = 16

/**
 * What more processes that answer requests bring, and what a standby or PgBouncer beside them costs: each step against
 * one process, in alternating rounds.
 */
export async function webProcesses(opened: OpenServices, clients: Clients): Promise<Part> {
  const { token } = await clients('admin')
  const measuredCalls = (await callsToMeasure(opened)).filter(({ isQuick, kind }) => isQuick && kind !== 'write')
  const part: Part = {
    title: `Requests a second at ${connections} connections: one process that answers / the step (${rounds} alternating rounds of ${seconds} s, medians)`,
    rows: [],
    missed: [],
  }
  for (const step of steps) {
    const count = Number.parseInt(step, 10)
    await beside(step, opened, async (connection, settings) => {
      const pool = (of: number) => ({ POOL_SIZE: String(Math.max(2, Math.floor(poolOfStep / of))) })
      const servers = [
        await start({ connection: opened.owner, count: 1, settings: pool(1) }),
        await start({ connection, count, settings: { ...pool(count), ...settings } }),
      ]
      try {
        for (const measured of measuredCalls) {
          const requests = requestsOf(measured, token!)
          const found: Round[][] = [[], []]
          for (const server of servers) await loadRound(server, requests, 1, connections)
          for (let round = 0; round < rounds; round++)
            for (const at of round % 2 ? [1, 0] : [0, 1])
              found[at]!.push(await loadRound(servers[at]!, requests, seconds, connections))
          const of = (figure: keyof Round) => found.map((some) => median(some.map((round) => round[figure])))
          const both = (figure: keyof Round) => of(figure).map(rounded).join(' / ')
          const [one, more] = of('rate')
          part.rows.push({
            step,
            call: measured.name,
            kind: measured.kind,
            'req/s': both('rate'),
            gain: rounded(more! / one!),
            'p50 ms': both('p50'),
            'p99 ms': both('p99'),
            'CPU ms': both('cpu'),
          })
        }
        const memory = await Promise.all(servers.map(async (server) => (await server.usage()).memory))
        part.rows.push({
          step,
          call: 'resident memory, MB',
          'req/s': memory.map((bytes) => Math.round(bytes / 1e6)).join(' / '),
        })
      } finally {
        await Promise.all(servers.map((server) => server.stop()))
      }
    })
  }
  return part
}

const start = (what: WebStart): Promise<Server> => startServer('web-service.ts', JSON.stringify(what))

/** Has what a step needs beside its processes run while something is done. */
async function beside(
  step: string,
  { owner }: OpenServices,
  measure: (connection: Connection, settings: Record<string, string>) => Promise<void>,
): Promise<void> {
  if (step.endsWith('+standby')) {
    const standby = planStandby()
    try {
      await standby.start(benchData)
      return await measure(owner, { REPLICA_URL: standby.url })
    } finally {
      await standby.remove()
    }
  }
  if (step.endsWith('+pooler')) {
    const pooler = await startPgbouncer(owner)
    try {
      const pooled = pooler.through(owner.database!)
      return await measure(pooled, {
        DATABASE_URL: `postgres://${pooled.user}@${pooled.host}:${pooled.port}/${pooled.database}`,
        DIRECT_DATABASE_URL: addressOf(serviceConnection(owner)),
        PREPARED_STATEMENTS: pooler.keepsPrepared ? '1' : '0',
      })
    } finally {
      await pooler.stop()
    }
  }
  return measure(owner, {})
}
