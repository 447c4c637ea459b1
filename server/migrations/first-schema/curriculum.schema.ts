import { editedColumns } from './edited.columns.ts'

/**
 * What a school configures about courses: curriculum, levels, abilities, scoring rules, awards, conversions. Amounts
 * are whole hundredths.
 */
export const curriculum = `
-- The course system (课程体系) as a tree of at most three levels: modules and what is below them.
create table "curriculum" (
  "schoolId" text not null references "school",
  "lsId" uuid not null,
  "lsPid" uuid,
  "lsPath" uuid[] not null check (cardinality("lsPath") between 1 and 3), -- ids from the module down to the node itself
  "lsName" text not null,
  "lsCode" text not null default '',
  "lsType" text not null default '3', -- curriculum_type
  "lsSort" int not null default 0,
  "lsColor" text not null default '',
  "lsIcon" text not null default '',
  "required" text not null default '1', -- module_attr
  "minHours" int not null default 0, -- hundredths
  "maxHours" int, -- hundredths
  "termCap" int, -- hundredths
  "ownerRoleId" uuid,
  "allowLevels" text[] not null default '{}',
  "allowSup" text not null default '1',
  "supWindow" jsonb, -- {way, months, dates}; null: as the node above
  "supProofs" text[] not null default '{}', -- sup_proof; empty: as the node above
  "supNote" text not null default '',
  "starRule" jsonb, -- {unit, steps} in hundredths; null: the usual steps
  "lsFormScheme" text not null default 'standard', -- form_scheme
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "lsId"),
  unique nulls not distinct ("schoolId", "lsPid", "lsName"),
  foreign key ("schoolId", "lsPid") references "curriculum",
  foreign key ("schoolId", "ownerRoleId") references "role"
);
-- everything below a node
create index on "curriculum" using gin ("lsPath");

-- Levels of activities, such as school or college level.
create table "lessonLevel" (
  "schoolId" text not null references "school",
  "llId" text not null,
  "llName" text not null,
  "llFactor" int not null default 100, -- hundredths by which points of this level count
  "llSort" int not null default 0,
  "enable" text not null default '1',
  primary key ("schoolId", "llId"),
  unique ("schoolId", "llName")
);

-- Abilities (素质标签) that take shares of what is earned.
create table "qualityLabel" (
  "schoolId" text not null references "school",
  "sqlId" uuid not null,
  "sqlPid" uuid,
  "sqlName" text not null,
  "sqlCode" text not null default '',
  "sqlDesc" text not null default '',
  "sqlColor" text not null default '',
  "sqlSort" int not null default 0,
  "platformId" text, -- of the catalogue it was adopted from
  "fullScore" int not null default 10000,
  "levels" jsonb not null default '[]', -- what levels 1 to 5 mean; empty where the school has not said
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "sqlId"),
  unique ("schoolId", "sqlName")
);

-- The quality model of a school: the labels its radar shows. One row a school.
create table "qualityModel" (
  "schoolId" text primary key references "school",
  "updateName" text not null default '',
  ${editedColumns}
);

-- The labels of the radar in their order, each with the score that its rim stands for.
create table "qualityModelLabel" (
  "schoolId" text not null,
  "sqlId" uuid not null,
  "qmName" text not null,
  "qmMax" int not null check ("qmMax" > 0), -- hundredths
  "qmColor" text not null default '',
  "qmSort" int not null,
  primary key ("schoolId", "sqlId"),
  foreign key ("schoolId") references "qualityModel" on delete cascade,
  foreign key ("schoolId", "sqlId") references "qualityLabel"
);

-- What an activity is worth: one scoring rule for a curriculum node and a level, in versions. A course keeps the version
-- it was created under.
create table "evaluation" (
  "schoolId" text not null,
  "esId" uuid not null,
  "esName" text not null default '',
  "lsId" uuid not null,
  "esLessonLevel" text not null,
  "versionNo" int not null default 1,
  "current" boolean not null default true,
  "baseHours" int not null default 0, -- this and all amounts below in hundredths
  "hourCap" int,
  "yearCap" int, -- most hours of a school year
  "credit" int not null default 0,
  "points" int not null default 0,
  "modeRules" jsonb not null default '[]', -- [{partakeMode, factor}]
  "teamRules" jsonb not null default '[]', -- [{size, ratios}], shares by rank
  "awardRules" jsonb not null default '[]', -- [{adName, hours, credit, points}]
  "abilityRules" jsonb not null default '[]', -- [{sqlId, weight}], weights summing to 100
  "bestOnlyGroup" text not null default '', -- of a group only the best counts
  "effectFrom" date not null default current_date,
  "effectTo" date,
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "esId"),
  unique ("schoolId", "lsId", "esLessonLevel", "versionNo"),
  foreign key ("schoolId", "lsId") references "curriculum",
  foreign key ("schoolId", "esLessonLevel") references "lessonLevel"
);
-- one rule in force for a node and a level
create unique index "evaluation_current" on "evaluation" ("schoolId", "lsId", "esLessonLevel")
  where "current";

-- Sets of awards that a course may give.
create table "awardTemplate" (
  "schoolId" text not null references "school",
  "atId" uuid not null,
  "atName" text not null,
  "atType" text not null default '1', -- award_type
  "atDesc" text not null default '',
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "atId"),
  unique ("schoolId", "atName")
);

-- The awards of a template, with what each is worth.
create table "awardDetail" (
  "schoolId" text not null,
  "adId" uuid not null,
  "atId" uuid not null,
  "adName" text not null,
  "adLevel" text not null default '9', -- award_tier
  "hours" int not null default 0, -- this and credit, points in hundredths
  "credit" int not null default 0,
  "points" int not null default 0,
  "abilityFactor" int not null default 100, -- hundredths by which abilities count for its holders
  "quotaType" text not null default '0', -- quota_type: 0 none, 1 persons, 2 per cent of the participants
  "quota" int,
  "needProof" text not null default '0',
  "adSort" int not null default 0,
  "delFlag" text not null default '0',
  primary key ("schoolId", "adId"),
  foreign key ("schoolId", "atId") references "awardTemplate"
);
-- names are unique within a template
create unique index "awardDetail_name" on "awardDetail" ("schoolId", "atId", "adName")
  where "delFlag" = '0';

-- Rules by which hours, credit, points or volunteer hours become credit, a mark or stars on the transcript. They are
-- computed whenever they are shown and write nothing into the ledger (decision 013).
create table "transformation" (
  "schoolId" text not null references "school",
  "trId" uuid not null,
  "trName" text not null,
  "trDesc" text not null default '',
  "fromType" text not null, -- convert_from
  "toType" text not null, -- convert_to
  "mode" text not null, -- convert_mode
  "ratio" int, -- hundredths, as min, value and cap
  "segments" jsonb not null default '[]', -- [{min, value}], rising by min
  "rounding" text not null default '1', -- rounding
  "decimals" int not null default 2,
  "cap" int,
  "scopeLsIds" uuid[] not null default '{}',
  "scopeGrades" text[] not null default '{}',
  "effectTerm" uuid,
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "trId"),
  unique ("schoolId", "trName"),
  foreign key ("schoolId", "effectTerm") references "term"
);
`
