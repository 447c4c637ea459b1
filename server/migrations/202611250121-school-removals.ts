import { sql, type Kysely } from 'kysely'

/**
 * What the installation keeps of a school that was removed: nothing of its people, but that it was here, what went and
 * which archive holds it. It names no school by a foreign key, for that row is gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "schoolRemoval" (
      "schoolId" text not null,
      "startTime" timestamptz not null,
      "endTime" timestamptz,
      "schName" text not null,
      "removedBy" text not null,
      "archiveName" text not null,
      "archiveSha256" text not null,
      "archiveTime" timestamptz not null,
      "files" integer not null default 0,
      "counts" jsonb not null default '{}',
      primary key ("schoolId", "startTime")
    )`.execute(db)
  await sql`
    create unique index "schoolRemoval_underWay" on "schoolRemoval" ("schoolId") where "endTime" is null`.execute(db)
  await sql`
    comment on column "schoolRemoval"."counts" is 'rows removed so far, by table'`.execute(db)
}
