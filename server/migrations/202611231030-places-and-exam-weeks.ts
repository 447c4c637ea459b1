import { sql, type Kysely } from 'kysely'

/** The places of a school with how many people they hold, and its exam weeks: for hints about plans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const stamps = sql`
    "createBy" uuid,
    "createName" text not null default '',
    "createTime" timestamptz not null default now(),
    "updateBy" uuid,
    "updateTime" timestamptz not null default now(),
    "version" integer not null default 0`
  await sql`
    create table "place" (
      "schoolId" text not null references "school" ("schoolId"),
      "plId" uuid not null,
      "plName" text not null,
      "plCapacity" integer not null check ("plCapacity" > 0),
      ${stamps},
      primary key ("schoolId", "plId")
    )`.execute(db)
  await sql`create unique index "place_name" on "place" ("schoolId", "plName")`.execute(db)
  await sql`
    create table "examWeek" (
      "schoolId" text not null references "school" ("schoolId"),
      "ewId" uuid not null,
      "ewName" text not null,
      "ewStart" date not null,
      "ewEnd" date not null,
      ${stamps},
      primary key ("schoolId", "ewId"),
      check ("ewEnd" >= "ewStart")
    )`.execute(db)
}
