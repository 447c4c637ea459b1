import autocannon, { type Options, type Request, type Result } from 'autocannon'
import { fullPath } from '../contract/core/call.ts'
import type { Measured } from './calls.ts'
import type { Server } from './processes.ts'

const connections = 16

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

/** The requests of a call as our service takes them. */
export function serviceRequests({ call, inputs, unique }: Measured, token: string): Request[] {
  return inputs.map((input) => {
    const inQuery = call.sends === 'query'
    const request: Request = {
      method: call.method,
      path:
        fullPath(call) +
        (inQuery
          ? `?${new URLSearchParams(Object.entries(input).map(([key, value]): [string, string] => [key, String(value)])).toString()}`
          : ''),
      headers: { authorization: `Bearer ${token}`, ...(inQuery ? {} : { 'content-type': 'application/json' }) },
    }
    if (inQuery) return request
    return unique
      ? { ...request, setupRequest: (made) => ({ ...made, body: JSON.stringify(distinct(input, unique)) }) }
      : { ...request, body: JSON.stringify(input) }
  })
}

let made = 0
const distinct = (input: object, field: string) => ({
  ...input,
  [field]: `${String((input as Record<string, unknown>)[field])}${process.pid}-${made++}`,
})

/** The request of the same call as the bare server takes it; what a client would send with it comes along. */
export const bareRequests = (name: string, { call, inputs }: Measured): Request[] => [
  call.sends === 'query'
    ? { path: `/${encodeURIComponent(name)}` }
    : { path: `/${encodeURIComponent(name)}`, method: 'POST', body: JSON.stringify(inputs[0]) },
]

/** One round of load. Every answer must be a success by its envelope. */
export async function loadRound(server: Server, requests: Request[], seconds: number): Promise<Round> {
  const latencies: number[] = []
  const { cpu: cpuBefore } = await server.usage()
  const began = performance.now()
  const result = await new Promise<Result>((done, failed) => {
    const options: Options = {
      url: server.address,
      connections,
      duration: seconds,
      requests,
      timeout: 30,
      verifyBody: (body) => String(body).startsWith('{"code":200'),
    }
    const run = autocannon(options, (error: Error | null, found) => (error ? failed(error) : done(found)))
    run.on('response', (_client, _status, _bytes, ms) => latencies.push(ms))
  })
  const took = (performance.now() - began) / 1000
  const cpu = (await server.usage()).cpu - cpuBefore
  if (result.errors + result.non2xx + result.mismatches > 0)
    throw new Error(
      `${requests[0]!.path}: ${result.errors} errors, ${result.non2xx} refusals, ${result.mismatches} answers that are no success`,
    )
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
