import { sql, type Kysely } from 'kysely'

/** What became of each backup and each drill (restoring one into an empty place), newest last; of the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "backupRun" (
      "brId" uuid primary key,
      "brKind" text not null,
      "brStatus" text not null default '0',
      "place" text not null,
      "backupName" text not null default '',
      "startTime" timestamptz not null default now(),
      "endTime" timestamptz,
      "size" bigint,
      "newSize" bigint,
      "error" text not null default ''
    )`.execute(db)
  await sql`comment on table "backupRun" is 'backups and drills of the whole installation'`.execute(db)
  await sql`comment on column "backupRun"."size" is 'bytes that restoring it reads, null while it runs'`.execute(db)
  await sql`comment on column "backupRun"."newSize" is 'bytes that it added to its place'`.execute(db)
  await sql`create index "backupRun_newest" on "backupRun" ("brKind", "startTime" desc)`.execute(db)
}
