import { AsyncLocalStorage } from 'node:async_hooks'

/** The trace that the work at hand belongs to, in the form in which it is passed on. */
export interface TraceContext {
  traceId: string
  traceparent: string
}

/** Bound to the work that is told (`telemetry.work`) while traces are made. */
export const traceStore = new AsyncLocalStorage<TraceContext>()

/** Undefined where no traces are made. */
export const currentTrace = (): TraceContext | undefined => traceStore.getStore()
