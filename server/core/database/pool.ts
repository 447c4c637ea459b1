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

/** Prepared statements a connection keeps; each costs the server some memory. Texts seen after that run unnamed. */
export const namesPerConnection = 500

function prepared(client: pg.PoolClient): PostgresPoolClient {
  const names = new Set<string>()
  const query = (text: string, values: readonly unknown[]) => {
    const { name, writesConfiguration } = knownOf(text)
    if (writesConfiguration) writes++
    if (name === undefined || (!names.has(name) && names.size >= namesPerConnection))
      return client.query(text, [...values])
    names.add(name)
    return client.query({ name, text, values: [...values] })
  }
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
}

/** What is known of a statement by its text. */
interface Known {
  /** A short name; none for what is no single query or change of rows. */
  name: string | undefined
  writesConfiguration: boolean
}
const known = new Map<string, Known>()

function knownOf(text: string): Known {
  const entry = known.get(text)
  if (entry) return entry
  if (known.size >= 5000) known.clear()
  const preparable = /^\s*(select|insert|update|delete|with)\b/i.test(text) && !text.includes(';')
  const own = {
    name: preparable ? createHash('sha256').update(text).digest('base64url').slice(0, 16) : undefined,
    writesConfiguration: configurationWrite.test(text),
  }
  known.set(text, own)
  return own
}

/** The tables whose triggers give a school's configuration a new version; a test compares. */
export const configurationTables = [
  'school',
  'term',
  'curriculum',
  'lessonLevel',
  'evaluation',
  'awardTemplate',
  'awardDetail',
  'qualityLabel',
  'role',
]
const configurationWrite = new RegExp(
  `\\b(insert\\s+into|update|delete\\s+from|merge\\s+into)\\s+(only\\s+)?"(${configurationTables.join('|')})"`,
  'i',
)
let writes = 0

/**
 * How many statements this process has sent that may have changed the configuration of a school: a transaction that
 * knows a version asks again when it has risen.
 */
export const configurationWrites = (): number => writes
