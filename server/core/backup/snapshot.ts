import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../database/connection.ts'
import { installationHash } from '../database/owner-queries.ts'
import { withOwnClient } from '../database/own-client.ts'
import { isBroken, type Patience } from '../database/silence.ts'
import { StartFault } from '../base/start-fault.ts'
import type { Counter, SchoolSum } from './manifest.ts'

/** What the domains tell about themselves: SQL that is run inside the snapshot. */
export interface BackupContents {
  /** `key` and `needed`: contents of the file store; one that is not needed may be gone meanwhile. */
  files: string
  /** `key`, `storeKey`: names of files in the folder of audit archives, and where the store has the same. */
  archives: string
  /** `schoolId`, `name`, `entries`, `sum`: what must be equal after restoring. */
  schools: string
  /** Of one school alone; without, of the whole installation. */
  school?: SchoolContents
}

/** What an archive of one school copies. */
interface SchoolContents {
  schoolId: string
  /** Tables of schools that are left out. */
  without: ReadonlySet<string>
  /** Rows as they go into the archive. */
  altered: (table: SnapshotTable, rows: Readable) => Readable
}

/** A table with all that is copied of it. */
interface SnapshotTable {
  name: string
  columns: string[]
  /** About how many bytes it has, for telling how far the work is. */
  bytes: number
}

/** The database at one moment. */
export interface Snapshot {
  postgres: string
  migrations: string[]
  installation: string
  tables: SnapshotTable[]
  counters: Counter[]
  schools: SchoolSum[]
  /** The rows of a table in the text format of COPY. */
  rowsOf(table: SnapshotTable): Readable
  files(): Promise<{ key: string; needed: boolean }[]>
  archives(): Promise<{ key: string; storeKey: string }[]>
}

/** Numbers of the advisory locks: one backup at a time; and files that a snapshot names stay while it is copied. */
const oneAtATime = 5_202_613
export const filesStay = 5_202_614

/** It waits as long as it takes, and values look the same everywhere. */
const copySettings = `
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set lock_timeout = 0;
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres';
  set extra_float_digits = 3;
  set client_encoding = 'UTF8'`

/**
 * Runs `work` on a connection that waits as long as it takes and reads and writes moments the same everywhere. With it
 * end its transaction and its locks, come what may.
 * @param patience with its silence
 * @throws StartFault where the database is not to be reached, or the connection breaks off
 */
export async function withCopyConnection<R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
  patience?: Pick<Patience, 'silentMs' | 'answerMs'>,
): Promise<R> {
  let isOpen = false
  const run = async (client: pg.Client): Promise<R> => {
    isOpen = true
    try {
      await client.query(copySettings)
      return await work(client)
    } catch (error) {
      if (error instanceof StartFault || !isBroken(client, error)) throw error
      throw new StartFault(
        `与数据库的连接中断（${(error as Error).message}），可能没有做完。请检查数据库与网络，然后重新运行；如果提示已经存在，说明已经写入。`,
      )
    }
  }
  return withOwnClient(connection, run, { name: 'second-classroom backup', patience }).catch((error: Error) => {
    if (isOpen) throw error
    throw new StartFault(`无法使用 DATABASE_URL 或 MIGRATION_DATABASE_URL 指定的数据库：${error.message}`)
  })
}

/**
 * Opens a snapshot and runs `work` on it: every statement sees the database as it was at one moment, whatever is
 * written meanwhile. The sweep of files waits until the work has ended, so that what the snapshot names can be copied.
 * @throws StartFault while another backup of the database is under way, or where there is no schema
 */
export async function withSnapshot<R>(
  connection: Connection,
  contents: BackupContents,
  work: (snapshot: Snapshot) => Promise<R>,
): Promise<R> {
  return withCopyConnection(connection, async (client) => {
    const { rows: turn } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${oneAtATime}) mine`)
    if (!turn[0]?.mine) throw new StartFault('这个数据库的另一次备份正在进行，请等它结束。')
    await client.query(`select pg_advisory_lock_shared(${filesStay})`)
    const { rows: there } = await client.query<{ is: boolean }>(
      `select to_regclass('kysely_migration') is not null "is"`,
    )
    if (!there[0]?.is) throw new StartFault('数据库中没有可备份的数据：还没有用它启动过程序。')
    await client.query('begin isolation level repeatable read read only')
    return work(await readSnapshot(client, contents))
  })
}

async function readSnapshot(client: pg.Client, contents: BackupContents): Promise<Snapshot> {
  const rowsFrom = async <T extends pg.QueryResultRow>(text: string) => (await client.query<T>(text)).rows
  const [server] = await rowsFrom<{ version: string }>(`select current_setting('server_version') version`)
  const migrations = await rowsFrom<{ name: string }>('select name from kysely_migration order by name')
  const schools = await rowsFrom<SchoolSum>(contents.schools)
  const { school } = contents
  const tables = (await rowsFrom<SnapshotTable>(tablesQuery)).filter(
    ({ name, columns }) => !school || (columns.includes('schoolId') && !school.without.has(name)),
  )
  const names = new Set(tables.map(({ name }) => name))
  return {
    postgres: server!.version,
    migrations: migrations.map(({ name }) => name),
    installation: (await installationHash(client)) ?? '',
    tables,
    counters: (await readCounters(client)).filter(({ table }) => names.has(table)),
    schools,
    rowsOf: (table) => {
      const from = pg.escapeIdentifier(table.name)
      const list = table.columns.map(pg.escapeIdentifier).join(', ')
      const what = school
        ? `(select ${list} from ${from} where "schoolId" = ${pg.escapeLiteral(school.schoolId)})`
        : `${from} (${list})`
      const rows = client.query(copyTo(`copy ${what} to stdout`)) as unknown as Readable
      return school ? school.altered(table, rows) : rows
    },
    files: () => rowsFrom(contents.files),
    archives: () => rowsFrom(contents.archives),
  }
}

/**
 * Where the identity columns stand. Counters are not part of a snapshot: they may be ahead of its rows, never behind.
 */
async function readCounters(client: pg.Client): Promise<Counter[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(countersQuery)
  const counters: Counter[] = []
  for (const { table, column, sequence } of rows) {
    const { rows: at } = await client.query<{ last: string; used: boolean }>(
      `select last_value "last", is_called "used" from ${sequence}`,
    )
    if (at[0]?.used) counters.push({ table, column, last: Number(at[0].last) })
  }
  return counters
}

/** The tables of the program without those that the migrations keep for themselves. */
const ours = `c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%'`

const tablesQuery = `
  select
    c.relname "name",
    array(
      select a.attname::text
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum
    ) "columns",
    greatest(c.relpages, 1)::float8 * 8192 "bytes"
  from pg_class c
  where ${ours}
  order by c.relname collate "C"`

const countersQuery = `
  select c.relname "table", a.attname "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) "sequence"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where ${ours} and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null
  order by 1, 2`
