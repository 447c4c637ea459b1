import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  SingleConnectionProvider,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type KyselyProps,
  type QueryCompiler,
} from 'kysely'
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

/** The database behind that of a reading request: for what requests ask together. */
export const wholeDatabase = <DB>(db: Kysely<DB>): Kysely<DB> => (db instanceof SharingKysely ? db.whole : db)

class PipeliningExecutor extends DefaultQueryExecutor {
  readonly #compiler: QueryCompiler
  readonly #adapter: DialectAdapter

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, provider: ConnectionProvider) {
    super(compiler, adapter, provider)
    this.#compiler = compiler
    this.#adapter = adapter
  }

  override withConnectionProvider(provider: ConnectionProvider): DefaultQueryExecutor {
    const own = provider instanceof SingleConnectionProvider ? concurrent(provider) : provider
    return new PipeliningExecutor(this.#compiler, this.#adapter, own)
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
