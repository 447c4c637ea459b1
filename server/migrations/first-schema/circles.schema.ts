import { editedColumns } from './edited.columns.ts'

/** Circles (clubs) with their teachers, members, applications and yearly reviews. */
export const circles = `
-- Kinds of circles.
create table "circleClass" (
  "schoolId" text not null references "school",
  "ccId" uuid not null,
  "ccName" text not null,
  "ccSort" int not null default 0,
  ${editedColumns},
  primary key ("schoolId", "ccId"),
  unique ("schoolId", "ccName")
);

-- Circles (clubs, 圈子/社团). There is exactly one person in charge, so it is a column.
create table "circle" (
  "schoolId" text not null references "school",
  "ciId" uuid not null,
  "ciNo" text not null,
  "ciName" text not null,
  "ciClass" uuid not null,
  "ciLevel" text not null default '1', -- circle_level
  "ciCollegeId" uuid, -- whose circle it is, with the unit: data scope
  "guideUnitId" uuid,
  "ciDesc" text not null default '',
  "imgList" uuid[] not null default '{}',
  "charterFile" uuid,
  "cpiPersonId" uuid not null, -- the person in charge
  "foundDate" date,
  "memberMax" int check ("memberMax" > 0),
  "joinMode" text not null default '2', -- circle_join_mode
  "ciStatus" text not null default '0', -- circle_status
  "ciAuthStatus" text not null default '0', -- circle_auth_status
  "reason" text not null default '',
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "ciId"),
  unique ("schoolId", "ciNo"),
  foreign key ("schoolId", "ciClass") references "circleClass",
  foreign key ("schoolId", "ciCollegeId") references "college",
  foreign key ("schoolId", "guideUnitId") references "department",
  foreign key ("schoolId", "cpiPersonId") references "person"
);
-- names are unique among circles that exist
create unique index "circle_name" on "circle" ("schoolId", "ciName")
  where "delFlag" = '0' and "ciStatus" <> '9';
-- the list
create index "circle_list" on "circle" ("schoolId", "createTime" desc, "ciId")
  where "delFlag" = '0';
-- the circles a person leads
create index "circle_leader" on "circle" ("schoolId", "cpiPersonId");
-- whether a kind is in use
create index "circle_class" on "circle" ("schoolId", "ciClass");

-- Teachers who guide a circle.
create table "circleTeacher" (
  "schoolId" text not null,
  "ciId" uuid not null,
  "suId" uuid not null,
  primary key ("schoolId", "ciId", "suId"),
  foreign key ("schoolId", "ciId") references "circle" on delete cascade,
  foreign key ("schoolId", "suId") references "person"
);
-- the circles a teacher guides
create index on "circleTeacher" ("schoolId", "suId");

-- Who is or was in a circle; who comes back gets a new row.
create table "circleMember" (
  "schoolId" text not null,
  "cpiId" uuid not null,
  "ciId" uuid not null,
  "suId" uuid not null,
  "cmRole" text not null default '5', -- circle_member_role
  "joinTime" timestamptz not null default now(),
  "quitTime" timestamptz, -- null: a member now
  primary key ("schoolId", "cpiId"),
  foreign key ("schoolId", "ciId") references "circle" on delete cascade,
  foreign key ("schoolId", "suId") references "person"
);
-- a person is a member once
create unique index "circleMember_once" on "circleMember" ("schoolId", "ciId", "suId")
  where "quitTime" is null;
-- the circles of a person
create index on "circleMember" ("schoolId", "suId");
-- members at the time of a course: statistics
create index "circleMember_time" on "circleMember" ("schoolId", "ciId", "joinTime");

-- Applications about a circle: to found, to join, to change who leads, yearly review, to close. One open application for
-- a circle and a person: the pair names it.
create table "circleApply" (
  "schoolId" text not null,
  "caId" uuid not null,
  "caType" text not null, -- circle_apply_type
  "ciId" uuid not null,
  "cpiPersonId" uuid not null,
  "ciAuthStatus" text not null default '0', -- circle_auth_status
  "applyReason" text not null default '',
  "materials" uuid[] not null default '{}',
  "crYear" int,
  "crResult" text, -- circle_review
  "applyBy" uuid,
  "applyName" text not null default '',
  "applyTime" timestamptz not null default now(),
  "auditBy" uuid,
  "auditName" text not null default '',
  "auditTime" timestamptz,
  "reason" text not null default '',
  primary key ("schoolId", "caId"),
  foreign key ("schoolId", "ciId") references "circle",
  foreign key ("schoolId", "cpiPersonId") references "person"
);
-- one open application
create unique index "circleApply_open" on "circleApply" ("schoolId", "ciId", "cpiPersonId")
  where "ciAuthStatus" = '0';
-- the list
create index "circleApply_list" on "circleApply" ("schoolId", "applyTime" desc, "caId");

-- The outcome of a yearly review.
create table "circleReview" (
  "schoolId" text not null,
  "ciId" uuid not null,
  "crYear" int not null,
  "crResult" text not null, -- circle_review
  "activityCount" int not null default 0,
  "caId" uuid not null,
  "reviewTime" timestamptz not null default now(),
  primary key ("schoolId", "ciId", "crYear"),
  foreign key ("schoolId", "ciId") references "circle"
);
`
