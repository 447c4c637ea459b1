import { sql, type Kysely } from 'kysely'

/** The sign-in before the latest one, which is what tells people whether somebody else was there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "account" add column "previousLoginTime" timestamptz`.execute(db)
}
