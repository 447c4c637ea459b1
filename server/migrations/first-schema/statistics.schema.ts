/** Rollups for the statistics (decision 022). */
export const statistics = `
-- One row a person and day on which they signed in. Kept longer than the audit trail.
create table "loginDay" (
  "schoolId" text not null,
  "suId" uuid not null,
  "logDay" date not null,
  "times" int not null,
  "hours" int[] not null check (cardinality("hours") = 24), -- sign-ins by hour of the day
  "lastTime" timestamptz not null,
  "ip" text not null default '',
  "agent" text not null default '',
  primary key ("schoolId", "logDay", "suId"),
  foreign key ("schoolId", "suId") references "person" on delete cascade
);
-- the sign-ins of a person
create index "loginDay_person" on "loginDay" ("schoolId", "suId", "logDay");

-- Notes of what a statement touched, for the job that keeps the rollups. Nothing is locked: notes are only added.
create table "statChange" (
  "schoolId" text not null,
  "scNo" bigint generated always as identity,
  "scKind" text not null, -- L course, P person, G a person’s sign-ins of a day, A everything of the school
  "scKey" uuid,
  "scDay" date,
  primary key ("schoolId", "scNo")
);

-- How far the rollups of a school have come.
create table "statState" (
  "schoolId" text primary key references "school",
  "statVersion" bigint not null default 0, -- rises with every change of a rollup
  "asOf" timestamptz not null, -- until when changes are in the rollups
  "checkTime" timestamptz, -- the last comparison with the raw rows
  "differences" int
);

-- Where people stand: all who agree in these columns share a row.
create table "statPlace" (
  "schoolId" text not null references "school",
  "plId" int generated always as identity,
  "plKind" text not null, -- 1 student, 2 staff
  "enrolled" boolean not null, -- studies or works here now
  "collegeId" uuid,
  "majorId" uuid,
  "classId" uuid,
  "grade" text,
  primary key ("schoolId", "plId"),
  unique nulls not distinct ("schoolId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade")
);

-- What each person has, in hundredths.
create table "statPerson" (
  "schoolId" text not null,
  "suId" uuid not null,
  "plId" int not null,
  "sex" text not null,
  "political" text,
  "credibility" int not null,
  "blackUntil" timestamptz,
  "enterDate" date,
  "hours" int not null,
  "credit" int not null,
  "points" int not null,
  "activities" int not null, -- activities and sups: records that stand
  "sups" int not null,
  "lastTime" timestamptz,
  "met" boolean not null, -- the goal of graduation is reached
  primary key ("schoolId", "suId")
);
-- the people of a place
create index "statPerson_place" on "statPerson" ("schoolId", "plId");
-- the ranking
create index "statPerson_hours" on "statPerson" ("schoolId", "hours" desc, "suId");

-- What each person has of each ability, in hundredths.
create table "statAbility" (
  "schoolId" text not null,
  "suId" uuid not null,
  "sqlId" uuid not null,
  "score" int not null,
  primary key ("schoolId", "sqlId", "suId") include ("score")
);
-- what a person has of each ability, from the index alone
create index "statAbility_person" on "statAbility" ("schoolId", "suId")
  include ("sqlId", "score");

-- What the people of a place earned on a day, in hundredths.
create table "statDay" (
  "schoolId" text not null,
  "plId" int not null,
  "stDay" date not null,
  "stKind" text not null, -- L courses, S supplements, O otherwise, A ability
  "item" uuid not null, -- the module; for A the label
  "hours" int not null, -- for A the score
  "credit" int not null,
  "records" int not null,
  primary key ("schoolId", "stKind", "stDay", "plId", "item") include ("hours", "credit", "records")
);
-- computing the days of a place anew
create index "statDay_place" on "statDay" ("schoolId", "plId");

-- Sign-ins of the people of a place on a day.
create table "statLogin" (
  "schoolId" text not null,
  "plId" int not null,
  "logDay" date not null,
  "people" int not null,
  "times" int not null,
  "hours" int[] not null,
  primary key ("schoolId", "logDay", "plId") include ("people", "times")
);
-- computing the days of a place anew
create index "statLogin_place" on "statLogin" ("schoolId", "plId");

-- The days of a year on which a person signed in, one bit each: people of any period are counted without counting
-- anybody twice.
create table "statLoginYear" (
  "schoolId" text not null,
  "suId" uuid not null,
  "logYear" int not null,
  "days" bit(366) not null,
  primary key ("schoolId", "logYear", "suId")
);

-- The figures of each course; hours in hundredths.
create table "statLesson" (
  "schoolId" text not null,
  "liId" uuid not null,
  "applied" int not null, -- registrations
  "passed" int not null, -- passed, signed, qualified: of those admitted
  "signed" int not null,
  "members" int not null default 0, -- of its circle when it began, and those of them who were there
  "membersSigned" int not null default 0,
  "qualified" int not null,
  "granted" int not null, -- students whose record stands
  "hours" int not null,
  "sessions" int not null,
  "stars" int[] not null,
  "decideSeconds" bigint not null, -- this, decided and firstPass: its approvals for publication
  "decided" int not null,
  "firstPass" boolean,
  primary key ("schoolId", "liId")
);
`
