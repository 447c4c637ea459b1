import { sql, type Kysely } from 'kysely'

/** What keeps the house running: audit trail, files, jobs, imports, messages, preferences. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table "auditLog" ("schoolId" text not null, "logId" uuid not null, "actorId" uuid, "actorName" text not null, "onBehalfOf" uuid, "action" text not null, "result" text not null default 'ok', "bizType" text not null default '', "bizId" text not null default '',
     "bizName" text not null default '', "before" jsonb, "after" jsonb, "reason" text not null default '', "requestId" text not null, "ip" text not null, "agent" text not null, "logTime" timestamptz not null default now(), primary key ("schoolId", "logId"))`,
  `create index "auditLog_biz" on "auditLog" ("schoolId", "bizId", "logTime")`,
  `create index "auditLog_time" on "auditLog" ("schoolId", "logTime" desc)`,
  `create index "auditLog_actor" on "auditLog" ("schoolId", "actorId", "logTime" desc)`,
  `create trigger "auditLog_append_only" before update or delete on "auditLog" for each row execute function refuse_change()`,
  `create trigger "auditLog_no_truncate" before truncate on "auditLog" execute function refuse_change()`,

  // fileState: 0 uploaded and not yet used by a record, 1 in use, 2 to be removed; uses: how many records hold it
  `create table "file" ("schoolId" text not null, "fileId" uuid not null, "storeKey" text not null unique, "fileName" text not null, "mime" text not null, "size" int not null, "sha256" text not null, "kind" text not null, "fileState" text not null default '0', "uses" int not null default 0 check ("uses" >= 0),
     "ownerId" uuid, "createTime" timestamptz not null default now(), primary key ("schoolId", "fileId"))`,
  `create index on "file" ("fileState", "createTime") where "fileState" <> '1'`,

  // jobStatus: 0 waiting, 1 running, 2 done, 3 failed for good, 4 cancelled; a runner that stops its heartbeat loses the job.
  // claim: which run of it holds it, so that one believed dead can no longer finish it; again: asked for anew while it ran, so it runs once more
  `create table "job" ("jobId" uuid primary key, "schoolId" text not null, "jobKind" text not null, "jobKey" text, "payload" jsonb not null default '{}', "jobStatus" text not null default '0', "runAt" timestamptz not null default now(), "attempts" int not null default 0,
     "progress" int not null default 0, "result" jsonb, "error" text not null default '', "heartbeat" timestamptz, "claim" uuid, "again" boolean not null default false, "createBy" uuid, "createTime" timestamptz not null default now(), "endTime" timestamptz)`,
  `create index "job_due" on "job" ("runAt") where "jobStatus" = '0'`,
  `create index "job_running" on "job" ("heartbeat") where "jobStatus" = '1'`,
  `create unique index "job_key" on "job" ("schoolId", "jobKind", "jobKey") where "jobStatus" in ('0', '1')`,

  // ibStatus: 0 checked and waiting, 1 committed, 2 undone, 3 discarded. errorId names the error workbook: random, owner-bound, for 24 hours
  `create table "importBatch" ("schoolId" text not null, "ibId" uuid not null, "ibKind" text not null, "errorId" text not null unique, "fileName" text not null, "ibStatus" text not null default '0', "target" jsonb not null default '{}', "heads" jsonb not null,
     "newCount" int not null default 0, "updateCount" int not null default 0, "sameCount" int not null default 0, "conflictCount" int not null default 0, "faultCount" int not null default 0, "createBy" uuid not null, "createName" text not null, "createTime" timestamptz not null, "commitTime" timestamptz, "undoTime" timestamptz,
     primary key ("schoolId", "ibId"))`,
  // verdict: new, update, same, conflict, fault. cells: the texts as read; row: the checked record; undo: what the commit replaced
  `create table "importRow" ("schoolId" text not null, "ibId" uuid not null, "rowNo" int not null, "verdict" text not null, "cells" jsonb not null, "row" jsonb, "faults" jsonb not null default '[]', "changes" jsonb not null default '[]', "undo" jsonb,
     primary key ("schoolId", "ibId", "rowNo"), foreign key ("schoolId", "ibId") references "importBatch" on delete cascade)`,
  `create index on "importRow" ("schoolId", "ibId", "verdict", "rowNo")`,

  `create table "information" ("schoolId" text not null, "iiId" uuid not null, "iiTitle" text not null, "iiContent" text not null, "iiType" text not null default '1', "bizType" text not null default '', "bizId" text not null default '', "link" text not null default '',
     "createBy" uuid, "createName" text not null, "sendTime" timestamptz not null default now(), "outboxDeleted" text not null default '0', "recalled" text not null default '0', primary key ("schoolId", "iiId"))`,
  `create table "informationReceiver" ("schoolId" text not null, "iurId" uuid not null, "iiId" uuid not null, "suId" uuid not null, "isRead" text not null default '0', "readTime" timestamptz, "inboxDeleted" text not null default '0', primary key ("schoolId", "iurId"),
     unique ("schoolId", "iiId", "suId"), foreign key ("schoolId", "iiId") references "information" on delete cascade, foreign key ("schoolId", "suId") references "person")`,
  `create index "informationReceiver_inbox" on "informationReceiver" ("schoolId", "suId", "isRead") where "inboxDeleted" = '0'`,

  // facts about this installation rather than a school, such as the fingerprint of its secrets
  `create table "installation" ("inKey" text primary key, "inValue" text not null, "createTime" timestamptz not null default now())`,

  // what a person set for himself: columns, density, saved views of a list
  `create table "preference" ("schoolId" text not null, "suId" uuid not null, "pfKey" text not null, "pfValue" jsonb not null, "updateTime" timestamptz not null default now(), primary key ("schoolId", "suId", "pfKey"), foreign key ("schoolId", "suId") references "account" on delete cascade)`,

  // the first answer to a write sent with an Idempotency-Key, kept for 24 hours
  `create table "idempotency" ("schoolId" text not null, "suId" uuid not null, "idemKey" text not null, "call" text not null, "answer" jsonb, "createTime" timestamptz not null, primary key ("schoolId", "suId", "idemKey"))`,
]
