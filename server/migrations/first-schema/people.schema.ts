import { editedColumns } from './edited.columns.ts'

/** People, what they are in departments, and their credibility. */
export const people = `
-- One row a person: students, teachers and other staff alike (decision 005). "suId" is also the key of the account.
create table "person" (
  "schoolId" text not null references "school",
  "suId" uuid not null,
  "suiType" text not null, -- 1 student, 2 teacher, 3 other staff
  "suiName" text not null,
  "suiNumber" text not null,
  "suiSex" text not null default '0', -- sex
  "birth" date,
  "suiNation" text,
  "suiPolitical" text, -- political
  "leagueJoinDate" date,
  "partyJoinDate" date,
  "suiIdType" text, -- id_type
  "suiIdCard" bytea, -- sealed; the hash finds it
  "suiIdCardHash" bytea,
  "suiPhone" bytea, -- sealed; the hash finds it
  "suiPhoneHash" bytea,
  "suiEmail" text,
  "suiPhoto" uuid,
  "provinceId" text,
  "cityId" text,
  "areaId" text,
  "suiAddress" text,
  "suiDorm" text,
  "suiCollegeId" uuid,
  "majorId" uuid,
  "scClassId" uuid,
  "suiGrade" text, -- year of entry
  "suiEduLevel" text, -- edu_level
  "suiStudyYears" int,
  "suiEnterDate" date,
  "suiGraduateDate" date,
  "suiStatus" text not null default '1', -- student_status or teacher_status
  "suiCampus" text,
  "suiCredibility" int not null default 100 check ("suiCredibility" >= 0),
  "blackUntil" timestamptz, -- registration is closed until then
  "warnLevel" text not null default '0', -- warn_level, as the nightly job found
  "isVolunteerRegistered" text not null default '0',
  "volunteerNo" text,
  "title" text, -- teacher_title
  "teacherType" text, -- teacher_type
  "post" text,
  "specialty" text,
  "remark" text,
  "importBatchId" uuid,
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "suId"),
  foreign key ("schoolId", "suiCollegeId") references "college",
  foreign key ("schoolId", "majorId") references "major",
  foreign key ("schoolId", "scClassId") references "schoolClass"
);
-- one person a number; sign-in, imports
create unique index "person_number" on "person" ("schoolId", "suiNumber")
  where "delFlag" = '0';
-- lists of students and teachers: in their order and with the key, so that pages and count read nothing else
create index "person_list" on "person" ("schoolId", "suiType", "suiNumber", "suId")
  where "delFlag" = '0';
-- the score list leaves out who was removed
create index "person_removed" on "person" ("schoolId", "suId")
  where "delFlag" <> '0';
-- lists and scopes by college and year, in the order of the lists and from the index alone
create index "person_college" on "person" ("schoolId", "suiType", "suiCollegeId", "suiGrade", "suiNumber", "suId")
  where "delFlag" = '0';
-- lists of records by the college and year of their students, who may have been removed since
create index "person_place" on "person" ("schoolId", "suiCollegeId", "suiGrade")
  include ("suId");
-- lists of records by the number of their students, who may have been removed since
create index "person_any_number" on "person" ("schoolId", "suiNumber", "suId");
-- lists, scopes and headcounts by class
create index "person_class" on "person" ("schoolId", "scClassId")
  where "delFlag" = '0';
-- lists and scopes by major
create index "person_major" on "person" ("schoolId", "majorId")
  where "delFlag" = '0';
-- substring search (decision 004)
create index "person_name_chars" on "person" using gin (chars("suiName"));
-- substring search (decision 004)
create index "person_number_chars" on "person" using gin (chars("suiNumber"));
-- exact search by telephone; duplicates in imports
create index "person_phone" on "person" ("schoolId", "suiPhoneHash")
  where "suiPhoneHash" is not null;
-- exact search by identity number; duplicates in imports
create index "person_idcard" on "person" ("schoolId", "suiIdCardHash")
  where "suiIdCardHash" is not null;
-- undoing an import
create index "person_batch" on "person" ("schoolId", "importBatchId")
  where "importBatchId" is not null;
-- whose photo a private file is
create index "person_photo" on "person" ("schoolId", "suiPhoto")
  where "suiPhoto" is not null;
-- lists of warned students
create index "person_warn" on "person" ("schoolId", "warnLevel")
  where "warnLevel" <> '0';

-- Who works in which department.
create table "departmentUser" (
  "schoolId" text not null,
  "sdId" uuid not null,
  "suId" uuid not null,
  "post" text not null default '',
  "sdSort" int not null default 0, -- where the department stands among those of the person
  "memberSort" int not null default 0, -- where the person stands in the department
  primary key ("schoolId", "sdId", "suId"),
  foreign key ("schoolId", "sdId") references "department" on delete cascade,
  foreign key ("schoolId", "suId") references "person" on delete cascade
);
-- the departments of a person
create index on "departmentUser" ("schoolId", "suId");

-- Every change of a credibility score (诚信分), with what it was before and after.
create table "credibilityLog" (
  "schoolId" text not null,
  "cgId" uuid not null,
  "suId" uuid not null,
  "change" int not null,
  "before" int not null,
  "after" int not null,
  "reasonCode" text not null, -- credibility_reason
  "reason" text not null,
  "liId" uuid,
  "restoreOf" uuid, -- the loss that this row restores
  "operatorId" uuid,
  "operatorName" text not null,
  "createTime" timestamptz not null default now(),
  primary key ("schoolId", "cgId"),
  foreign key ("schoolId", "suId") references "person"
);
-- the history of a person
create index on "credibilityLog" ("schoolId", "suId", "createTime");
-- a loss is restored at most once
create unique index "credibilityLog_restored" on "credibilityLog" ("schoolId", "restoreOf")
  where "restoreOf" is not null;
-- the losses that a course caused
create index "credibilityLog_lesson" on "credibilityLog" ("schoolId", "liId")
  where "liId" is not null;
`
