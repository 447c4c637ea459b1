import { sql, type Kysely } from 'kysely'

/** What providers call people, where the people themselves have bound it, and sign-ins under way that bind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "personIdentity" (
      "schoolId" text not null,
      "identityId" uuid not null,
      "suId" uuid not null,
      "providerId" uuid not null,
      "subject" text not null,
      "createId" uuid not null,
      "createTime" timestamptz not null,
      "lastTime" timestamptz,
      primary key ("schoolId", "identityId"),
      unique ("schoolId", "providerId", "subject"),
      foreign key ("schoolId", "providerId") references "identityProvider" on delete cascade,
      foreign key ("schoolId", "suId") references "account" on delete cascade
    )`.execute(db)
  await sql`comment on table "personIdentity" is 'Accounts at providers that people have bound to theirs; each is one person''s.'`.execute(
    db,
  )
  await sql`comment on column "personIdentity"."subject" is 'what the provider calls the person, for good'`.execute(db)
  await sql`comment on column "personIdentity"."lastTime" is 'when somebody last signed in by it'`.execute(db)
  await sql`create index on "personIdentity" ("schoolId", "suId")`.execute(db)
  await sql`alter table "identityTry" add column "isBinding" boolean not null default false, add column "subject" text`.execute(
    db,
  )
  await sql`comment on column "identityTry"."isBinding" is 'it ends with a binding, never with a session'`.execute(db)
}
