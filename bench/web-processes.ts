import type { OpenServices } from '../server/setup/open-services.ts'
import { callsToMeasure } from './calls.ts'
import type { Clients } from './clients.ts'
import { loadRound, median, requestsOf, type Round } from './load.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'
import type { WebStart } from './web-service.ts'

const counts = [1, 2] as const
const rounds = 3
const seconds = 2

/** What a second process that answers requests brings at 16 connections, in alternating rounds. */
export async function webProcesses(opened: OpenServices, clients: Clients): Promise<Part> {
  const { token } = await clients('admin')
  const servers = await Promise.all(
    counts.map((count) =>
      startServer('web-service.ts', JSON.stringify({ connection: opened.owner, count } satisfies WebStart)),
    ),
  )
  const part: Part = {
    title: `Requests a second at 16 connections with ${counts.join(' and ')} processes that answer (${rounds} alternating rounds of ${seconds} s, medians)`,
    rows: [],
    missed: [],
  }
  try {
    for (const measured of (await callsToMeasure(opened)).filter(({ isQuick, kind }) => isQuick && kind !== 'write')) {
      const requests = requestsOf(measured, token!)
      const found: Round[][] = counts.map(() => [])
      for (const server of servers) await loadRound(server, requests, 1)
      for (let round = 0; round < rounds; round++)
        for (const at of round % 2 ? [1, 0] : [0, 1]) found[at]!.push(await loadRound(servers[at]!, requests, seconds))
      const of = (figure: keyof Round) => found.map((some) => median(some.map((round) => round[figure])))
      const both = (figure: keyof Round) => of(figure).map(rounded).join(' / ')
      const [one, two] = of('rate')
      part.rows.push({
        call: measured.name,
        kind: measured.kind,
        'req/s': both('rate'),
        gain: rounded(two! / one!),
        'p50 ms': both('p50'),
        'p99 ms': both('p99'),
        'CPU ms': both('cpu'),
      })
    }
    const memory = await Promise.all(servers.map(async (server) => (await server.usage()).memory))
    part.rows.push({ call: 'resident memory, MB', 'req/s': memory.map((bytes) => Math.round(bytes / 1e6)).join(' / ') })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  return part
}
