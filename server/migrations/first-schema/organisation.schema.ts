import { editedColumns } from './edited.columns.ts'

/** Colleges, majors, classes, departments. */
export const organisation = `
-- Colleges (学院) and units of the same rank.
create table "college" (
  "schoolId" text not null references "school",
  "scId" uuid not null,
  "scName" text not null,
  "scCode" text not null,
  "scShort" text not null default '',
  "scType" text not null default '学院',
  "scLeader" text not null default '',
  "scPhone" text not null default '',
  "scSort" int not null default 0,
  "enable" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "scId"),
  unique ("schoolId", "scCode"),
  unique ("schoolId", "scName")
);

-- Majors of a college.
create table "major" (
  "schoolId" text not null,
  "smId" uuid not null,
  "smName" text not null,
  "smCode" text not null,
  "scId" uuid not null,
  "eduLevel" text not null default '2', -- edu_level
  "years" int not null default 4,
  "scSort" int not null default 0,
  ${editedColumns},
  primary key ("schoolId", "smId"),
  unique ("schoolId", "scId", "smName"),
  unique ("schoolId", "smCode"),
  foreign key ("schoolId", "scId") references "college"
);

-- Administrative classes, each of one major and one year of entry.
create table "schoolClass" (
  "schoolId" text not null,
  "scClassId" uuid not null,
  "scClassName" text not null,
  "scClassCode" text not null default '',
  "scId" uuid not null,
  "smId" uuid not null,
  "scClassGrade" text not null, -- year of entry
  "scClassSort" int not null default 0,
  "counselorId" uuid,
  "headTeacherId" uuid,
  ${editedColumns},
  primary key ("schoolId", "scClassId"),
  unique ("schoolId", "smId", "scClassGrade", "scClassName"),
  foreign key ("schoolId", "scId") references "college",
  foreign key ("schoolId", "smId") references "major"
);
-- classes of a college and year: lists and pickers
create index on "schoolClass" ("schoolId", "scId", "scClassGrade");

-- Offices and youth league bodies, as a tree.
create table "department" (
  "schoolId" text not null references "school",
  "sdId" uuid not null,
  "sdName" text not null,
  "sdCode" text not null,
  "sdPid" uuid,
  "sdType" text not null default '1', -- department_type
  "sdLeaderId" uuid,
  "isGuideUnit" text not null default '0', -- 1: may guide circles
  "sdSort" int not null default 0,
  ${editedColumns},
  primary key ("schoolId", "sdId"),
  unique ("schoolId", "sdCode"),
  unique nulls not distinct ("schoolId", "sdPid", "sdName"),
  foreign key ("schoolId", "sdPid") references "department"
);
`
