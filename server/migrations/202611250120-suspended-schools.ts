import { sql, type Kysely } from 'kysely'

/** Whoever runs the installation may have a school stand still: nobody of it works, and nothing of it is lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "school"
      add column "suspendedTime" timestamptz,
      add column "suspendedWhy" text not null default ''`.execute(db)
  await sql`
    comment on column "school"."suspendedTime"
      is 'since when the school stands still; null where it works'`.execute(db)
}
