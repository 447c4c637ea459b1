import { channel } from 'node:diagnostics_channel'

/** A statement that PostgreSQL has answered or refused: its text without values, and the call that sent it. */
export interface StatementTold {
  text: string
  ms: number
  /** Path of the call; empty for what no request asked for. */
  call: string
}

/** A request that has been answered. */
export interface RequestTold {
  /** Path as the route has it, with open parameters; undefined where no route fits. */
  route: string | undefined
  status: number
  ms: number
}

/** What kept somebody from asking more. */
export type LimitName = 'address' | 'person' | 'statistic' | 'search' | 'export'

/**
 * What the program tells of its own doings, through Node's diagnostics channels: telling costs nothing while nobody
 * listens, and whoever measures needs no place in the code that is measured.
 */
export const telemetry = {
  statement: tells<StatementTold>('statement'),
  request: tells<RequestTold>('request'),
  refusal: tells<LimitName>('refusal'),
  /** Where a request that may be answered by a standby was read. */
  reading: tells<'replica' | 'primary'>('reading'),
  /** A stream of events has been opened, or has ended. */
  stream: tells<'opened' | 'ended'>('stream'),
}

interface Teller<T> {
  /** Whether anybody listens: asked before what is told is gathered. */
  isHeard(): boolean
  tell(what: T): void
  /** @returns how to stop listening */
  hear(listener: (what: T) => void): () => void
}

function tells<T>(name: string): Teller<T> {
  const own = channel(`second-classroom:${name}`)
  return {
    isHeard: () => own.hasSubscribers,
    tell: (what) => own.publish(what),
    hear(listener) {
      const heard = (what: unknown): void => listener(what as T)
      own.subscribe(heard)
      return () => {
        own.unsubscribe(heard)
      }
    },
  }
}
