import { Kysely, Migrator, PostgresDialect, sql, type DatabaseIntrospector } from 'kysely'
import pg from 'pg'
import { atMost } from '../base/at-most.ts'
import { isDiskFull, diskFullText, StartFault } from '../base/start-fault.ts'
import type { Connection } from './connection.ts'
import { acquireStartupLock, startupLocks } from './startup-lock.ts'
import { connectMs } from './own-client.ts'
import { watchLongWork, type Patience } from './silence.ts'
import type { SchemaMigration } from './stepwise.ts'
import { isConnectionLost } from './unreachable.ts'
import { isLockTimeout, LockWatch, migrationName, type LockPatience } from './lock-watch.ts'

/** All migrations by name; the names sort in the order of time. */
export type Migrations = Record<string, SchemaMigration>

const defaultPatience: LockPatience = {
  timeoutMs: 4000,
  retryAfterMs: [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000],
}

interface MigrateOptions {
  /** What else only the owner may do, while nobody else does. */
  afterwards?: (owner: pg.PoolClient) => Promise<void>
  /** Told, in Chinese, why it waits. */
  print?: (text: string) => void
  patience?: LockPatience
  /** With connections that fall silent. */
  silence?: Pick<Patience, 'silentMs' | 'answerMs'>
  /** Milliseconds between two words about another process that migrates. */
  tellEveryMs?: number
}

/** Milliseconds that its connections may take to end. */
const endMs = 1000

/** Oldest PostgreSQL the schema can be made on. */
const oldestServer = 150_000

/**
 * Brings the database's schema up to date, forward only. Each migration and the note that it ran are one transaction,
 * so a process killed half-way leaves whole migrations behind and the next start goes on from there; a stepwise one is
 * taken up where it was left.
 * @param connection of the owner of the tables
 * @returns names of the migrations that ran
 * @throws StartFault when the server is too old, the database was made by a newer version of this program or by one
 *   before its first release, somebody does not let go of a table, or the connection breaks off
 */
export async function migrate(
  connection: Connection,
  migrations: Migrations,
  {
    afterwards = async () => {},
    print = () => {},
    patience = defaultPatience,
    silence,
    tellEveryMs,
  }: MigrateOptions = {},
): Promise<string[]> {
  const pool = new pg.Pool({
    ...connection,
    max: 2,
    connectionTimeoutMillis: connectMs,
    application_name: migrationName,
    onConnect: async (client) => {
      await client.query(`set lock_timeout = ${patience.timeoutMs}`)
      await watchLongWork(client, connection, silence)
    },
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new MigrationDialect({ pool }) })
  try {
    const guard = await pool.connect()
    try {
      await checkServer(guard)
      // what is done afterwards waits as long as it must
      await guard.query('set lock_timeout = 0')
      // one process at a time, whoever else starts
      await acquireStartupLock(guard, startupLocks.migration, { what: '升级表结构', print, tellEveryMs })
      const done = await runAll(db, migrations, new LockWatch(guard, print, patience))
      await afterwards(guard)
      return done
    } catch (error) {
      const cause = (error as Error).cause ?? error
      if (error instanceof StartFault || !isConnectionLost(cause)) throw error
      throw new StartFault(
        `升级表结构时与数据库的连接中断（${(cause as Error).message}）。已经做完的步骤保留；请检查数据库与网络，然后重新启动，将从中断处继续。`,
      )
    } finally {
      guard.release(true)
    }
  } finally {
    // a connection that has fallen silent never ends
    await atMost(endMs, db.destroy())
  }
}

/**
 * Looks for the migrator's own two tables only, which it asks for before each migration: reading the columns of all
 * tables took longer than most migrations do.
 */
class MigrationDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    const introspector = super.createIntrospector(db)
    introspector.getTables = async () => {
      const { rows } = await sql<{ name: string; schema: string }>`
        select tablename "name", schemaname "schema" from pg_tables where tablename like 'kysely%'`.execute(db)
      return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }))
    }
    return introspector
  }
}

async function runAll(db: Kysely<unknown>, migrations: Migrations, watch: LockWatch): Promise<string[]> {
  const provider = { getMigrations: async () => migrations }
  const [whole, stepwise] = [new Migrator({ db, provider }), new Migrator({ db, provider, disableTransactions: true })]
  const done: string[] = []
  for (;;) {
    const next = (await whole.getMigrations()).find(({ executedAt }) => !executedAt)
    const isStepwise = next !== undefined && migrations[next.name]?.isStepwise === true
    // one at a time: running all at once would put them all into one transaction
    const { error, results } = await watch.during(() => (isStepwise ? stepwise : whole).migrateUp())
    const name = results?.[0]?.migrationName
    if (isLockTimeout(error)) {
      await watch.standBack(name ?? '')
      continue
    }
    if (error) throw explain(error, migrations, name)
    if (!name) return done
    watch.forget()
    done.push(name)
  }
}

function explain(error: unknown, migrations: Migrations, name: string | undefined): Error {
  if (isDiskFull(error)) return new StartFault(diskFullText('数据库'))
  const missing = /previously executed migration (\S+) is missing/.exec(String(error))?.[1]
  if (missing) {
    const names = Object.keys(migrations).sort()
    const [first, newest] = [names[0]!, names.at(-1)!]
    // what ran is older than the first schema: versions before the first release each had a schema of their own
    if (missing < first)
      return new StartFault(
        '数据目录由旧的开发版本创建，不能升级到本版本。请用 DATA_DIR 换一个空的数据目录（外部数据库用 DATABASE_URL 换一个空库）再启动；' +
          '其中的数据只能用原来的版本打开。',
      )
    return new StartFault(`数据库已由较新版本的程序升级（含 ${missing}，本程序只到 ${newest}）。请使用较新的版本启动。`)
  }
  return new Error(`migration ${name ?? ''} failed: ${(error as Error).message ?? error}`, { cause: error })
}

async function checkServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: string; encoding: string }>(
    `select current_setting('server_version_num') number, current_setting('server_encoding') encoding`,
  )
  const found = rows[0]
  if (Number(found?.number) < oldestServer) throw new StartFault('外部数据库须为 PostgreSQL 15 或更高版本。')
  if (found?.encoding !== 'UTF8') throw new StartFault(`外部数据库的编码须为 UTF8（现为 ${found?.encoding}）。`)
}
