import type { FastifyUnderPressureOptions } from '@fastify/under-pressure'
import { Failure } from '../../../contract/core/failure.ts'

/**
 * When requests are sent away because the process cannot keep up.
 * @param busyAfter milliseconds that its event loop is late on average over a second; 0 for never
 */
export const overloadAt = (busyAfter: number): FastifyUnderPressureOptions => ({
  maxEventLoopDelay: busyAfter,
  pressureHandler: (_request, _reply, _type, delay) => {
    // infinite stands for not measured: a slow start keeps the loop for the whole first second, and the first person to
    // sign in must not pay for it
    if (delay === Infinity) return
    return Promise.reject(new Failure('unavailable', {}, { retryAfter: 1 }))
  },
})
