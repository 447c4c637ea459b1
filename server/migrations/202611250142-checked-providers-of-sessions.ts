import { sql, type Kysely } from 'kysely'

/** What the migration before last added without looking at the sessions that were there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "session" validate constraint "session_provider_fkey"`.execute(db)
}
