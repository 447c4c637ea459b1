import { sql, type Kysely } from 'kysely'

/** Providers that hold a secret and tell whose session ends by the person, and the notices that count once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "identityProvider" add column "sealedSecret" bytea`.execute(db)
  await sql`comment on column "identityProvider"."sealedSecret" is 'by which this program proves itself to the provider'`.execute(
    db,
  )
  await sql`alter table "identityTry" add column "subjectHash" bytea`.execute(db)
  await sql`alter table "session" add column "subjectHash" bytea`.execute(db)
  await sql`comment on column "session"."subjectHash" is 'what the provider calls the person when it signs them out everywhere'`.execute(
    db,
  )
  await sql`
    create table "identityLogout" (
      "schoolId" text not null,
      "providerId" uuid not null,
      "noticeHash" bytea not null,
      "expireTime" timestamptz not null,
      primary key ("schoolId", "providerId", "noticeHash"),
      foreign key ("schoolId", "providerId") references "identityProvider" on delete cascade
    )`.execute(db)
  await sql`comment on table "identityLogout" is 'Notices of sign-out by providers that have been followed; each counts once.'`.execute(
    db,
  )
  await sql`create index on "identityLogout" ("expireTime")`.execute(db)
}
