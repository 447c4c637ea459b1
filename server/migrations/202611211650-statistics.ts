import { sql, type Kysely } from 'kysely'

/** Rollups for the statistics, and the notes of what has to be reckoned anew (decision 022). Sign-ins by day, and the stars participants gave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A statement-level trigger that notes what a statement touched, once per key. Nothing is locked: notes are only added, and read by one job. */
const noting = (table: string, body: string, events: readonly string[] = ['insert', 'update', 'delete']): string[] => [
  `create function "note_${table}"() returns trigger language plpgsql as $$ begin insert into "statChange" ("schoolId", "scKind", "scKey", "scDay") ${body}; return null; end $$`,
  ...events.map(
    (event) =>
      `create trigger "${table}_note_${event}" after ${event} on "${table}" referencing ${event === 'delete' ? 'old' : 'new'} table as touched for each statement execute function "note_${table}"()`,
  ),
]

const statements = [
  // one row a person and day on which he signed in; hours: sign-ins by hour of the day. Kept longer than the audit trail
  `create table "loginDay" ("schoolId" text not null, "suId" uuid not null, "logDay" date not null, "times" int not null, "hours" int[] not null check (cardinality("hours") = 24), "lastTime" timestamptz not null, "ip" text not null default '', "agent" text not null default '',
     primary key ("schoolId", "logDay", "suId"), foreign key ("schoolId", "suId") references "person" on delete cascade)`,
  `create index "loginDay_person" on "loginDay" ("schoolId", "suId", "logDay")`,
  `insert into "loginDay" select h."schoolId", h."actorId", h."day", sum(h."n")::int, array[${Array.from({ length: 24 }, (_, hour) => `coalesce(sum(h."n") filter (where h."hour" = ${hour}), 0)::int`).join(', ')}], max(h."last"), max(h."ip"), max(h."agent") from (
     select a."schoolId", a."actorId", (a."logTime" at time zone 'Asia/Shanghai')::date "day", extract(hour from a."logTime" at time zone 'Asia/Shanghai')::int "hour", count(*) "n", max(a."logTime") "last", max(a."ip") "ip", max(left(a."agent", 300)) "agent"
     from "auditLog" a join "person" p on p."schoolId" = a."schoolId" and p."suId" = a."actorId" where a."action" = '登录' and a."bizType" = 'session' and a."result" = 'ok' group by 1, 2, 3, 4) h group by 1, 2, 3`,

  // stars (1 to 5) that a participant gave the course
  `alter table "registration" add column "laStars" smallint check ("laStars" between 1 and 5)`,

  // scKind: L course, P person, G a person's sign-ins of a day, A everything of the school
  `create table "statChange" ("schoolId" text not null, "scNo" bigint generated always as identity, "scKind" text not null, "scKey" uuid, "scDay" date, primary key ("schoolId", "scNo"))`,
  // statVersion rises with every change of a rollup; asOf: until when changes are in them; checkTime, differences: the last comparison with the raw rows
  `create table "statState" ("schoolId" text primary key references "school", "statVersion" bigint not null default 0, "asOf" timestamptz not null, "checkTime" timestamptz, "differences" int)`,

  // where people stand: all who agree in college, major, class, grade, kind (1 student, 2 staff) and whether they study or work now
  `create table "statPlace" ("schoolId" text not null references "school", "plId" int generated always as identity, "plKind" text not null, "enrolled" boolean not null, "collegeId" uuid, "majorId" uuid, "classId" uuid, "grade" text,
     primary key ("schoolId", "plId"), unique nulls not distinct ("schoolId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade"))`,
  // amounts in hundredths; activities and sups: records that stand; met: graduation's goal is reached
  `create table "statPerson" ("schoolId" text not null, "suId" uuid not null, "plId" int not null, "sex" text not null, "political" text, "credibility" int not null, "blackUntil" timestamptz, "enterDate" date, "hours" int not null, "credit" int not null, "points" int not null, "activities" int not null, "sups" int not null,
     "lastTime" timestamptz, "met" boolean not null, primary key ("schoolId", "suId"))`,
  `create index "statPerson_place" on "statPerson" ("schoolId", "plId")`,
  `create index "statPerson_hours" on "statPerson" ("schoolId", "hours" desc, "suId")`,
  `create table "statAbility" ("schoolId" text not null, "suId" uuid not null, "sqlId" uuid not null, "score" int not null, primary key ("schoolId", "sqlId", "suId") include ("score"))`,
  `create index "statAbility_person" on "statAbility" ("schoolId", "suId")`,
  // what the people of a place earned on a day. stKind: L courses, S supplements, O otherwise (item: the module), A ability (item: the label; hours holds the score)
  `create table "statDay" ("schoolId" text not null, "plId" int not null, "stDay" date not null, "stKind" text not null, "item" uuid not null, "hours" int not null, "credit" int not null, "records" int not null,
     primary key ("schoolId", "stKind", "stDay", "plId", "item"))`,
  `create index "statDay_place" on "statDay" ("schoolId", "plId")`,
  `create table "statLogin" ("schoolId" text not null, "plId" int not null, "logDay" date not null, "people" int not null, "times" int not null, "hours" int[] not null, primary key ("schoolId", "logDay", "plId"))`,
  `create index "statLogin_place" on "statLogin" ("schoolId", "plId")`,
  // the days of a year on which a person signed in, one bit each: people of any period are counted without counting anybody twice
  `create table "statLoginYear" ("schoolId" text not null, "suId" uuid not null, "logYear" int not null, "days" bit(366) not null, primary key ("schoolId", "logYear", "suId"))`,

  // applied: registrations; passed, signed, qualified: of those admitted; granted: students whose record stands; hours in hundredths; decideSeconds, decided, firstPass: its approvals for publication
  `create table "statLesson" ("schoolId" text not null, "liId" uuid not null, "applied" int not null, "passed" int not null, "signed" int not null, "qualified" int not null, "granted" int not null, "hours" int not null, "sessions" int not null,
     "stars" int[] not null, "decideSeconds" bigint not null, "decided" int not null, "firstPass" boolean, primary key ("schoolId", "liId"))`,
  `create index "lesson_published" on "lesson" ("schoolId", "publishTime") where "delFlag" = '0' and "publishTime" is not null`,
  `create index "approvalTask_handled" on "approvalTask" ("schoolId", "handleTime") include ("checkerId", "arriveTime") where "handleTime" is not null`,
  `create index "creditLedger_ability" on "creditLedger" ("schoolId", "occurTime") include ("suId", "sqlId", "bizId", "clValue") where "clType" = '5'`,

  ...noting('registration', `select distinct "schoolId", 'L', "liId", null::date from touched`),
  ...noting('lessonSession', `select distinct "schoolId", 'L', "liId", null::date from touched`),
  ...noting('lesson', `select "schoolId", 'L', "liId", null::date from touched`, ['insert', 'delete']),
  ...noting(
    'approval',
    `select distinct "schoolId", 'L', "bizId", null::date from touched where "bizType" = 'publish'`,
  ),
  ...noting('person', `select "schoolId", 'P', "suId", null::date from touched`),
  ...noting('loginDay', `select "schoolId", 'G', "suId", "logDay" from touched`),
  ...noting(
    'creditLedger',
    `select distinct "schoolId", 'P', "suId", null::date from touched union all select distinct "schoolId", 'L', "bizId", null::date from touched where "source" <> 'SUP'`,
    ['insert'],
  ),
  // what graduation asks for, and which modules there are, weighs on everybody
  ...noting('curriculum', `select distinct "schoolId", 'A', null::uuid, null::date from touched where "lsPid" is null`),
  `create function "note_school"() returns trigger language plpgsql as $$ begin insert into "statChange" ("schoolId", "scKind") values (new."schoolId", 'A'); return null; end $$`,
  `create trigger "school_note_settings" after update of "settings" on "school" for each row when (old."settings" -> 'totalHours' is distinct from new."settings" -> 'totalHours') execute function "note_school"()`,
  // schools that are there already are reckoned as a whole by the first run of the job
  `insert into "statChange" ("schoolId", "scKind") select "schoolId", 'A' from "school"`,
]
