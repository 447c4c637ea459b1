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

  /** The same for the statements of one call. */
  named(call: string): PipeliningExecutor {
    return new PipeliningExecutor(this.#compiler, this.#adapter, this.#provider, call)
  }

  /** Tells how long the answer took, without the wait for a connection. There are no plugins to ask. */
  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!telemetry.statement.isHeard()) return super.executeQuery<R>(query)
    return this.provideConnection(async (connection) => {
      const began = performance.now()
      try {
        return await connection.executeQuery<R>(query)
      } finally {
        telemetry.statement.tell({ text: query.sql, ms: performance.now() - began, call: this.#call })
      }
    })
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
 * about to write: sent behind the rollback, its rows would be kept.
 */
function ending(driver: Driver): Driver {
  for (const end of ['commitTransaction', 'rollbackTransaction'] as const) {
    const send = driver[end].bind(driver)
    driver[end] = (connection) => {
      const state = newest.get(connection)
      if (state) state.isOver = true
      return send(connection)
    }
  }
  return driver
}
