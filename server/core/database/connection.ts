import { Socket } from 'node:net'
import pg from 'pg'
import { readDatabaseAddress } from '../base/database-address.ts'

/** How to reach a PostgreSQL: one address text, or its parts. */
export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  password?: string
  database?: string
  ssl?: boolean
  keepAlive?: boolean
  keepAliveInitialDelayMillis?: number
  /** Opens the way, where it has to be found first; the host of the address is then only one of those there are. */
  stream?: () => Socket
}

/** Milliseconds after which the kernel asks whether a quiet connection is still there. */
const quietMs = 30_000
/** Milliseconds that a host may take to say whether it takes writes. */
const answerMs = 3000
/** Milliseconds for which the host that was found is used without asking again. */
const knownMs = 1000

/**
 * How to reach the database of an address. Of several hosts, or with `target_session_attrs`, each connection goes to
 * the one that takes writes at that moment, whichever it is after a fail-over.
 */
export function connectionTo(address: string): Connection {
  const { each, isSearched } = readDatabaseAddress(address)
  return {
    connectionString: isSearched ? each[0]! : address,
    ...(isSearched && { stream: streamTo(each) }),
    // what waits long, such as a backup, would learn of a host that is gone after two hours, as kernels have it
    keepAlive: true,
    keepAliveInitialDelayMillis: quietMs,
  }
}

/** Sockets that find their way when they are to connect, whatever host they are told. */
function streamTo(addresses: string[]): () => Socket {
  let known: { until: number; client: Promise<pg.Client> } | undefined
  const find = (): Promise<pg.Client> => {
    if (!known || known.until < performance.now()) {
      const entry = { until: Infinity, client: writableOf(addresses) }
      known = entry
      entry.client.then(
        () => (entry.until = performance.now() + knownMs),
        () => (entry.until = -Infinity),
      )
    }
    return known.client
  }
  return () => {
    const socket = new Socket()
    const connect = socket.connect.bind(socket) as (port: number, host: string) => Socket
    socket.connect = () => {
      find().then(
        ({ host, port }) => {
          if (!socket.destroyed) connect(port, host)
        },
        (error: Error) => socket.destroy(error),
      )
      return socket
    }
    return socket
  }
}

/**
 * The first of these servers to say that it takes writes.
 * @throws Error of class 08 when none does
 */
async function writableOf(addresses: string[]): Promise<pg.Client> {
  try {
    return await Promise.any(addresses.map(assertWritable))
  } catch (error) {
    const why = (error as AggregateError).errors.map((each) => (each as Error).message).join('; ')
    throw Object.assign(new Error(`no host takes writes: ${why}`), { code: '08001' })
  }
}

async function assertWritable(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ is: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean "is"`,
    )
    if (rows[0]!.is) throw new Error(`${client.host} only reads`)
    return client
  } finally {
    void client.end().catch(() => {})
  }
}
