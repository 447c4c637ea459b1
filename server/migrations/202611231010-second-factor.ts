import { sql, type Kysely } from 'kysely'

/** A second factor beside the password: the secret of an authenticator, codes for its loss, devices that are known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "account"
      alter column "totpSecret" type bytea using null::bytea,
      add column "totpTime" timestamptz,
      add column "totpStep" bigint,
      add column "totpPending" bytea,
      add column "totpPendingUntil" timestamptz`.execute(db)
  await sql`comment on column "account"."totpSecret" is 'sealed; null without a second factor'`.execute(db)
  await sql`comment on column "account"."totpTime" is 'since when the second factor is on'`.execute(db)
  await sql`comment on column "account"."totpStep" is 'step of the code used last; earlier ones are refused'`.execute(
    db,
  )
  await sql`comment on column "account"."totpPending" is 'sealed; a secret not confirmed by a code yet'`.execute(db)
  await sql`alter table "session" add column "provenTime" timestamptz`.execute(db)
  await sql`comment on column "session"."provenTime" is 'when a code of the second factor was given last'`.execute(db)
  await sql`
    create table "recoveryCode" (
      "schoolId" text not null,
      "suId" uuid not null,
      "codeHash" bytea not null,
      "usedTime" timestamptz,
      "createTime" timestamptz not null,
      primary key ("schoolId", "suId", "codeHash"),
      foreign key ("schoolId", "suId") references "account" on delete cascade
    )`.execute(db)
  await sql`comment on table "recoveryCode" is 'Codes that stand in for an authenticator once each; only keyed hashes.'`.execute(
    db,
  )
  await sql`
    create table "trustedDevice" (
      "schoolId" text not null,
      "deviceId" uuid not null,
      "suId" uuid not null,
      "tokenHash" bytea not null unique,
      "agent" text not null,
      "ip" text not null,
      "createTime" timestamptz not null,
      "lastUsed" timestamptz not null,
      "expireTime" timestamptz not null,
      primary key ("schoolId", "deviceId"),
      foreign key ("schoolId", "suId") references "account" on delete cascade
    )`.execute(db)
  await sql`comment on table "trustedDevice" is 'Devices that are not asked for a code; only hashes of their tokens.'`.execute(
    db,
  )
  await sql`create index on "trustedDevice" ("schoolId", "suId")`.execute(db)
  await sql`create index on "trustedDevice" ("expireTime")`.execute(db)
}
