import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  SingleConnectionProvider,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type KyselyProps,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'
import { telemetry } from '../base/telemetry.ts'
import { SharingKysely } from './sharing-connection.ts'

/**
 * Kysely as it is, but for transactions: it would send a statement only when the one before has been answered. Here
 * those that are started together go out together, and PostgreSQL runs them in that order.
 */
export function pipelining<DB>(dialect: Dialect): Kysely<DB> {
  const driver = ending(dialect.createDriver())
  // with a pool that is there already nothing is waited for
  void driver.init()
  const executor = new PipeliningExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    new DefaultConnectionProvider(driver),
  )
  const props = { config: { dialect }, dialect, driver, executor }
  const db = new Kysely<DB>(props)
  propsOf.set(db, props)
  return db
}

const propsOf = new WeakMap<object, KyselyProps>()

/** The same database for one reading request; see {@link SharingKysely}. */
export function sharingConnection<DB>(db: Kysely<DB>): Kysely<DB> {
  const props = propsOf.get(db)
  return props ? new SharingKysely(db, props) : db
}

/** The database as one call uses it: its statements are told with the name of the call. */
class NamedKysely<DB> extends Kysely<DB> {
  /** What it is a view of. */
  readonly whole: Kysely<DB>

  constructor(whole: Kysely<DB>, props: KyselyProps) {
    super(props)
    this.whole = whole
  }
}

/**
 * The same database for one call, made once and used by all its requests; whoever listens to statements learns of which
 * call they are.
 */
export function databaseOf<DB>(db: Kysely<DB>, call: string): Kysely<DB> {
  const props = propsOf.get(db)
  if (!props) return db
  const named = { ...props, executor: (props.executor as PipeliningExecutor).named(call) }
  const own = new NamedKysely(db, named)
  propsOf.set(own, named)
  return own
}

/**
 * The same database whose plain readings outside of transactions are tried on another one first. Whatever does not
 * come to an answer there is asked here: readings can be asked twice.
 * @param elsewhere tells with each reading where to; undefined: here. Told whether it answered there
 */
export function readingElsewhere<DB>(db: Kysely<DB>, elsewhere: ReadingPlace<DB>): Kysely<DB> {
  const props = propsOf.get(db)
  if (!props) return db
  const own = { ...props, executor: (props.executor as PipeliningExecutor).reading(elsewhere as ReadingPlace<unknown>) }
  const reader = new NamedKysely(db, own)
  propsOf.set(reader, own)
  return reader
}

/** Where a reading may go besides the database itself. */
interface ReadingPlace<DB> {
  /** Undefined while it must not be asked. */
  database(): Kysely<DB> | undefined
  /** Told of each reading whether it was answered there, and why not. */
  told(error?: unknown): void
}

/** Statements that only read: no locks of rows, and none of the functions by which a query writes or waits. */
const isReading = (text: string): boolean =>
  /^\s*(select|with)\b/i.test(text) &&
  !/\bfor\s+(no\s+key\s+)?update\b|\bfor\s+(key\s+)?share\b|\b(insert\s+into|update\s+"|delete\s+from|merge\s+into)\b/i.test(
    text,
  ) &&
  !/\b(nextval|setval|pg_notify|pg_(try_)?advisory\w*|set_config|analyze_table)\s*\(/i.test(text)

/** The database behind that of a call or a reading request: for what requests ask together. */
export function wholeDatabase<DB>(db: Kysely<DB>): Kysely<DB> {
  let whole = db
  while (whole instanceof SharingKysely || whole instanceof NamedKysely) whole = whole.whole as Kysely<DB>
  return whole
}

class PipeliningExecutor extends DefaultQueryExecutor {
  readonly #compiler: QueryCompiler
  readonly #adapter: DialectAdapter
  readonly #provider: ConnectionProvider
  readonly #call: string

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, provider: ConnectionProvider, call = '') {
    super(compiler, adapter, provider)
    this.#compiler = compiler
    this.#adapter = adapter
    this.#provider = provider
    this.#call = call
  }

  override withConnectionProvider(provider: ConnectionProvider): DefaultQueryExecutor {
    const own = provider instanceof SingleConnectionProvider ? concurrent(provider) : provider
    return new PipeliningExecutor(this.#compiler, this.#adapter, own, this.#call)
  }

  /** The same whose readings are tried elsewhere first. */
  reading(elsewhere: ReadingPlace<unknown>): PipeliningExecutor {
    return new ReadingExecutor(
      { compiler: this.#compiler, adapter: this.#adapter, provider: this.#provider, call: this.#call },
      elsewhere,
    )
  }

  /** The same for the statements of one call. */
  named(call: string): PipeliningExecutor {
    return new PipeliningExecutor(this.#compiler, this.#adapter, this.#provider, call)
  }

  /** Tells how long the answer took, without the wait for a connection. There are no plugins to ask. */
  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!telemetry.statement.hasSubscribers()) return super.executeQuery<R>(query)
    return this.provideConnection(async (connection) => {
      const began = performance.now()
      try {
        return await connection.executeQuery<R>(query)
      } finally {
        telemetry.statement.publish({ text: query.sql, ms: performance.now() - began, call: this.#call })
      }
    })
  }
}

/** Statements that run inside of a transaction have an executor of their own, which this one is not. */
class ReadingExecutor extends PipeliningExecutor {
  readonly #elsewhere: ReadingPlace<unknown>

  constructor(
    parts: { compiler: QueryCompiler; adapter: DialectAdapter; provider: ConnectionProvider; call: string },
    elsewhere: ReadingPlace<unknown>,
  ) {
    super(parts.compiler, parts.adapter, parts.provider, parts.call)
    this.#elsewhere = elsewhere
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const there = isReading(query.sql) ? this.#elsewhere.database() : undefined
    if (!there) return super.executeQuery<R>(query)
    try {
      const answer = await there.executeQuery<R>(query as CompiledQuery<R>)
      this.#elsewhere.told()
      return answer
    } catch (error) {
      this.#elsewhere.told(error)
      return super.executeQuery<R>(query)
    }
  }
}

/** The provider that was made last for a connection: while a transaction runs there, that of the transaction. */
const newest = new WeakMap<DatabaseConnection, { isOver: boolean }>()

/** The one connection of a provider, for any number of users at once: the driver keeps their statements in order. */
function concurrent(single: SingleConnectionProvider): ConnectionProvider {
  const state = { isOver: false }
  const connection = single.provideConnection((own) => {
    newest.set(own, state)
    return Promise.resolve(own)
  })
  return {
    provideConnection: async (consumer) => {
      const own = await connection
      if (state.isOver) throw new Error('the transaction of this statement has ended')
      return consumer(own)
    },
  }
}

/**
 * The driver, whose transactions end when their end is sent. Where one of several branches fails, another may still be
 * about to write: sent behind the rollback, its rows would be kept. Where the connection is gone the server undoes it:
 * then whoever began it hears why it failed, and not that its end could not be sent.
 */
function ending(driver: Driver): Driver {
  for (const end of ['commitTransaction', 'rollbackTransaction'] as const) {
    const send = driver[end].bind(driver)
    driver[end] = (connection) => {
      const state = newest.get(connection)
      if (state) state.isOver = true
      return end === 'rollbackTransaction' ? send(connection).catch(() => {}) : send(connection)
    }
  }
  return driver
}
