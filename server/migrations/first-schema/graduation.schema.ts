/** Graduation of whole years. */
export const graduation = `
-- Graduation of whole years: what was previewed, what was done, and whether it was taken back.
create table "graduationBatch" (
  "schoolId" text not null references "school",
  "gbId" uuid not null, -- also the token of the preview
  "gbNo" text,
  "gbStatus" text not null default '0', -- 0 previewed, 1 graduated, 2 taken back
  "grades" text[] not null,
  "collegeIds" uuid[] not null default '{}',
  "goal" jsonb not null, -- what was asked then
  "skipped" jsonb not null default '[]',
  "total" int not null,
  "metCount" int not null,
  "unmet" text, -- what became of those below it: exclude, include
  "graduateCount" int not null default 0,
  "delayCount" int not null default 0,
  "reason" text not null default '',
  "createBy" uuid not null,
  "createName" text not null,
  "createTime" timestamptz not null,
  "expireTime" timestamptz not null,
  "doneTime" timestamptz,
  "undoTime" timestamptz,
  "undoName" text not null default '',
  "undoReason" text not null default '',
  "undoCount" int not null default 0,
  primary key ("schoolId", "gbId"),
  unique ("schoolId", "gbNo")
);
-- the list
create index "graduationBatch_list" on "graduationBatch" ("schoolId", "doneTime" desc)
  where "gbStatus" <> '0';

-- Each student of a batch, with what they were before, so that it can be taken back.
create table "graduationRow" (
  "schoolId" text not null,
  "gbId" uuid not null,
  "suId" uuid not null,
  "suiNumber" text not null,
  "met" boolean not null, -- the requirement is met
  "hours" int not null, -- hundredths
  "gaps" jsonb not null, -- the modules below their minimum
  "statusBefore" text not null, -- standing and account, before and after
  "accountBefore" text not null,
  "statusAfter" text,
  "accountAfter" text,
  "keptWhy" text not null default '', -- why taking back left the student as they are
  primary key ("schoolId", "gbId", "suId"),
  foreign key ("schoolId", "gbId") references "graduationBatch" on delete cascade,
  foreign key ("schoolId", "suId") references "person"
);
-- the students of a batch in order of number
create index "graduationRow_list" on "graduationRow" ("schoolId", "gbId", "suiNumber", "suId");
`
