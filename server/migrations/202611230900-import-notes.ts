import { sql, type Kysely } from 'kysely'

/** What a person should know of an imported file: sheets that were not read, rows that are hidden in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "importBatch" add column "notes" jsonb not null default '[]'`.execute(db)
}
