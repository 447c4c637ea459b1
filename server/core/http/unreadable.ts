import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '../../../contract/core/failure.ts'
import { refusalOf } from './http-errors.ts'

/** Bytes that the address and the headers of a request may have together. Proxies bear no more by themselves. */
export const maxHeaderSize = 16_384

/** Milliseconds for whoever still sends to read why they are refused. */
const readingMs = 1000

const failureOf = (code: string | undefined): Failure => {
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure('address-too-long', { limit: `${maxHeaderSize / 1024} KB` })
  return new Failure(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too-slow-request' : 'bad-request')
}

/**
 * Answers what Node itself could not read as a request, an address that is too long among it, like any other refusal;
 * nothing of Fastify runs for these. The connection ends with the answer.
 * @param headers of every answer
 */
export const answerUnreadable =
  (headers: readonly [name: string, value: string][]) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    // after the answer the rest of what is being sent fails once more
    if (error.code === 'ECONNRESET' || !socket.writable) return
    const failure = failureOf(error.code)
    const requestId = randomUUID()
    const body = JSON.stringify(refusalOf(failure, requestId))
    const told: readonly (readonly [string, string])[] = [
      ...headers,
      ['x-request-id', requestId],
      ['cache-control', 'no-store'],
      ['content-type', 'application/json; charset=utf-8'],
      ['content-length', String(Buffer.byteLength(body))],
      ['connection', 'close'],
    ]
    const head = [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      ...told.map(([name, value]) => `${name}: ${value}`),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    // destroyed at once, the answer would be lost to whoever has not sent all of their request yet
    setTimeout(() => socket.destroy(), readingMs).unref()
  }
