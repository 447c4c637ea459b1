import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Connection } from './connection.ts'
import type { DB } from './tables.ts'
import { types } from './types.ts'

/** All tables: rows by table name, columns by the field names of the specification. */
export type Tables = DB
export type Db = Kysely<Tables>

export interface Database {
  /** For queries; each runs as a named prepared statement. */
  db: Db
  /** For what the query layer cannot do, such as COPY and cursors. */
  pool: pg.Pool
  close: () => Promise<void>
}

interface Options {
  /** Connections at most. */
  max: number
  /** Milliseconds after which a statement is given up; 0 never. */
  statementTimeout?: number
}

/**
 * Opens the database. Nothing is connected before the first query. Moments come and go as wall-clock text of
 * Asia/Shanghai, days as `yyyy-MM-dd`, `bigint` as number, `numeric` as decimal text.
 */
export function openDatabase(connection: Connection, { max, statementTimeout = 15_000 }: Options): Database {
  const pool = new pg.Pool({
    ...connection,
    max,
    types,
    application_name: `second-classroom ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(
        `set timezone = 'Asia/Shanghai'; set datestyle = 'ISO'; set statement_timeout = ${statementTimeout}; set idle_in_transaction_session_timeout = ${statementTimeout && 60_000}`,
      )
    },
  })
  // A broken idle connection is replaced at its next use; without a listener, its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  return { db, pool, close: () => db.destroy() }
}

/** Gives Kysely the pool's clients with queries that are prepared once per connection. */
function preparing(pool: pg.Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      let own = wrapped.get(client)
      if (!own) wrapped.set(client, (own = prepared(client)))
      return own
    },
    end: () => pool.end(),
  }
}

/**
 * Written into a statement, it has the database plan it for the values at hand each time: how many rows hold a word
 * decides the way, and a plan for any word would be wrong for most.
 */
export const plannedByValue = '/* planned by value */'

/** Prepared statements a connection keeps; each costs the server some memory. Texts seen after that run unnamed. */
export const namesPerConnection = 500

function prepared(client: pg.PoolClient): PostgresPoolClient {
  const known = new Set<string>()
  const query = (text: string, values: readonly unknown[]) => {
    const name = nameOf(text)
    if (name === undefined || (!known.has(name) && known.size >= namesPerConnection))
      return client.query(text, [...values])
    known.add(name)
    return client.query({ name, text, values: [...values] })
  }
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
}

const names = new Map<string, string | undefined>()

/**
 * A short name for a statement's text; none for what is no single query or change of rows, and none for what is planned
 * by its values.
 */
function nameOf(text: string): string | undefined {
  if (names.has(text)) return names.get(text)
  if (names.size >= 5000) names.clear()
  const preparable =
    /^\s*(select|insert|update|delete|with)\b/i.test(text) && !text.includes(';') && !text.includes(plannedByValue)
  const name = preparable ? createHash('sha256').update(text).digest('base64url').slice(0, 16) : undefined
  names.set(text, name)
  return name
}
