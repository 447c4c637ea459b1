import { sql, type Kysely } from 'kysely'

/** Where people and organisation come from by themselves, and every run of each source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "importSource" (
      "schoolId" text not null references "school",
      "isId" uuid not null,
      "isName" text not null,
      "isKind" text not null,
      "isWay" text not null,
      "place" jsonb not null,
      "secret" bytea,
      "runAt" text not null default '',
      "changeLimit" int not null,
      "leaverRule" text not null,
      "leaverLimit" int not null,
      "isEnabled" text not null default '0',
      "nextRun" timestamptz,
      "ownerId" uuid not null,
      "createBy" uuid,
      "createName" text not null,
      "createTime" timestamptz not null,
      "updateBy" uuid,
      "updateTime" timestamptz not null,
      "version" int not null default 0,
      primary key ("schoolId", "isId")
    )`.execute(db)
  await sql`
    comment on column "importSource"."place"
      is 'where the data are, by the way: fileName, address, format, jsonPath, viewName, columns'`.execute(db)
  await sql`comment on column "importSource"."ownerId" is 'with whose rights it runs'`.execute(db)
  await sql`create index "importSource_due" on "importSource" ("nextRun") where "nextRun" is not null`.execute(db)
  await sql`
    create table "importSourceRun" (
      "schoolId" text not null,
      "runId" uuid not null,
      "isId" uuid not null,
      "runStatus" text not null,
      "isByHand" text not null,
      "createName" text not null,
      "startTime" timestamptz not null,
      "endTime" timestamptz,
      "fileName" text not null default '',
      "digest" text not null default '',
      "ibId" uuid,
      "counts" jsonb,
      "leavers" jsonb not null default '[]',
      "fault" text not null default '',
      primary key ("schoolId", "runId"),
      foreign key ("schoolId", "isId") references "importSource" ("schoolId", "isId") on delete cascade
    )`.execute(db)
  await sql`
    comment on column "importSourceRun"."digest"
      is 'SHA-256 of what was fetched, so that the same data are not looked at twice'`.execute(db)
  await sql`
    create unique index "importSourceRun_open" on "importSourceRun" ("schoolId", "isId")
      where "runStatus" in ('running', 'waiting')`.execute(db)
  await sql`
    create index "importSourceRun_of" on "importSourceRun" ("schoolId", "isId", "startTime" desc)`.execute(db)
}
