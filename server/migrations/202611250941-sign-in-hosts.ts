import { sql, type Kysely } from 'kysely'

/** A school may have an address of its own, by which its people find it before they have signed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "school"
      add column "signInHost" text check ("signInHost" = lower("signInHost") and "signInHost" <> '')`.execute(db)
  await sql`create unique index "school_signInHost" on "school" ("signInHost")`.execute(db)
  await sql`
    comment on column "school"."signInHost"
      is 'the name of the host under which people reach the school, without port; null for none'`.execute(db)
}
