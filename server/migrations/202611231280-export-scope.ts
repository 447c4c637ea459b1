import { sql, type Kysely } from 'kysely'

/** What part of the school a person saw when the file of an export was made, so that it is not fetched by less. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "backgroundTask" add column "scope" jsonb`.execute(db)
  await sql`comment on column "backgroundTask"."scope" is 'part of the school that the file of an export shows'`.execute(
    db,
  )
}
