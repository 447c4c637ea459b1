import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addSeconds } from '../core/base/clock.ts'
import { startJobs } from '../core/jobs/job-runner.ts'
import { outboxJobs } from '../platform/outbox/outbox-jobs.ts'
import { tellDestination } from '../school/integration/administrators.service.ts'
import { laterResultJobs } from '../school/channels/later-results.ts'
import { messageSenders } from '../school/channels/message-senders.ts'
import type { TestApp } from './app.ts'
import { atFileEnd } from './file-end.ts'

/** What another system was sent. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Another system that receives events: it answers with `status` and keeps what came.
 * @returns its address, and how it answers by path; 200 where nothing is said
 */
export async function receiver() {
  const received: Received[] = []
  const answers: Record<
    string,
    { status: number; body?: string; location?: string; never?: boolean; afterMs?: number }
  > = {}
  const open = new Map<string, { now: number; highest: number }>()
  const server = createServer((request, response) => {
    const path = request.url!
    const at = open.get(path) ?? { now: 0, highest: 0 }
    open.set(path, at)
    at.highest = Math.max(at.highest, ++at.now)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() })
      const { status, body = 'ok', location, never, afterMs = 0 } = answers[path] ?? { status: 200 }
      if (never) return
      setTimeout(() => {
        at.now--
        response.writeHead(status, location ? { location } : {}).end(body)
      }, afterMs)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atFileEnd(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    received,
    answers,
    /** Requests to a path that were open at the same time. */
    highest: (path: string) => open.get(path)?.highest ?? 0,
    at: (path: string) => received.filter((one) => one.path === path),
  }
}

/** By the database of the deliveries: files of tests share this program, and each begins in the present. */
const ahead = new WeakMap<object, number>()
/** Seconds by which the deliveries are ahead of the present. */
export const aheadBy = ({ services }: TestApp): number => ahead.get(services.db) ?? 0

/** Delivers what is due so many seconds later; sessions go on living in the present. */
export async function deliver(app: TestApp, seconds = 6): Promise<void> {
  const { services } = app
  const by = aheadBy(app) + seconds
  ahead.set(services.db, by)
  const later = { ...services, clock: { now: () => addSeconds(services.clock.now(), by) } }
  const handlers = { ...outboxJobs(later, tellDestination, messageSenders), ...laterResultJobs(later) }
  const runner = await startJobs({ ...later, handlers })
  await runner.idle()
  await runner.stop()
}
