/** Files, background jobs and imports. */
export const files = `
-- Uploaded files; their contents are in the file store.
create table "file" (
  "schoolId" text not null,
  "fileId" uuid not null,
  "storeKey" text not null unique,
  "fileName" text not null,
  "mime" text not null,
  "size" int not null,
  "sha256" text not null,
  "kind" text not null,
  "fileState" text not null default '0', -- 0 uploaded and not yet used by a record, 1 in use, 2 to be removed
  "uses" int not null default 0 check ("uses" >= 0), -- how many records hold it
  "isPrivate" boolean not null default false, -- given only to those who may see the person it shows
  "ownerId" uuid,
  "createTime" timestamptz not null default now(),
  primary key ("schoolId", "fileId")
);
-- the job that removes files nobody uses
create index on "file" ("fileState", "createTime")
  where "fileState" <> '1';
-- proofs with the same contents: duplicates
create index "file_digest" on "file" ("schoolId", "sha256");

-- Background work. A runner whose heartbeat stops loses the job to another.
create table "job" (
  "jobId" uuid primary key,
  "schoolId" text not null,
  "jobKind" text not null,
  "jobKey" text, -- of several with one key, one waits or runs
  "payload" jsonb not null default '{}',
  "jobStatus" text not null default '0', -- 0 waiting, 1 running, 2 done, 3 failed for good, 4 cancelled
  "runAt" timestamptz not null default now(),
  "attempts" int not null default 0,
  "progress" int not null default 0,
  "result" jsonb,
  "error" text not null default '',
  "heartbeat" timestamptz,
  "claim" uuid, -- which run holds it, so that one believed dead can no longer finish it
  "again" boolean not null default false, -- asked for anew while it ran, so it runs once more
  "createBy" uuid,
  "createTime" timestamptz not null default now(),
  "endTime" timestamptz
);
-- the next job to run
create index "job_due" on "job" ("runAt")
  where "jobStatus" = '0';
-- jobs whose runner has stopped
create index "job_running" on "job" ("heartbeat")
  where "jobStatus" = '1';
-- one job of a key waits or runs
create unique index "job_key" on "job" ("schoolId", "jobKind", "jobKey")
  where "jobStatus" in ('0', '1');

-- One import of a sheet, from the file that was handed in to the undoing of what it wrote.
create table "importBatch" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "ibKind" text not null,
  "errorId" text not null unique, -- names the error workbook: random, for the owner, for 24 hours
  "fileName" text not null,
  "ibStatus" text not null default '0', -- import_status
  "target" jsonb not null default '{}',
  "newOnly" text not null default '0',
  "heads" jsonb not null default '[]',
  "rowCount" int not null default 0,
  "matched" text not null default '0',
  "top" bytea, -- the first lines, sealed, from which columns are matched
  "newCount" int not null default 0,
  "updateCount" int not null default 0,
  "sameCount" int not null default 0,
  "conflictCount" int not null default 0,
  "faultCount" int not null default 0,
  "skipCount" int not null default 0,
  "hintCount" int not null default 0,
  "fault" jsonb, -- why the last check, commit or undo was not done
  "createBy" uuid not null,
  "createName" text not null,
  "createTime" timestamptz not null,
  "commitTime" timestamptz,
  "undoTime" timestamptz,
  primary key ("schoolId", "ibId")
);

-- The sheet itself, sealed, until it has been checked.
create table "importFile" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "content" bytea not null,
  primary key ("schoolId", "ibId"),
  foreign key ("schoolId", "ibId") references "importBatch" on delete cascade
);
-- sealed bytes do not compress
alter table "importFile" alter "content" set storage external;

-- The rows of a sheet as they were checked.
create table "importRow" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "rowNo" int not null,
  "verdict" text not null, -- import_verdict
  "cells" jsonb not null, -- the texts as read
  "row" jsonb, -- the checked record
  "faults" jsonb not null default '[]',
  "changes" jsonb not null default '[]',
  primary key ("schoolId", "ibId", "rowNo"),
  foreign key ("schoolId", "ibId") references "importBatch" on delete cascade
);
-- the rows of a verdict, page by page
create index on "importRow" ("schoolId", "ibId", "verdict", "rowNo");

-- What the commit of a row replaced; apart from the rows, so that writing it does not rewrite them.
create table "importUndo" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "rowNo" int not null,
  "recordId" uuid, -- which record the row left in which version
  "version" int,
  "undo" jsonb not null,
  primary key ("schoolId", "ibId", "rowNo"),
  foreign key ("schoolId", "ibId") references "importBatch" on delete cascade
);
-- earlier imports of a record take over its version when one is undone
create index "importUndo_record" on "importUndo" ("schoolId", "recordId")
  where "recordId" is not null;

-- Which columns somebody matched by hand to which fields, so that they do so once.
create table "importMatch" (
  "schoolId" text not null,
  "suId" uuid not null,
  "ibKind" text not null,
  "headKey" text not null,
  "columns" jsonb not null,
  "updateTime" timestamptz not null,
  primary key ("schoolId", "suId", "ibKind", "headKey"),
  foreign key ("schoolId", "suId") references "person" on delete cascade
);
`
