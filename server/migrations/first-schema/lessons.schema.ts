import { editedColumns } from './edited.columns.ts'

/** Courses and everybody in them. */
export const lessons = `
-- Courses and activities (课程). Counters are kept in the transaction that changes what they count.
create table "lesson" (
  "schoolId" text not null references "school",
  "liId" uuid not null,
  "liNo" text not null,
  "liName" text not null,
  "lsId" uuid not null,
  "lsPath" uuid[] not null, -- of its curriculum node
  "liStatus" text not null default '0', -- lesson_status
  "liLevel" text not null,
  "isQuestionedAudit" text not null default '1', -- 1: questions about it go through approval
  "liKind" text not null default '3', -- lesson_kind
  "liForm" text not null default '1', -- lesson_form
  "itemCategory" text not null default '0', -- item_category
  "parentLiId" uuid, -- the series it is part of
  "liScheme" text not null default 'standard', -- form_scheme
  "liExt" jsonb not null default '{}', -- what the form of the scheme asks beyond the ordinary one
  "liPoster" uuid,
  "liIntro" text not null default '',
  "liPlan" uuid,
  "liAttachments" uuid[] not null default '{}',
  "liCollegeId" uuid, -- whose course it is, with the department: data scope
  "liDepartmentId" uuid,
  "liCircleId" uuid,
  "liSponsorName" text not null default '',
  "liPrincipalId" uuid not null,
  "liPrincipalName" text not null default '',
  "contactName" text not null default '',
  "contactPhone" text not null default '',
  "campus" text not null default '',
  "placeText" text not null default '',
  "applyWay" text not null default '2', -- apply_way
  "applyUnit" text not null default '1', -- apply_unit
  "quota" int not null check ("quota" between 1 and 100000),
  "quotaByCollege" jsonb not null default '[]', -- [{scId, quota}]; a college that is not named has no limit of its own
  "waitlistOn" text not null default '0',
  "rangeColleges" uuid[] not null default '{}',
  "rangeMajors" uuid[] not null default '{}',
  "rangeClasses" uuid[] not null default '{}',
  "rangeGrades" text[] not null default '{}',
  "applyStart" timestamptz,
  "applyEnd" timestamptz,
  "pickTime" timestamptz, -- when lots were drawn, or those reminded who had to decide
  "turnoutFor" timestamptz, -- the end of registration for which turnout was checked
  "startTime" timestamptz not null,
  "endTime" timestamptz not null,
  "signType" text[] not null default '{}', -- sign_type
  "lateMinutes" int not null default 15,
  "signOutOn" text not null default '0',
  "signLng" double precision, -- where the activity is, for signing in by place
  "signLat" double precision,
  "signRadius" int, -- metres; null: the school’s rule
  "minAttendRate" int not null default 0 check ("minAttendRate" between 0 and 100), -- per cent of the sessions
  "liHours" int not null default 0, -- hundredths, as credit and points
  "liCredit" int not null default 0,
  "liPoints" int not null default 0,
  "atId" uuid,
  "esId" uuid, -- the version of the rule it was created under
  "publictyDays" int not null default 3,
  "liPublictySdate" timestamptz,
  "liPublictyEdate" timestamptz,
  "applyCount" int not null default 0,
  "pendingCount" int not null default 0,
  "passCount" int not null default 0 check ("passCount" >= 0),
  "signCount" int not null default 0,
  "resultCount" int not null default 0,
  "resultSummary" text not null default '',
  "exitReason" text not null default '',
  "changeId" uuid, -- the change under approval
  "publishTime" timestamptz,
  "publishBy" uuid,
  "publishAt" timestamptz, -- when the approved course publishes itself
  "completeTime" timestamptz,
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "liId"),
  unique ("schoolId", "liNo"),
  foreign key ("schoolId", "lsId") references "curriculum",
  foreign key ("schoolId", "liLevel") references "lessonLevel",
  foreign key ("schoolId", "liCollegeId") references "college",
  foreign key ("schoolId", "liDepartmentId") references "department",
  foreign key ("schoolId", "liPrincipalId") references "person",
  foreign key ("schoolId", "atId") references "awardTemplate",
  foreign key ("schoolId", "esId") references "evaluation",
  constraint "lesson_circle_fkey" foreign key ("schoolId", "liCircleId") references "circle",
  check ("endTime" > "startTime")
);
-- the list
create index "lesson_list" on "lesson" ("schoolId", "createTime" desc, "liId")
  where "delFlag" = '0';
-- the tabs of the list
create index "lesson_status" on "lesson" ("schoolId", "liStatus", "createTime" desc)
  where "delFlag" = '0';
-- the courses that begin within a term, counted from the index alone
create index "lesson_start" on "lesson" ("schoolId", "startTime")
  where "delFlag" = '0';
-- the list of a college
create index "lesson_college" on "lesson" ("schoolId", "liCollegeId", "createTime" desc)
  where "delFlag" = '0';
-- courses of a curriculum subtree
create index "lesson_path" on "lesson" using gin ("lsPath");
-- substring search (decision 004)
create index "lesson_name_grams" on "lesson" using gin (grams("liName"));
-- the courses a person is in charge of
create index "lesson_principal" on "lesson" ("schoolId", "liPrincipalId");
-- the courses a person made
create index "lesson_creator" on "lesson" ("schoolId", "createBy");
-- the job that ends public notices
create index "lesson_publicity" on "lesson" ("liPublictyEdate")
  where "liStatus" = '60';
-- which courses give awards of a template
create index "lesson_template" on "lesson" ("schoolId", "atId")
  where "atId" is not null;
-- the job that draws lots and reminds
create index "lesson_pick" on "lesson" ("applyEnd")
  where "liStatus" = '30' and "pickTime" is null and "pendingCount" > 0 and "delFlag" = '0';
-- the parts of a series
create index "lesson_series" on "lesson" ("schoolId", "parentLiId")
  where "parentLiId" is not null;
-- the job that checks turnout
create index "lesson_turnout" on "lesson" ("applyEnd")
  where "liStatus" = '30' and "delFlag" = '0';
-- statistics of publication
create index "lesson_published" on "lesson" ("schoolId", "publishTime")
  where "delFlag" = '0' and "publishTime" is not null;
-- the courses of a circle
create index "lesson_circle" on "lesson" ("schoolId", "liCircleId")
  where "liCircleId" is not null;
-- the job that publishes
create index "lesson_publish_at" on "lesson" ("publishAt")
  where "publishAt" is not null and "liStatus" = '20' and "delFlag" = '0';

-- Who does what for a course: teacher (guides it), signer (may take attendance), organiser.
create table "lessonPerson" (
  "schoolId" text not null,
  "liId" uuid not null,
  "suId" uuid not null,
  "lpRole" text not null,
  primary key ("schoolId", "liId", "lpRole", "suId"),
  foreign key ("schoolId", "liId") references "lesson" on delete cascade,
  foreign key ("schoolId", "suId") references "person"
);
-- the courses of a teacher or signer
create index on "lessonPerson" ("schoolId", "suId", "lpRole");

-- The times at which a course meets. "codeSecret" makes the changing sign-in codes of the session (decision 016).
create table "lessonSession" (
  "schoolId" text not null,
  "liId" uuid not null,
  "lseNo" int not null,
  "startTime" timestamptz not null,
  "endTime" timestamptz not null,
  "placeText" text not null default '',
  "codeSecret" bytea not null,
  primary key ("schoolId", "liId", "lseNo"),
  foreign key ("schoolId", "liId") references "lesson" on delete cascade
);
-- conflicts of time and the calendar
create index "lessonSession_time" on "lessonSession" ("schoolId", "startTime");

-- Changes of a published course: what is approved stays in force until the change is approved too (decision 015).
create table "lessonChange" (
  "schoolId" text not null,
  "lcId" uuid not null,
  "liId" uuid not null,
  "lcStatus" text not null default '0', -- 0 under approval, 1 in force, 2 refused, 3 withdrawn
  "columns" jsonb not null, -- of the course, only those that change
  "sessions" jsonb, -- null where they stay, as are the people
  "teacherIds" uuid[],
  "signerIds" uuid[],
  "filesBefore" uuid[] not null default '{}',
  "filesAfter" uuid[] not null default '{}',
  "differences" jsonb not null,
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "endTime" timestamptz,
  "reason" text not null default '',
  primary key ("schoolId", "lcId"),
  foreign key ("schoolId", "liId") references "lesson" on delete cascade
);
-- one open change a course
create unique index "lessonChange_open" on "lessonChange" ("schoolId", "liId")
  where "lcStatus" = '0';

-- One row a student and course: registration, attendance and result.
create table "registration" (
  "schoolId" text not null,
  "laId" uuid not null,
  "liId" uuid not null,
  "suId" uuid not null,
  "laStatus" text not null default '0', -- apply_status
  "applyTime" timestamptz not null default now(),
  "applyFrom" text not null default 'import',
  "auditBy" uuid,
  "auditTime" timestamptz,
  "refuseReason" text not null default '',
  "waitNo" int,
  "drawNo" int, -- the place in the draw, counted from 1
  "partakeMode" text not null default '1', -- partake_mode
  "signInTime" timestamptz,
  "signOutTime" timestamptz,
  "signMethod" text, -- sign_type
  "signBy" uuid,
  "laSignStatus" text not null default '0', -- sign_status
  "signReason" text not null default '',
  "laResult" text not null default '0', -- result_status
  "adId" uuid,
  "awardName" text not null default '',
  "laHours" int not null default 0, -- hundredths, as credit and points
  "laCredit" int not null default 0,
  "laPoints" int not null default 0,
  "laStars" smallint check ("laStars" between 1 and 5), -- stars that the participant gave the course
  "remark" text not null default '',
  "importBatchId" uuid,
  "delFlag" text not null default '0',
  "updateTime" timestamptz not null default now(),
  "version" int not null default 0,
  primary key ("schoolId", "laId"),
  foreign key ("schoolId", "liId") references "lesson",
  foreign key ("schoolId", "suId") references "person"
);
-- one registration a student and course
create unique index "registration_once" on "registration" ("schoolId", "liId", "suId")
  where "delFlag" = '0';
-- the participants of a course
create index "registration_list" on "registration" ("schoolId", "liId", "applyTime", "laId")
  where "delFlag" = '0';
-- the courses of a student
create index "registration_person" on "registration" ("schoolId", "suId")
  where "delFlag" = '0';

-- Drawing by lot, with a seed that is promised before and shown after, so that anybody can draw again (decision 016).
create table "lessonDraw" (
  "schoolId" text not null,
  "liId" uuid not null,
  "seed" text not null, -- secret until drawn; the digest is public
  "digest" text not null,
  "committedTime" timestamptz not null,
  "drawnTime" timestamptz,
  "drawnBy" text not null default '',
  "places" int,
  "ranked" jsonb not null default '[]', -- [[laId, laStatus]] in the order of the draw
  primary key ("schoolId", "liId"),
  foreign key ("schoolId", "liId") references "lesson"
);

-- One row a participant and session that they signed in to with a code.
create table "sessionSign" (
  "schoolId" text not null,
  "laId" uuid not null,
  "lseNo" int not null,
  "signInTime" timestamptz not null,
  "signOutTime" timestamptz,
  "signBy" uuid,
  "signLng" double precision,
  "signLat" double precision,
  primary key ("schoolId", "laId", "lseNo"),
  foreign key ("schoolId", "laId") references "registration" on delete cascade
);

-- Wrong sign-in codes that somebody typed for a course lately.
create table "signTry" (
  "schoolId" text not null references "school",
  "liId" uuid not null,
  "suId" uuid not null,
  "tries" int not null default 1,
  "since" timestamptz not null,
  primary key ("schoolId", "liId", "suId"),
  foreign key ("schoolId", "liId") references "lesson",
  foreign key ("schoolId", "suId") references "person"
);
`
