import { sql, type Kysely } from 'kysely'

/** Wrong codes of a password reset are counted where all tries are (`loginCounter`), not in the request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "resetRequest" drop column "tries"`.execute(db)
}
