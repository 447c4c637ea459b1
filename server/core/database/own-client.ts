import pg from 'pg'
import { atMost } from '../base/at-most.ts'
import type { Connection } from './connection.ts'
import { defaultPatience, socketOf, watchLongWork, type Patience } from './silence.ts'

/** Milliseconds that a connection may take to open. */
export const connectMs = 10_000
/** Milliseconds that it may take to end. */
const endMs = 1000

interface OwnClientOptions {
  /** By which it is known in `pg_stat_activity`. */
  name?: string
  /** With its silence. */
  patience?: Pick<Patience, 'silentMs' | 'answerMs'> | undefined
}

/**
 * Runs `work` over a connection of its own beside the pool. It opens and ends in limited time, its statements may take
 * as long as they need, and where it falls silent the statement that waits is refused by code 08006; behind a pooler,
 * which hides who answers, only its first one.
 */
export async function withOwnClient<R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
  { name, patience = defaultPatience }: OwnClientOptions = {},
): Promise<R> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: connectMs,
    ...(name !== undefined && { application_name: name }),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await watchLongWork(client, connection, patience)
    return await work(client)
  } finally {
    await atMost(endMs, client.end())
    // one that has fallen silent would keep the process from ending
    socketOf(client).destroy()
  }
}
