import autocannon, { type Options, type Request, type Result } from 'autocannon'
import { fullPath } from '../contract/core/call.ts'
import type { Measured } from './calls.ts'
import type { Server } from './processes.ts'

/**
 * What one short round gave: requests a second, latencies and the server's own processor time a request in
 * milliseconds.
 */
export interface Round {
  rate: number
  p50: number
  p95: number
  p99: number
  cpu: number
}

/** The requests of a call, as both servers take them. */
export function requestsOf({ call, inputs, unique, andChanged }: Measured, token: string): Request[] {
  const requests = inputs.map((input): Request => {
    const fields = { ...(input as Record<string, unknown>) }
    const path = fullPath(call).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(fields[name])
      delete fields[name]
      return encodeURIComponent(value)
    })
    const inQuery = call.sends === 'query'
    const search = new URLSearchParams(
      Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString()
    const request: Request = {
      method: call.method,
      path: path + (inQuery && search ? `?${search}` : ''),
      headers: { authorization: `Bearer ${token}`, ...(inQuery ? {} : { 'content-type': 'application/json' }) },
    }
    if (inQuery) return request
    return unique ? request : { ...request, body: JSON.stringify(input) }
  })
  if (!unique) return requests
  const next = inTurn(inputs)
  const first: Request = {
    ...requests[0]!,
    setupRequest: (made, context) => {
      const sent = distinct(next(), unique)
      Object.assign(context as Written, { sent })
      return { ...made, body: JSON.stringify(sent) }
    },
  }
  if (!andChanged) return [first]
  return [
    {
      ...first,
      onResponse: (_, body, context) =>
        Object.assign(context as Written, { saved: (JSON.parse(body) as { data: Written['saved'] }).data }),
    },
    {
      ...requests[0]!,
      setupRequest: (made, context) => {
        const { sent, saved } = context as Written
        const { lisId, version } = saved
        return { ...made, body: JSON.stringify({ ...distinct(sent, unique), lisId, version }) }
      },
    },
  ]
}

/** What one connection has sent last, and what it was answered. */
interface Written {
  sent: object
  saved: { lisId: string; version: number }
}

/** The inputs one after the other, whichever connection asks: no two write for the same person at the same time. */
const inTurn = (inputs: readonly object[]) => {
  let at = 0
  return (): object => inputs[at++ % inputs.length]!
}

let made = 0
const distinct = (input: object, field: string) => ({
  ...input,
  [field]: `${String((input as Record<string, unknown>)[field])}${process.pid}-${made++}`,
})

/** A request that is another one each time it is sent. */
export interface Changing {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  next: () => { path: string; body: string | undefined }
}

/** For a round: no two connections send the same one. */
export const eachTimeNew = ({ method, headers, next }: Changing): Request => ({
  method,
  headers,
  path: '/',
  setupRequest: (made) => {
    const { path, body } = next()
    return { ...made, path, ...(body === undefined ? {} : { body }) }
  },
})

/** One round of load. Every answer must be a success by its envelope. */
export async function loadRound(
  server: Server,
  requests: Request[],
  seconds: number,
  connections = 16,
): Promise<Round> {
  const latencies: number[] = []
  const { cpu: cpuBefore } = await server.usage()
  let refusal = ''
  const began = performance.now()
  const result = await new Promise<Result>((done, failed) => {
    const options: Options = {
      url: server.address,
      connections,
      duration: seconds,
      requests,
      timeout: 30,
      verifyBody: (body) => {
        const isDone = String(body).startsWith('{"code":200')
        if (!isDone) refusal ||= String(body)
        return isDone
      },
    }
    const run = autocannon(options, (error: Error | null, found) => (error ? failed(error) : done(found)))
    run.on('response', (_client, _status, _bytes, ms) => latencies.push(ms))
  })
  const took = (performance.now() - began) / 1000
  const cpu = (await server.usage()).cpu - cpuBefore
  if (result.errors + result.non2xx + result.mismatches > 0)
    throw new Error(
      `${requests[0]!.path}: ${result.errors} errors, ${result.non2xx} refusals, ${result.mismatches} answers that are no success, such as ${refusal}`,
    )
  // a server that answered nobody counts as one that would have answered everybody at the end
  if (latencies.length === 0) latencies.push(...Array.from({ length: connections }, () => took * 1000))
  latencies.sort((a, b) => a - b)
  return {
    rate: latencies.length / took,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    cpu: cpu / latencies.length,
  }
}

/** Of sorted numbers. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
export const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
