import { sql, type Kysely } from 'kysely'

/** Of several machines that run jobs nobody could say which one has a job, or had it last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "job" add column "runner" text not null default ''`.execute(db)
}
