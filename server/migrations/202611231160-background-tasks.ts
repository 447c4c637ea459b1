import { sql, type Kysely } from 'kysely'

/**
 * What people let the program do behind their backs: an action on all records that fit a filter, and long exports. The
 * records of an action are kept one by one, so that each is done once whatever is killed in between.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "backgroundTask" (
      "schoolId" text not null references "school" ("schoolId"),
      "btId" uuid not null,
      "btKind" text not null,
      "btTitle" text not null,
      "callPath" text not null,
      "btInput" jsonb not null,
      "listPath" text,
      "filter" jsonb not null default '{}',
      "undoOf" uuid,
      "reason" text not null default '',
      "origin" jsonb not null,
      "total" integer,
      "doneCount" integer not null default 0,
      "refusedCount" integer not null default 0,
      "btStatus" text not null default '0',
      "fault" text not null default '',
      "jobId" uuid,
      "storeKey" text,
      "fileName" text,
      "fileType" text,
      "fileSize" bigint,
      "createBy" uuid not null,
      "createName" text not null default '',
      "createTime" timestamptz not null default now(),
      "beginTime" timestamptz,
      "endTime" timestamptz,
      primary key ("schoolId", "btId")
    )`.execute(db)
  await sql`comment on column "backgroundTask"."total" is 'records of an action, rows of an export as far as known'`.execute(
    db,
  )
  await sql`create index "backgroundTask_own" on "backgroundTask" ("schoolId", "createBy", "createTime" desc)`.execute(
    db,
  )
  await sql`create index "backgroundTask_ended" on "backgroundTask" ("endTime") where "endTime" is not null`.execute(db)
  await sql`
    create table "backgroundItem" (
      "schoolId" text not null,
      "btId" uuid not null,
      "itemNo" integer not null,
      "itemId" uuid not null,
      "itemName" text not null,
      "groupId" text,
      "pairId" text,
      "itemStatus" text not null default '0',
      "msg" text not null default '',
      primary key ("schoolId", "btId", "itemNo"),
      foreign key ("schoolId", "btId") references "backgroundTask" ("schoolId", "btId") on delete cascade
    )`.execute(db)
  await sql`
    create index "backgroundItem_waiting" on "backgroundItem" ("schoolId", "btId", "itemNo")
    where "itemStatus" = '0'`.execute(db)
}
