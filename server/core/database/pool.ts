import { createHash } from 'node:crypto'
import { PostgresDialect, sql, type Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Connection } from './connection.ts'
import { pipelining, wholeDatabase } from './pipelining.ts'
import { isStalePlan, runCopy, runPrepared } from './prepared-query.ts'
import { defaultPatience, ownProcess, SilenceWatch, type Patience, type ServerProcess } from './silence.ts'
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
  /** With connections that have fallen silent. */
  patience?: Patience
  /** Whether statements are prepared under names. */
  preparedStatements?: boolean
  /** Rewrites each statement before it is sent, for an engine that wants it in other words. */
  bind?: ((text: string) => string) | undefined
  /**
   * The same database without a pooler between, where the connection has one: a pooler hands a server process to others
   * after each transaction, and with it every setting and lock of a session.
   */
  direct?: Connection | undefined
}

/** Connections for locks of sessions, each of which waits or is held while its work goes on elsewhere. */
const maxDirect = 4

/**
 * The part of a statement's time after which it no longer waits for a lock: what others hold is told as "later" and
 * what takes long as too slow.
 */
const lockShare = 4 / 5

/**
 * Opens the database. Nothing is connected before the first query. Moments come and go as wall-clock text of
 * Asia/Shanghai, days as `yyyy-MM-dd`, `bigint` as number, `numeric` as decimal text.
 */
export function openDatabase(
  connection: Connection,
  { max, statementTimeout = 15_000, patience = defaultPatience, preparedStatements = true, direct, bind }: Options,
): Database {
  const silence = new SilenceWatch(connection, patience)
  const pool = new pg.Pool({
    ...connection,
    max,
    types,
    application_name: `second-classroom ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // statements of a transaction that are sent together do not wait for each other's answers
    pipeline: true,
    onConnect: async (client) => {
      silence.watch(client)
      // these two a pooler keeps for each of its clients; the limits would stay with whoever gets the server process
      // next, so that there the role has them (see docs/operations.md)
      const forms = `set timezone = 'Asia/Shanghai'; set datestyle = 'ISO'`
      const limits = direct
        ? ''
        : `; set statement_timeout = ${statementTimeout}; set lock_timeout = ${Math.round(statementTimeout * lockShare)}; set idle_in_transaction_session_timeout = ${statementTimeout && 60_000}`
      await silence.heard(client, () => client.query(forms + limits))
      const { rows } = await silence.heard(client, () => client.query<ServerProcess>(ownProcess))
      silence.know(client, rows[0]!)
    },
  })
  // A broken idle connection is replaced at its next use; without a listener, its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = pipelining<Tables>(
    new PostgresDialect({ pool: preparing(pool, silence, { isNaming: preparedStatements, bind }) }),
  )
  if (!direct) return { db, pool, close: () => db.destroy() }
  const beside = openDatabase(direct, { max: maxDirect, statementTimeout, patience, bind })
  directOf.set(db, beside.db)
  return { db, pool, close: async () => void (await Promise.all([db.destroy(), beside.close()])) }
}

const directOf = new WeakMap<Db, Db>()

/**
 * The same database over connections that keep their session, where those of the given one do not; undefined where they
 * do.
 */
export const directDatabase = (db: Db): Db | undefined => directOf.get(wholeDatabase(db))

/** Tells that something stands for a database, whose other connections are then the same. */
export function standsFor(view: Db, db: Db): void {
  const direct = directDatabase(db)
  if (direct) directOf.set(view, direct)
}

/** Gives Kysely the pool's clients with queries that are prepared once per connection. */
function preparing(pool: pg.Pool, silence: SilenceWatch, options: Omit<Manner, 'onStale'>): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, { own: PostgresPoolClient; age: number }>()
  /** Rises with each change of the schema that is noticed; connections of an earlier age may have stale plans. */
  let age = 0
  return {
    async connect() {
      for (;;) {
        const client = await pool.connect()
        const known = wrapped.get(client)
        if ((!known || known.age === age) && (await silence.isAlive(client))) {
          if (known) return known.own
          const began = age
          const onStale = () => {
            if (age === began) age++
          }
          const own = prepared(client, silence, { ...options, onStale })
          wrapped.set(client, { own, age: began })
          return own
        }
        client.release(true)
      }
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

const nothing: QueryAnswer = { command: 'START', rowCount: 0, rows: [] }
type QueryAnswer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>

/** How statements are sent. */
interface Manner {
  isNaming: boolean
  bind: Options['bind']
  /** Told that the plans of this connection, and so those of all that are as old, are no longer to be trusted. */
  onStale: () => void
}

function prepared(
  client: pg.PoolClient,
  silence: SilenceWatch,
  { isNaming, bind, onStale }: Manner,
): PostgresPoolClient {
  const names = new Set<string>()
  /** Those that open a transaction and have done so on this connection. */
  const openers = new Set<string>()
  /** The statement that opens the transaction which has been asked for; it goes out with the first one of its work. */
  let opening: string | undefined
  /** A transaction has been asked for, and its end not yet. */
  let isInside = false
  /**
   * It is handed to nobody else: the server has ended it, whose socket tells a moment later; or its plans are stale,
   * and whoever has it goes on without them.
   */
  let isDone = false
  const send = (run: () => Promise<QueryAnswer>): Promise<QueryAnswer> =>
    silence.heard(client, run).catch((error: unknown) => {
      const isStale = isStalePlan(error)
      if (isStale) onStale()
      isDone ||= isStale || (error instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(error.severity ?? ''))
      throw error
    })
  const query = async (asked: string, parameters: readonly unknown[]): Promise<QueryAnswer> => {
    const text = bind ? bind(asked) : asked
    if (text === unlimited) silence.lift(client, true)
    const own = knownOf(text)
    // what ends a transaction may take as long as its work: checks that were put off are made by it
    return ask(text, own, parameters).finally(() => own.ends && silence.lift(client, false))
  }
  const ask = async (text: string, own: Known, parameters: readonly unknown[]): Promise<QueryAnswer> => {
    const { name, writesConfiguration, begins, opens, ends, takesRows } = own
    if (writesConfiguration) writes++
    isInside = begins || (isInside && !ends)
    const wasInside = isInside
    if (opens && !isDone && openers.has(name!)) {
      opening = name
      return nothing
    }
    const first = opening
    opening = undefined
    if (first && ends) return nothing
    if (takesRows) return send(() => runCopy(client, behind(first, text), parameters[0] as Buffer))
    const values = [...parameters]
    const isNamed = isNaming && !isDone && name !== undefined && (names.has(name) || names.size < namesPerConnection)
    if (isNamed) names.add(name)
    // only texts without parameters can be several statements or such as cannot be prepared
    if (!isNamed && values.length === 0) return send(() => runPlain(client, text, first))
    const run = (own: string | undefined) => send(() => runPrepared(client, { name: own, text, values }, first))
    const answer = await run(isNamed ? name : undefined).catch((error: unknown) => {
      // within a transaction all of it has to be done again, by whoever began it
      if (!isNamed || wasInside || !isStalePlan(error)) throw error
      return run(undefined)
    })
    if (opens && isNamed) openers.add(name)
    return answer
  }
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(isDone) }
}

/** One text of several statements is one for PostgreSQL: where the first fails the others are not run. */
async function runPlain(client: pg.PoolClient, text: string, opening: string | undefined): Promise<QueryAnswer> {
  const answer = (await client.query(behind(opening, text))) as QueryAnswer | QueryAnswer[]
  return Array.isArray(answer) ? answer.at(-1)! : answer
}

const behind = (opening: string | undefined, text: string): string =>
  opening === undefined ? text : `${openingTexts.get(opening)!}; ${text}`

/** What is known of a statement by its text. */
interface Known {
  /** A short name; none for what is no single query or change of rows, and none for what is planned by its values. */
  name: string | undefined
  writesConfiguration: boolean
  /** It begins a transaction, also by a text that goes out at once. */
  begins: boolean
  /** It begins one by a text that can wait for the first statement. */
  opens: boolean
  ends: boolean
  /** It is a `copy … from stdin`, whose one parameter is the rows. */
  takesRows: boolean
}
/** Texts that open a transaction, by their names. */
const openingTexts = new Map<string, string>()
const known = new Map<string, Known>()

function knownOf(text: string): Known {
  const entry = known.get(text)
  if (entry) return entry
  if (known.size >= 5000) known.clear()
  const opens = /^start transaction\b[^;]*$/.test(text)
  const isQuery = /^\s*(select|insert|update|delete|with)\b/i.test(text) && !text.includes(';')
  const preparable = opens || (isQuery && !text.includes(plannedByValue))
  const name = preparable ? createHash('sha256').update(text).digest('base64url').slice(0, 16) : undefined
  const own = {
    name,
    begins: opens || text === 'begin',
    opens,
    ends: text === 'commit' || text === 'rollback',
    takesRows: /^copy\b[^;]* from stdin$/.test(text),
    writesConfiguration: configurationWrite.test(text),
  }
  if (opens) openingTexts.set(name!, text)
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
  `\\b(insert\\s+into|copy|update|delete\\s+from|merge\\s+into)\\s+(only\\s+)?"(${configurationTables.join('|')})"`,
  'i',
)
let writes = 0

/**
 * How many statements this process has sent that may have changed the configuration of a school: a transaction that
 * knows a version asks again when it has risen.
 */
export const configurationWrites = (): number => writes

const unlimited = 'set local statement_timeout = 0'

/**
 * In this transaction statements may take as long as they need. They wait for locks no longer than others do: what it
 * has locked itself would be waited for as long.
 */
export async function liftStatementLimit(db: Db): Promise<void> {
  await sql.raw(unlimited).execute(db)
}

/**
 * In this transaction statements may take, and wait for locks, as long as they need: what a request may take says
 * nothing about work that nobody waits for.
 */
export async function liftLimits(db: Db): Promise<void> {
  await liftStatementLimit(db)
  await sql`set local lock_timeout = 0`.execute(db)
}
