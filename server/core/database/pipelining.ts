import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  SingleConnectionProvider,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type QueryCompiler,
} from 'kysely'

/**
 * Kysely as it is, but for transactions: it would send a statement only when the one before has been answered. Here
 * those that are started together go out together, and PostgreSQL runs them in that order.
 */
export function pipelining<DB>(dialect: Dialect): Kysely<DB> {
  const driver = dialect.createDriver()
  // with a pool that is there already nothing is waited for
  void driver.init()
  const executor = new PipeliningExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    new DefaultConnectionProvider(driver),
  )
  return new Kysely<DB>({ config: { dialect }, dialect, driver, executor })
}

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

/** The one connection of a provider, for any number of users at once: the driver keeps their statements in order. */
function concurrent(single: SingleConnectionProvider): ConnectionProvider {
  let connection: Promise<DatabaseConnection> | undefined
  return {
    provideConnection: async (consumer) => {
      connection ??= single.provideConnection((own) => Promise.resolve(own))
      return consumer(await connection)
    },
  }
}
