import { sql, type Kysely } from 'kysely'

/** Addresses at which calendar programs fetch activities (decision 094): only a hash of each is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "calendarFeed" (
  "schoolId" text not null,
  "feedId" uuid not null,
  "suId" uuid not null,
  "feedKind" text not null,
  "scId" uuid,
  "tokenHash" bytea not null,
  "createTime" timestamptz not null,
  "lastTime" timestamptz,
  primary key ("schoolId", "feedId"),
  unique ("tokenHash"),
  unique nulls not distinct ("schoolId", "suId", "feedKind", "scId"),
  foreign key ("schoolId", "suId") references "account" ("schoolId", "suId") on delete cascade,
  foreign key ("schoolId", "scId") references "college" ("schoolId", "scId") on delete cascade
);
comment on table "calendarFeed" is 'addresses at which calendar programs fetch activities; only hashes of their tokens';
comment on column "calendarFeed"."suId" is 'who made it, and by whose rights it answers';
comment on column "calendarFeed"."feedKind" is 'own: activities of the person; courses: those they may see';
comment on column "calendarFeed"."scId" is 'of courses: of this college alone';
comment on column "calendarFeed"."lastTime" is 'when it was last fetched, at most once an hour';
create index "calendarFeed_college" on "calendarFeed" ("schoolId", "scId") where "scId" is not null;
`,
    )
    .execute(db)
}
