import type { Server } from 'node:http'
import type { FastifyUnderPressureOptions } from '@fastify/under-pressure'
import { Failure } from '../../../contract/core/failure.ts'

/** Milliseconds after the first connection could come in which the measures still speak of the start. */
const startMs = 3000

/**
 * When requests are sent away because the process cannot keep up.
 * @param busyAfter milliseconds that its event loop is late on average over a second; 0 for never
 * @param server whose start is not held against the first people to sign in: mounting all routes keeps the loop, and on
 *   a busy machine for longer than anybody would wait, which the measure of the first seconds tells
 */
export function overloadAt(busyAfter: number, server: Server): FastifyUnderPressureOptions {
  let startedUntil = -Infinity
  server.once('listening', () => (startedUntil = performance.now() + startMs))
  return {
    maxEventLoopDelay: busyAfter,
    pressureHandler: (_request, _reply, _type, delay) => {
      // infinite stands for not measured
      if (delay === Infinity || performance.now() < startedUntil) return
      return Promise.reject(new Failure('unavailable', {}, { retryAfter: 1 }))
    },
  }
}
