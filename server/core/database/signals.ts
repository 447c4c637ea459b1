import pg from 'pg'
import type { Logger } from 'pino'
import { atMost } from '../base/at-most.ts'
import type { Connection } from './connection.ts'
import { keepAsking } from './silence.ts'

/**
 * What the processes of an installation tell each other through PostgreSQL (`pg_notify`), over one connection a
 * process.
 */
export interface Signals {
  /**
   * Hears a channel until the function that comes back is called. After a break it is told once with an empty payload,
   * because something may have been missed: a signal only ever means "look", never carries what is to be known.
   */
  on(channel: SignalChannel, hear: (payload: string) => void): () => void
  /** Milliseconds since the connection last answered; null where nobody has wanted to hear yet. */
  silentFor(): number | null
  close(): Promise<void>
}

/**
 * `job`: work is waiting; `message`: inboxes of the school in the payload have changed; `allowance`: what a process has
 * let through, which may be missed.
 */
type SignalChannel = 'job' | 'message' | 'allowance'

/**
 * Opens the way to listen. Nothing is connected before somebody wants to hear; a broken connection is replaced.
 * @param askEveryMs milliseconds between two questions whether it still answers
 */
export function openSignals(connection: Connection, log: Logger, askEveryMs = 10_000): Signals {
  const hearers = new Map<SignalChannel, Set<(payload: string) => void>>()
  let client: pg.Client | undefined
  let opening: Promise<void> | undefined
  let closed = false
  let heardAt: number | undefined
  const heard = () => void (heardAt = performance.now())

  const open = async (): Promise<void> => {
    if (closed) return
    const own = (client = new pg.Client({
      ...connection,
      application_name: `second-classroom ${process.pid} signals`,
      connectionTimeoutMillis: 10_000,
      pipeline: true,
    }))
    let stopAsking = (): void => undefined
    own.on('error', () => {})
    own.on('notification', ({ channel, payload = '' }) =>
      hearers.get(channel as SignalChannel)?.forEach((hear) => hear(payload)),
    )
    own.on('end', () => {
      stopAsking()
      if (client === own) client = undefined
      if (!closed) setTimeout(() => (opening = open()), 1000).unref()
    })
    try {
      await own.connect()
      if (closed) return await own.end()
      heard()
      stopAsking = keepAsking(own, askEveryMs, heard)
      for (const channel of hearers.keys()) await own.query(`listen ${channel}`)
      for (const some of hearers.values()) some.forEach((hear) => hear(''))
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'signals: cannot listen')
      await own.end().catch(() => {})
    }
  }

  return {
    on(channel, hear) {
      let some = hearers.get(channel)
      if (!some) {
        hearers.set(channel, (some = new Set()))
        // a channel that joins later is added to the open connection; one that is being opened hears all that are there
        // by then or asks again here
        if (opening) void opening.then(() => client?.query(`listen ${channel}`)).catch(() => {})
        else {
          heard()
          opening = open()
        }
      }
      some.add(hear)
      return () => void some.delete(hear)
    },
    silentFor: () => (heardAt === undefined ? null : performance.now() - heardAt),
    async close() {
      closed = true
      // a connection that has fallen silent never ends, and one to nowhere opens for long
      await atMost(
        1000,
        Promise.resolve(opening).then(() => client?.end()),
      )
    },
  }
}
