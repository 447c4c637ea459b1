import { sql, type Kysely } from 'kysely'

/** The timetable of classes, so that conflicts with activities are seen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "classTime" (
  "schoolId" text not null,
  "ctId" uuid not null,
  "tmName" text not null,
  "firstMonday" date not null,
  "scClassId" uuid not null,
  "ctName" text not null,
  "weekday" int not null check ("weekday" between 1 and 7),
  "startAt" text not null,
  "endAt" text not null check ("endAt" > "startAt"),
  "weeks" int[] not null,
  "placeText" text not null default '',
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "updateBy" uuid,
  "updateTime" timestamptz not null default now(),
  "version" int not null default 0,
  primary key ("schoolId", "ctId"),
  foreign key ("schoolId", "scClassId") references "schoolClass" ("schoolId", "scClassId") on delete cascade
);
comment on table "classTime" is 'when classes meet, by the timetable';
comment on column "classTime"."firstMonday" is 'Monday of the first week of the term, from which weeks are counted';
comment on column "classTime"."startAt" is 'time of day, 08:00';
create unique index "classTime_meeting" on "classTime"
  ("schoolId", "scClassId", "firstMonday", "weekday", "startAt", "ctName");
create index "classTime_day" on "classTime" ("schoolId", "weekday", "startAt");
`,
    )
    .execute(db)
}
