import { editedColumns } from './edited.columns.ts'

/** Warning of students who fall behind. */
export const thresholds = `
-- What is expected of a year of students by the end of a term, and below which amounts they are warned (decision 021).
create table "thresholdBase" (
  "schoolId" text not null references "school",
  "tbId" uuid not null,
  "grade" text not null,
  "tbTarget" text not null, -- module (then lsId), total, volunteer, credibility
  "lsId" uuid,
  "checkpointTerm" int not null check ("checkpointTerm" between 1 and 16),
  "required" int not null, -- hundredths; who has less than warnN is warned at level N
  "warn1" int not null,
  "warn2" int not null,
  "warn3" int not null,
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "tbId"),
  foreign key ("schoolId", "lsId") references "curriculum",
  check ("required" >= "warn1" and "warn1" >= "warn2" and "warn2" >= "warn3" and "warn3" >= 0),
  check (("tbTarget" = 'module') = ("lsId" is not null))
);
-- one expectation of a year, target and term
create unique index "thresholdBase_once" on "thresholdBase" (
    "schoolId", "grade", "tbTarget", coalesce("lsId", '00000000-0000-0000-0000-000000000000'), "checkpointTerm");

-- How each student stands: one row a student in school, rewritten by the nightly job where something changed.
create table "studentWarning" (
  "schoolId" text not null,
  "suId" uuid not null,
  "warnLevel" text not null, -- warn_level
  "termNo" int not null,
  "have" jsonb not null,
  "gaps" jsonb not null, -- [{key, name, level, required, have, gap, forecast}] in hundredths
  "missing" uuid[] not null default '{}', -- modules short of what is expected next
  "totalHave" int not null,
  "totalNeed" int not null,
  "totalGap" int not null,
  "finalGap" int not null,
  "zeroTerm" boolean not null default false,
  "ruleKey" text not null, -- the rules it was computed by
  "calcTime" timestamptz not null,
  "levelSince" timestamptz not null,
  "lastPromptTime" timestamptz,
  "promptCount" int not null default 0,
  "helpCount" int not null default 0,
  "lastHelpTime" timestamptz,
  "helperName" text not null default '',
  primary key ("schoolId", "suId"),
  foreign key ("schoolId", "suId") references "person"
);
-- the list, worst first
create index "studentWarning_level" on "studentWarning" ("schoolId", "warnLevel", "totalGap" desc);

-- When a school was last computed as a whole.
create table "thresholdRun" (
  "schoolId" text primary key references "school",
  "runTime" timestamptz not null,
  "studentCount" int not null,
  "changedCount" int not null,
  "worsenedCount" int not null
);

-- Who was told that they fall behind, and how it was worded.
create table "thresholdPrompt" (
  "schoolId" text not null,
  "tpId" uuid not null,
  "suId" uuid not null,
  "warnLevel" text not null,
  "gapText" text not null,
  "content" text not null,
  "iiId" uuid,
  "createBy" uuid,
  "createName" text not null default '',
  "promptTime" timestamptz not null default now(),
  primary key ("schoolId", "tpId"),
  foreign key ("schoolId", "suId") references "person"
);
-- what a student was told
create index "thresholdPrompt_person" on "thresholdPrompt" ("schoolId", "suId", "promptTime" desc);
-- the list
create index "thresholdPrompt_time" on "thresholdPrompt" ("schoolId", "promptTime" desc, "tpId");

-- What was done to help a student.
create table "thresholdHelp" (
  "schoolId" text not null,
  "thId" uuid not null,
  "suId" uuid not null,
  "helpDate" date not null,
  "helpWay" text not null, -- help_way
  "helpContent" text not null,
  "helperName" text not null,
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "thId"),
  foreign key ("schoolId", "suId") references "person"
);
-- what was done for a student
create index "thresholdHelp_person" on "thresholdHelp" ("schoolId", "suId", "helpDate" desc)
  where "delFlag" = '0';

-- How many students were warned at the end of each term, by where they stood, so that everybody sees the trend of their
-- own part of the school. Rewritten by every run within its term; about as many rows a term as there are classes.
create table "warningTerm" (
  "schoolId" text not null references "school",
  "wtId" uuid not null default gen_random_uuid(),
  "tmStart" date not null,
  "tmName" text not null,
  "collegeId" uuid,
  "majorId" uuid,
  "classId" uuid,
  "grade" text,
  "total" int not null,
  "level1" int not null,
  "level2" int not null,
  "level3" int not null,
  primary key ("schoolId", "tmStart", "wtId")
);
`
