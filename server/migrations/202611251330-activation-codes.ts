import { sql, type Kysely } from 'kysely'

/**
 * Codes of printed slips, by which students whose accounts came from a list choose their first password (decision 109).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "activationCode" (
  "schoolId" text not null,
  "suId" uuid not null,
  "codeHash" bytea not null,
  "expireTime" timestamptz not null,
  "createTime" timestamptz not null,
  "createBy" uuid not null,
  primary key ("schoolId", "suId"),
  foreign key ("schoolId", "suId") references "account" ("schoolId", "suId") on delete cascade
);
comment on table "activationCode" is 'codes of printed slips for a first password; one a person, only a keyed hash';
comment on column "activationCode"."createBy" is 'who had it printed';
`,
    )
    .execute(db)
}
