import { sql, type Kysely } from 'kysely'

/** Administrators are told before the certificates of a provider's pasted metadata end (decision 103). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "identityProvider" add column if not exists "warnedOf" text not null default ''`.execute(db)
  await sql`
    comment on column "identityProvider"."warnedOf" is 'of which end of its metadata the administrators have been told, and how many days before, as 2027-01-03/30'`.execute(
    db,
  )
}
