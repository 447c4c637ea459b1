import { sql, type Kysely } from 'kysely'

/**
 * Credentials of other issuers that are proof of supplements, and what was found when they were verified (decision
 * 101).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "supplementCredential" (
  "schoolId" text not null,
  "lisId" uuid not null,
  "content" text not null,
  "credentialKey" bytea not null,
  "issuer" text not null default '',
  "verdict" jsonb not null,
  "checkTime" timestamptz not null default now(),
  primary key ("schoolId", "lisId"),
  foreign key ("schoolId", "lisId") references "supplement" ("schoolId", "lisId")
);
comment on table "supplementCredential" is 'credentials of other issuers that are proof of supplements';
comment on column "supplementCredential"."content" is 'as it was handed in: JSON or JWT';
comment on column "supplementCredential"."credentialKey" is 'SHA-256 of issuer and id, by which it is refused a second time';
comment on column "supplementCredential"."verdict" is 'what was found at checkTime';
create index "supplementCredential_key" on "supplementCredential" ("schoolId", "credentialKey");
create index "supplementCredential_issuer" on "supplementCredential" ("schoolId", "issuer");
`,
    )
    .execute(db)
}
