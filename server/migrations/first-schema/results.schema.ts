import { editedColumns } from './edited.columns.ts'

/** Public notice of results, and questions about them. */
export const results = `
-- Every time a result was put into public notice, and how that ended.
create table "publictyRound" (
  "schoolId" text not null,
  "liId" uuid not null,
  "roundNo" int not null,
  "liPublictySdate" timestamptz not null,
  "liPublictyEdate" timestamptz not null,
  "publictyStatus" text not null default '1', -- publicty_status: 1 running, 2 over, 4 revoked
  "startName" text not null default '',
  "startTime" timestamptz not null default now(),
  "endName" text not null default '',
  "endTime" timestamptz,
  "endReason" text not null default '',
  primary key ("schoolId", "liId", "roundNo"),
  foreign key ("schoolId", "liId") references "lesson" on delete cascade
);

-- Questions and reports (质疑举报) about published results (decision 017).
create table "question" (
  "schoolId" text not null references "school",
  "qId" uuid not null,
  "liId" uuid not null,
  "targetSuId" uuid, -- whose record is questioned; null: the course as a whole
  "reporterSuId" uuid not null,
  "qType" text not null, -- question_type
  "qContent" text not null,
  "qAward" text not null default '',
  "qProofs" uuid[] not null default '{}',
  "qStatus" text not null default '0', -- question_status
  "source" text not null default '1',
  "importBatchId" uuid,
  "deadline" timestamptz not null,
  "acceptName" text not null default '',
  "acceptTime" timestamptz,
  "opinion" text not null default '',
  "handleName" text not null default '',
  "handleTime" timestamptz,
  "qOutcome" text, -- question_outcome: what was done about one that is justified
  "outcomeOpinion" text not null default '',
  "outcomeName" text not null default '',
  "outcomeTime" timestamptz,
  "beforeResult" text not null default '', -- the record in words
  "afterResult" text not null default '',
  "creditDelta" int not null default 0, -- signed hundredths of hours
  "credibilityDelta" int not null default 0,
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "qId"),
  foreign key ("schoolId", "liId") references "lesson",
  foreign key ("schoolId", "targetSuId") references "person",
  foreign key ("schoolId", "reporterSuId") references "person"
);
-- one open question about a record
create unique index "question_open"
  on "question" ("schoolId", "liId", coalesce("targetSuId", "reporterSuId"), ("targetSuId" is null))
  where "delFlag" = '0' and ("qStatus" in ('0', '1', '5') or ("qStatus" = '2' and "qOutcome" is null));
-- the list
create index "question_list" on "question" ("schoolId", "createTime" desc, "qId")
  where "delFlag" = '0';
-- the questions about a course
create index "question_lesson" on "question" ("schoolId", "liId", "qStatus");
-- the job that escalates
create index "question_due" on "question" ("deadline")
  where "qStatus" = '0' and "delFlag" = '0';
-- the questions about a person
create index on "question" ("schoolId", "targetSuId");
-- the questions a person asked
create index on "question" ("schoolId", "reporterSuId");
`
