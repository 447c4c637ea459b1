import { Kysely, type ConnectionProvider, type DatabaseConnection, type KyselyProps } from 'kysely'

/**
 * The database as one reading request uses it: statements that are under way at the same time share a connection, so
 * that they leave in one write and wake one server process. Between its statements the request holds none, and each
 * transaction has one of its own.
 */
export class SharingKysely<DB> extends Kysely<DB> {
  /** What it is a view of. */
  readonly whole: Kysely<DB>

  constructor(whole: Kysely<DB>, props: KyselyProps) {
    super({ ...props, executor: props.executor.withConnectionProvider(sharing(props.executor)) })
    this.whole = whole
  }

  override transaction() {
    return this.whole.transaction()
  }

  override connection() {
    return this.whole.connection()
  }
}

/** A connection while statements run on it. */
interface Shared {
  connection: Promise<DatabaseConnection>
  users: number
  /** Gives it back. */
  release: () => void
}

function sharing(whole: ConnectionProvider): ConnectionProvider {
  let current: Shared | undefined
  const open = (): Shared => {
    const own = { users: 0 } as Shared
    const isOver = new Promise<void>((resolve) => (own.release = resolve))
    own.connection = new Promise((resolve, reject) => {
      whole
        .provideConnection((connection) => {
          resolve(connection)
          return isOver
        })
        .catch(reject)
    })
    return own
  }
  return {
    provideConnection: async (consumer) => {
      const own = (current ??= open())
      own.users++
      try {
        return await consumer(await own.connection)
      } finally {
        if (--own.users === 0) {
          if (current === own) current = undefined
          own.release()
        }
      }
    },
  }
}
