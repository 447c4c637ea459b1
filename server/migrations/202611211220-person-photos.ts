import { sql, type Kysely } from 'kysely'

/**
 * Photos of people are files that only those who may see the person are given: a private file is not found by the common way of
 * viewing files, and the person it shows is found by it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "file" add column "isPrivate" boolean not null default false`.execute(db)
  await sql`create index "person_photo" on "person" ("schoolId", "suiPhoto") where "suiPhoto" is not null`.execute(db)
}
