import { setTimeout as sleep } from 'node:timers/promises'
import { fullPath } from '../contract/core/call.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { exportApi } from './big-export.ts'
import type { Clients } from './clients.ts'
import { quantile } from './load.ts'
import { startServer, type Server } from './processes.ts'
import { rounded, type Part } from './report.ts'

const rows = 100_000
/** Bars: milliseconds to the first byte, bytes of memory beyond idle, and how many times slower others may get. */
const bars = { firstByte: 1000, memory: 200e6, slower: 2 }

/** One export of 100,000 rows by a service just started, with and without other people at work meanwhile. */
export async function exporting({ owner }: OpenServices, clients: Clients): Promise<Part> {
  const service = await startServer('service.ts', JSON.stringify(owner))
  const part: Part = { title: `Export of ${rows.toLocaleString('en')} rows with 15 columns`, rows: [], missed: [] }
  const add = (what: string, value: string, bar = '', held = true) => {
    part.rows.push({ what, value, bar })
    if (!held) part.missed.push(`${what}: ${value}, ${bar} wanted`)
  }
  try {
    const token = (await clients('admin')).token!
    await everydayLoad(service.address, token, sleep(2000))
    const alone = await exportOnce(service, token)
    add('first byte', `${Math.round(alone.firstByte)} ms`, `${bars.firstByte} ms`, alone.firstByte <= bars.firstByte)
    add('whole file', `${rounded(alone.took / 1000)} s, ${rounded(alone.bytes / 1e6)} MB`)
    add(
      'memory beyond idle',
      `${Math.round((alone.peak - alone.idle) / 1e6)} MB (idle ${Math.round(alone.idle / 1e6)} MB)`,
      `${bars.memory / 1e6} MB`,
      alone.peak - alone.idle < bars.memory,
    )
    const before = await everydayLoad(service.address, token, sleep(5000))
    const meanwhile = await everydayLoad(service.address, token, exportOnce(service, token))
    const after = await everydayLoad(service.address, token, sleep(5000))
    const quiet = quantile(
      [...before, ...after].sort((a, b) => a - b),
      0.95,
    )
    const busy = quantile(meanwhile, 0.95)
    add('p95 of other requests without it', `${rounded(quiet)} ms`)
    add('p95 of other requests meanwhile', `${rounded(busy)} ms`, `${bars.slower} times`, busy <= quiet * bars.slower)
    return part
  } finally {
    await service.stop()
  }
}

async function exportOnce(service: Server, token: string) {
  const { memory: idle } = await service.usage()
  let peak = idle
  let running = true
  const watching = (async () => {
    for (; running; await sleep(50)) peak = Math.max(peak, (await service.usage()).memory)
  })()
  const began = performance.now()
  const response = await fetch(`${service.address}${fullPath(exportApi.registrations)}?rows=${rows}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  let bytes = 0
  let firstByte = 0
  for await (const part of response.body!) {
    firstByte ||= performance.now() - began
    bytes += part.length
  }
  running = false
  await watching
  return { idle, peak, firstByte, bytes, took: performance.now() - began }
}

/**
 * People reading lists, 40 requests a second whatever comes back when, until something is over. Sorted latencies in
 * milliseconds.
 */
async function everydayLoad(address: string, token: string, until: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = []
  const asked: Promise<void>[] = []
  const state = { over: false }
  void until.finally(() => (state.over = true))
  const url = `${address}${fullPath(lessonApi.view)}?current=1&pageSize=20`
  while (!state.over) {
    const began = performance.now()
    asked.push(
      fetch(url, { headers: { authorization: `Bearer ${token}` } }).then(async (response) => {
        await response.arrayBuffer()
        latencies.push(performance.now() - began)
      }),
    )
    await sleep(25)
  }
  await until
  await Promise.all(asked)
  return latencies.sort((a, b) => a - b)
}
