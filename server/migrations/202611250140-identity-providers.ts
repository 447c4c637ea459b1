import { sql, type Kysely } from 'kysely'

/** Sign-in by the account of the campus: who provides it, sign-ins under way, and by which provider a session came. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "identityProvider" (
      "schoolId" text not null references "school",
      "providerId" uuid not null,
      "kind" text not null,
      "name" text not null,
      "settings" jsonb not null,
      "audience" text[] not null,
      "enabled" boolean not null default false,
      "sort" integer not null default 0,
      "createTime" timestamptz not null,
      "updateTime" timestamptz not null,
      "version" integer not null default 0,
      primary key ("schoolId", "providerId")
    )`.execute(db)
  await sql`comment on table "identityProvider" is 'Services of the campus by which people of a school sign in.'`.execute(
    db,
  )
  await sql`comment on column "identityProvider"."audience" is 'who may use it: student, teacher, administrator'`.execute(
    db,
  )
  await sql`
    create table "identityTry" (
      "schoolId" text not null,
      "tryId" uuid not null,
      "providerId" uuid not null,
      "stateHash" bytea unique,
      "challenge" bytea not null,
      "origin" text not null,
      "codeHash" bytea unique,
      "suId" uuid,
      "ticketHash" bytea,
      "expireTime" timestamptz not null,
      primary key ("schoolId", "tryId"),
      foreign key ("schoolId", "providerId") references "identityProvider" on delete cascade,
      foreign key ("schoolId", "suId") references "account" on delete cascade
    )`.execute(db)
  await sql`comment on table "identityTry" is 'Sign-ins by a provider under way; only hashes of what opens them.'`.execute(
    db,
  )
  await sql`comment on column "identityTry"."stateHash" is 'null once the provider has answered'`.execute(db)
  await sql`create index on "identityTry" ("expireTime")`.execute(db)
  await sql`create index on "identityTry" ("schoolId", "providerId")`.execute(db)
  await sql`create index on "identityTry" ("schoolId", "suId")`.execute(db)
  await sql`alter table "session" add column "providerId" uuid, add column "ticketHash" bytea`.execute(db)
  await sql`comment on column "session"."providerId" is 'by which provider it came; null: by password'`.execute(db)
  await sql`comment on column "session"."ticketHash" is 'what the provider calls it when it signs somebody out'`.execute(
    db,
  )
  await sql`
    alter table "session" add constraint "session_provider_fkey"
      foreign key ("schoolId", "providerId") references "identityProvider" on delete cascade not valid`.execute(db)
}
