import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenServices } from '../server/setup/open-services.ts'
import { awardName, callsToMeasure, type Measured } from './calls.ts'
import type { Clients } from './clients.ts'
import { bareRequests, loadRound, median, serviceRequests, type Round } from './load.ts'
import { startServer } from './processes.ts'
import type { BarePlans, Plan } from './bare.ts'
import { idsMadeSince, recording, type Statement } from './record.ts'
import { rounded, type Part } from './report.ts'

/** Bars: a list reaches this share of the bare server's throughput, and its p99 at most this multiple. */
const bars = { share: 0.7, p99: 2 }
const rounds = 3
/** Measures only calls whose name holds this text, for a closer look at one. */
const only = process.env['BENCH_CALLS'] ?? ''
const seconds = 2

interface Recorded {
  measured: Measured
  plan: Plan
  /** Statements for a page of 10 and of 200; of a detail or write, of its first and last input. */
  counts: [number, number]
}

/**
 * Throughput of our service and of the bare server doing the same SQL, both on the same database, in short alternating
 * rounds.
 */
export async function throughput({ connection, pool }: OpenServices, clients: Clients): Promise<Part> {
  await cleanUp(pool)
  const recorded: Recorded[] = []
  for (const measured of (await callsToMeasure(pool)).filter(({ name }) => name.includes(only)))
    recorded.push(await record(measured, clients))
  const file = join(tmpdir(), `bare-plans-${process.pid}.json`)
  const plans = Object.fromEntries(recorded.map(({ plan }, at) => [String(at), plan]))
  writeFileSync(file, JSON.stringify({ connection, max: 16, plans } satisfies BarePlans))
  const service = await startServer('service.ts', JSON.stringify(connection))
  const bare = await startServer('bare.ts', file)
  try {
    const part: Part = {
      isPartial: only !== '',
      title: `Requests a second at 16 connections, against a bare server doing the same SQL (${rounds} alternating rounds of ${seconds} s, medians)`,
      rows: [],
      missed: [],
    }
    for (const [at, { measured, counts }] of recorded.entries()) {
      const ours: Round[] = []
      const theirs: Round[] = []
      const sides = [
        {
          into: ours,
          server: service,
          requests: serviceRequests(measured, (await clients(measured.user ?? 'admin')).token!),
        },
        { into: theirs, server: bare, requests: bareRequests(String(at), measured) },
      ]
      // until the compiler has seen enough of it
      for (const { server, requests } of sides) await loadRound(server, requests, 2)
      for (let round = 0; round < rounds; round++) {
        for (const { into, server, requests } of round % 2 ? sides.toReversed() : sides)
          into.push(await loadRound(server, requests, seconds))
      }
      compareWithBars(part, measured, counts, ours, theirs)
    }
    return part
  } finally {
    await service.stop()
    await bare.stop()
    rmSync(file)
    await cleanUp(pool)
  }
}

/** Removes what the writes made; without asking for each row whether a course holds it, which none does. */
async function cleanUp(pool: OpenServices['pool']): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    await client.query(
      `delete from "awardDetail" where "atId" in (select "atId" from "awardTemplate" where "atName" like '${awardName}%')`,
    )
    await client.query(`delete from "awardTemplate" where "atName" like '${awardName}%'`)
  } finally {
    client.release(true)
  }
}

async function record(measured: Measured, clients: Clients): Promise<Recorded> {
  const { call, inputs, kind, unique } = measured
  const client = await clients(measured.user ?? 'admin')
  const recorded = async (input: object): Promise<Statement[]> => {
    // the second time everything that is looked up once is known
    if (kind !== 'write') await client.send(call, input)
    await clients.warm(client)
    return recording(async () => void (await client.send(call, input)))
  }
  const began = Date.now()
  const recordings: Statement[][] = []
  for (const input of inputs) recordings.push(await recorded(input))
  const fresh = [
    ...idsMadeSince(recordings.flat(), began),
    ...(unique ? [String((inputs[0] as Record<string, unknown>)[unique])] : []),
  ]
  const counts: [number, number] =
    kind === 'list'
      ? [
          (await recorded({ ...inputs[0], pageSize: 10 })).length,
          (await recorded({ ...inputs[0], pageSize: 200 })).length,
        ]
      : [recordings[0]!.length, recordings.at(-1)!.length]
  return { measured, plan: { recordings, fresh }, counts }
}

function compareWithBars(
  part: Part,
  { name, kind }: Measured,
  [few, many]: [number, number],
  ours: Round[],
  theirs: Round[],
): void {
  const of = (rounds: Round[], figure: keyof Round) => median(rounds.map((round) => round[figure]))
  const share = of(ours, 'rate') / of(theirs, 'rate')
  const p99 = of(ours, 'p99') / of(theirs, 'p99')
  part.rows.push({
    call: name,
    kind,
    SQL: few === many ? few : `${few}-${many}`,
    'service req/s': rounded(of(ours, 'rate')),
    'bare req/s': rounded(of(theirs, 'rate')),
    share: rounded(share),
    'p50 ms': `${rounded(of(ours, 'p50'))} / ${rounded(of(theirs, 'p50'))}`,
    'p99 ms': `${rounded(of(ours, 'p99'))} / ${rounded(of(theirs, 'p99'))}`,
    'p99 ratio': rounded(p99),
    'CPU ms': `${rounded(of(ours, 'cpu'))} / ${rounded(of(theirs, 'cpu'))}`,
  })
  if (few !== many) part.missed.push(`${name}: ${few} statements for a short answer, ${many} for a long one`)
  if (kind === 'list' && share < bars.share)
    part.missed.push(`${name}: ${rounded(share)} of the bare throughput, ${bars.share} wanted`)
  if (kind === 'list' && p99 > bars.p99)
    part.missed.push(`${name}: p99 ${rounded(p99)} times the bare one, ${bars.p99} allowed`)
}
