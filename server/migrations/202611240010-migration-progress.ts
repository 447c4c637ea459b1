import { sql, type Kysely } from 'kysely'

/** How far a backfill has come, so that one that was killed goes on and one that is through does nothing more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "migrationProgress" (
  "name" text primary key,
  "lastKey" jsonb,
  "rowCount" bigint not null default 0,
  "passNumber" int not null default 1,
  "startTime" timestamptz not null default now(),
  "endTime" timestamptz
);
comment on table "migrationProgress" is 'how far backfills of migrations have come';
comment on column "migrationProgress"."lastKey" is 'key of the last row that was looked at; null at the beginning of a pass';
comment on column "migrationProgress"."endTime" is 'null while it is not through';
`,
    )
    .execute(db)
}
