import type { FastifyInstance, FastifyRequest } from 'fastify'
import { telemetry, type WorkEvent } from '../base/telemetry.ts'
import { currentTrace } from '../base/trace-context.ts'
import { askerOf } from './http.ts'

const traces = new WeakMap<object, string>()

/** The trace that a request belongs to; undefined where none is made. */
export const traceIdOf = ({ raw }: FastifyRequest): string | undefined => traces.get(raw)

/**
 * Tells every request as work, so that its statements are known as its own, and tells whoever asked which trace it
 * belongs to (`traceresponse`, as W3C names it). Only where traces are made.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) =>
    telemetry.work.runStores(workOf(request), () => {
      const trace = currentTrace()
      if (trace) {
        traces.set(request.raw, trace.traceId)
        reply.header('traceresponse', trace.traceparent)
      }
      next()
    }),
  )
  // a body is read in the context of its connection, which knows nothing of the request
  app.addHook('preHandler', (request, _, next) => telemetry.work.runStores(workOf(request), next))
  app.addHook('onResponse', (request, reply, next) => {
    const { schoolId } = askerOf(request)
    telemetry.requestEnded.publish({
      request: request.raw,
      route: request.routeOptions.url,
      status: reply.statusCode,
      schoolId,
    })
    next()
  })
}

function workOf({ raw, id, method, headers, routeOptions }: FastifyRequest): WorkEvent {
  const single = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)
  return {
    kind: 'request',
    request: raw,
    method,
    route: routeOptions.url,
    requestId: id,
    traceparent: single(headers['traceparent']),
    tracestate: single(headers['tracestate']),
  }
}
