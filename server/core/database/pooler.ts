import pg from 'pg'
import { StartFault } from '../base/start-fault.ts'
import type { Connection } from './connection.ts'

/** Looks before a pooler that shares its server processes between transactions is believed not to be one. */
const looks = 5
/** Milliseconds that an answer may take; a pooler without a free server process lets its clients wait. */
const answerMs = 3000

/**
 * Whether something stands between that gives a server process to another client after each transaction, as PgBouncer
 * does in transaction mode: what one connection leaves in its session, another one finds. A pooler tells its clients
 * numbers of its own, so without one a single look is enough.
 */
export async function isShared(connection: Connection): Promise<boolean> {
  return withTwo(connection, async (one, other) => {
    for (let look = 0; look < looks; look++) {
      const seen = await processOf(one)
      if (seen === toldProcess(one)) return false
      // it is ours for as long as the transaction lasts
      await other.query('begin')
      const theirs = await processOf(other)
      await other.query('rollback')
      if (theirs === seen) return true
    }
    return false
  })
}

/** Whether a statement that was prepared under a name is found again when another server process answers. */
async function keepsPrepared(connection: Connection): Promise<boolean> {
  return withTwo(connection, async (one, other) => {
    for (let look = 0; look < looks; look++) {
      const { pid } = await namedLook(one)
      await other.query('begin')
      try {
        if ((await processOf(other)) !== pid) continue
        // the server process that has prepared it is taken, so another one has to answer
        return await namedLook(one).then(
          () => true,
          (error: { code?: string }) => error.code !== '26000',
        )
      } finally {
        await other.query('rollback')
      }
    }
    return true
  })
}

const namedLook = async (client: pg.Client): Promise<{ pid: number }> =>
  (await client.query<{ pid: number }>({ name: 'pooler_look', text: 'select pg_backend_pid() pid' })).rows[0]!

/**
 * Sees that what needs a session of its own gets one where a pooler stands between.
 * @throws StartFault that says which setting is missing
 */
export async function checkPooler(
  { connection, direct, owner }: { connection: Connection; direct: Connection | undefined; owner: Connection },
  {
    preparedStatements,
    migrationDatabaseUrl,
  }: { preparedStatements: boolean; migrationDatabaseUrl?: string | undefined },
): Promise<void> {
  const shared = await isShared(connection)
  if (shared && !direct)
    throw new StartFault(
      'DATABASE_URL 经过事务模式的连接池（如 PgBouncer）：请另设 DIRECT_DATABASE_URL，写同一数据库不经过连接池的地址，用于通知、加锁和升级表结构。',
    )
  for (const [name, address] of [
    ['DIRECT_DATABASE_URL', direct],
    ['MIGRATION_DATABASE_URL', migrationDatabaseUrl ? owner : undefined],
  ] as const)
    if (address && (await isShared(address)))
      throw new StartFault(`${name} 也经过事务模式的连接池，请改为数据库自己的地址。`)
  if (shared && preparedStatements && !(await keepsPrepared(connection)))
    throw new StartFault(
      '连接池不支持预备语句：请换用 PgBouncer 1.21 以上并设 max_prepared_statements = 200，或设 PREPARED_STATEMENTS=0（慢一些）。',
    )
}

/** The process that the connection was told at its beginning. */
const toldProcess = (client: pg.Client): number => (client as unknown as { processID: number }).processID

const processOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() pid')).rows[0]!.pid

async function withTwo<R>(connection: Connection, work: (one: pg.Client, other: pg.Client) => Promise<R>): Promise<R> {
  const open = (): pg.Client => {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000, query_timeout: answerMs })
    client.on('error', () => {})
    return client
  }
  const [one, other] = [open(), open()]
  try {
    await one.connect()
    await other.connect()
    return await work(one, other)
  } finally {
    await Promise.all([one.end().catch(() => {}), other.end().catch(() => {})])
  }
}
