import { openDatabase } from '../server/core/database/pool.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import type { BareStart } from './bare.ts'
import { copyForBare } from './bare-tables.ts'
import { callsToMeasure, removeDrafts, type Kind, type Measured } from './calls.ts'
import type { Clients } from './clients.ts'
import { loadRound, median, requestsOf, type Round } from './load.ts'
import { benchSchool } from './prepare.ts'
import { startServer, type Server } from './processes.ts'
import { rounded, type Part } from './report.ts'
import { differences } from './same-answers.ts'

/**
 * Bars: the share of the bare server's throughput that each kind of call reaches, and for lists what p99 may be of its.
 */
const bars: Record<Kind, number> = { list: 0.75, detail: 0.7, write: 0.4 }
const p99Bar = 1.5
const atOnce = [1, 16] as const
/** Measures only calls whose name holds this text, for a closer look at one. */
const only = process.env['BENCH_CALLS'] ?? ''

/** What one call reached at so many connections. */
export interface Compared {
  name: string
  kind: Kind
  connections: number
  ours: Round[]
  theirs: Round[]
  share: number
  p99: number
}

interface Rounds {
  rounds: number
  seconds: number
  /** Only the calls that stand for their kinds. */
  isQuick?: boolean
}

/** Both servers, on the same database, asked the same in short alternating rounds: ours and the bare one. */
export async function compared(
  opened: OpenServices,
  clients: Clients,
  { rounds, seconds, isQuick = false }: Rounds,
): Promise<{ all: Compared[]; different: string[] }> {
  const { owner } = opened
  // it copies tables and removes rows of the trail
  const { pool, close } = openDatabase(owner, { max: 2 })
  const admin = await clients('admin')
  await removeDrafts(pool)
  const { rows } = await pool.query<{ suId: string }>(
    `select "suId" from "account" where "schoolId" = $1 and "suLoginName" = 'admin'`,
    [benchSchool],
  )
  await copyForBare(pool, (text) => console.log(text))
  const service = await startServer('service.ts', JSON.stringify(owner))
  const bare = await startServer(
    'bare.ts',
    JSON.stringify({ connection: owner, max: 16, user: rows[0]!.suId } satisfies BareStart),
  )
  const all: Compared[] = []
  const different: string[] = []
  try {
    const calls = (await callsToMeasure(opened)).filter((one) => one.name.includes(only) && (!isQuick || one.isQuick))
    for (const measured of calls) {
      if (measured.kind !== 'write') different.push(...(await differencesOf(measured, service, bare, admin.token!)))
      for (const connections of atOnce) {
        const ours: Round[] = []
        const theirs: Round[] = []
        const requests = requestsOf(measured, admin.token!)
        const sides = [
          { into: ours, server: service },
          { into: theirs, server: bare },
        ]
        // until the compiler has seen enough of it, however few ask afterwards
        for (const { server } of sides) await loadRound(server, requests, 2, Math.max(...atOnce))
        for (let round = 0; round < rounds; round++)
          for (const { into, server } of round % 2 ? sides.toReversed() : sides)
            into.push(await loadRound(server, requests, seconds, connections))
        all.push({
          name: measured.name,
          kind: measured.kind,
          connections,
          ours,
          theirs,
          share: of(ours, 'rate') / of(theirs, 'rate'),
          p99: of(ours, 'p99') / of(theirs, 'p99'),
        })
      }
    }
  } finally {
    await service.stop()
    await bare.stop()
    await removeDrafts(pool).finally(close)
  }
  return { all, different }
}

const of = (rounds: readonly Round[], figure: keyof Round) => median(rounds.map((round) => round[figure]))

/** Throughput of our service and of the bare server giving the same answers, at 1 and at 16 connections. */
export async function throughput(opened: OpenServices, clients: Clients): Promise<Part> {
  const { all, different } = await compared(opened, clients, { rounds: 3, seconds: 1.5 })
  const both = (one: Compared, figure: keyof Round) =>
    `${rounded(of(one.ours, figure))} / ${rounded(of(one.theirs, figure))}`
  return {
    isPartial: only !== '',
    title:
      'Requests a second at 1 and 16 connections, against a bare server that gives the same answers (3 alternating rounds of 1.5 s, medians; ours / bare)',
    rows: all.map((one) => ({
      call: one.name,
      kind: one.kind,
      connections: one.connections,
      share: rounded(one.share),
      'req/s': both(one, 'rate'),
      'p50 ms': both(one, 'p50'),
      'p99 ms': both(one, 'p99'),
      'p99 ratio': rounded(one.p99),
      'CPU ms': both(one, 'cpu'),
    })),
    missed: [...different.map((one) => `another answer: ${one}`), ...all.flatMap(missedBy)],
  }
}

function missedBy({ name, kind, connections, share, p99 }: Compared): string[] {
  const what = `${name} at ${connections}`
  return [
    ...(share < bars[kind] ? [`${what}: ${rounded(share)} of the bare throughput, ${bars[kind]} wanted`] : []),
    ...(kind === 'list' && p99 > p99Bar ? [`${what}: p99 ${rounded(p99)} times the bare one, ${p99Bar} allowed`] : []),
  ]
}

/** Where the two servers answer the first and the last input of a call differently: the first few fields. */
async function differencesOf(measured: Measured, service: Server, bare: Server, token: string): Promise<string[]> {
  const found: string[] = []
  const requests = requestsOf(measured, token)
  for (const { method = 'GET', path, headers, body } of [requests[0]!, requests.at(-1)!]) {
    const [ours, theirs] = await Promise.all(
      [service, bare].map(async ({ address }) => {
        const response = await fetch(address + path!, {
          method,
          headers: headers as Record<string, string>,
          ...(typeof body === 'string' ? { body } : {}),
        })
        return ((await response.json()) as { data: unknown }).data
      }),
    )
    found.push(...differences(theirs, ours).map((one) => `${measured.name}${one}`))
  }
  return found.slice(0, 5)
}
