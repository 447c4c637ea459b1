import { sql } from 'kysely'
import { fileState } from '../../../contract/core/codes/platform.ts'
import { buildInfo } from '../../core/base/build-info.ts'
import type { DiskRoom } from '../../core/base/disk-places.ts'
import type { PublicContext } from '../../core/request/context.ts'

type Services = Pick<PublicContext, 'db' | 'config'>

/** Seconds of silence after which a process counts as lost. */
const lostSeconds = 60

/** Which program, schema and database are at work. */
export async function versionsOf({ db }: Services, schema: string) {
  const { rows } = await sql<{ postgres: string }>`select current_setting('server_version') as "postgres"`.execute(db)
  return { program: buildInfo().version, schema, postgres: rows[0]!.postgres, node: process.versions.node }
}

/** The processes of the installation, the main ones first. */
export const processesOf = ({ db }: Services) =>
  db
    .selectFrom('processBeat')
    .select(['instance', 'pbKind', 'programVersion', 'startTime', 'beatTime', 'memory', 'loopDelay'])
    .select(['poolBusy', 'poolWaiting', 'listenSilence'])
    .select(sql<boolean>`"beatTime" > now() - make_interval(secs => ${lostSeconds})`.as('isAlive'))
    .orderBy('pbKind')
    .orderBy('startTime')
    .limit(100)
    .execute()

/** The statements that kept people waiting most. */
export const slowOf = ({ db }: Services) =>
  db
    .selectFrom('slowStatement')
    .select(['ssText as text', 'ssCall as call', 'ssCount as count', 'maxMs', 'lastTime'])
    .select(sql<number>`("totalMs" / "ssCount")::float8`.as('meanMs'))
    .orderBy('maxMs', 'desc')
    .limit(20)
    .execute()

/** Sizes of the database, its largest tables, the files and the disk. */
export async function storageOf({ db }: Services, disk: DiskRoom) {
  const [sizes, tables] = await Promise.all([
    sql<{ database: number; files: number; fileBytes: number }>`
      select pg_database_size(current_database())::float8 as "database",
        count(*)::int as "files",
        coalesce(sum("size"), 0)::float8 as "fileBytes"
      from "file"
      where "fileState" = ${sql.lit(fileState.inUse)}`.execute(db),
    sql<{ name: string; bytes: number; rows: number }>`
      select relname as "name",
        pg_total_relation_size(oid)::float8 as "bytes",
        greatest(reltuples, 0)::float8 as "rows"
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      order by 2 desc
      limit 12`.execute(db),
  ])
  return {
    ...sizes.rows[0]!,
    tables: tables.rows,
    diskFree: disk.free,
    diskSize: disk.size,
  }
}

/** The latest backups and drills. */
export const backupsOf = ({ db }: Services) =>
  db
    .selectFrom('backupRun')
    .select(['brKind', 'brStatus', 'backupName', 'startTime', 'endTime', 'size', 'error'])
    .orderBy('startTime', 'desc')
    .limit(10)
    .execute()
