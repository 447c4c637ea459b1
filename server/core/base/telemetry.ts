import type { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** A statement that PostgreSQL has answered or refused: its text without values, and the call that sent it. */
interface StatementEvent {
  text: string
  ms: number
  /** Path of the call; empty for what no request asked for. */
  call: string
}

/** A request that has been answered. */
interface RequestEvent {
  /** Path as the route has it, with open parameters; undefined where no route fits. */
  route: string | undefined
  status: number
  ms: number
}

/** A piece of work in whose course statements are sent. */
export type WorkEvent =
  | {
      kind: 'request'
      /** The same object each time that the same request is told. */
      request: object
      method: string
      route: string | undefined
      requestId: string
      traceparent: string | undefined
      tracestate: string | undefined
    }
  | { kind: 'job'; jobKind: string; schoolId: string; attempts: number }

/** The end of a request that was told as work. */
interface RequestEndEvent {
  request: object
  route: string | undefined
  status: number
  schoolId: string | undefined
}

/** What kept somebody from asking more. */
export type LimitName = 'address' | 'person' | 'school' | 'turn' | 'statistic' | 'search' | 'export'

/**
 * What the program tells of its own doings, through Node's diagnostics channels: telling costs nothing while nobody
 * listens, and whoever measures needs no place in the code that is measured.
 */
export const telemetry = {
  statement: createChannel<StatementEvent>('statement'),
  request: createChannel<RequestEvent>('request'),
  refusal: createChannel<LimitName>('refusal'),
  /** A request begins to wait for the turn of its school, or has waited so long. */
  turn: createChannel<{ waiting: 1 } | { waiting: -1; ms: number }>('turn'),
  /** Where a request that may be answered by a standby was read. */
  reading: createChannel<'replica' | 'primary'>('reading'),
  /** A connection to the database that had fallen silent was given up. */
  connectionCut: createChannel<{ host: string }>('connection-cut'),
  /** A stream of events has been opened, or has ended. */
  stream: createChannel<'opened' | 'ended'>('stream'),
  /** Work that begins, and goes on in the stores that subscribers have bound. */
  work: createStoreChannel<WorkEvent>('work'),
  requestEnded: createChannel<RequestEndEvent>('request-ended'),
  /** Published within the context of the run. */
  jobEnded: createChannel<{ error?: unknown }>('job-ended'),
}

interface StoreChannel<T> {
  hasSubscribers(): boolean
  /** Goes on with it, within the stores that are bound. */
  runStores<R>(what: T, goOn: () => R): R
  /** @param store holds, while the work goes on, what `begin` makes of it. @returns how to stop */
  bindStore<S>(store: AsyncLocalStorage<S>, begin: (what: T) => S): () => void
}

function createStoreChannel<T>(name: string): StoreChannel<T> {
  const own = channel(`second-classroom:${name}`)
  return {
    hasSubscribers: () => own.hasSubscribers,
    runStores: (what, goOn) => (own.hasSubscribers ? own.runStores(what as object, goOn) : goOn()),
    bindStore(store, begin) {
      own.bindStore(store, begin as (what: unknown) => never)
      return () => void own.unbindStore(store)
    },
  }
}

interface Channel<T> {
  /** Whether anybody listens: asked before what is told is gathered. */
  hasSubscribers(): boolean
  publish(what: T): void
  /** @returns how to stop listening */
  subscribe(listener: (what: T) => void): () => void
}

function createChannel<T>(name: string): Channel<T> {
  const own = channel(`second-classroom:${name}`)
  return {
    hasSubscribers: () => own.hasSubscribers,
    publish: (what) => own.publish(what),
    subscribe(listener) {
      const heard = (what: unknown): void => listener(what as T)
      own.subscribe(heard)
      return () => {
        own.unsubscribe(heard)
      }
    },
  }
}
