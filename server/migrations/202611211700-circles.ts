import { sql, type Kysely } from 'kysely'

/** Circles (clubs) with their teachers, members, applications and yearly reviews; a course may be held by a circle. Statuses: DOMAIN 1.2 I. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const edited = `
  "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
  "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0`

const statements = [
  `create table "circleClass" ("schoolId" text not null references "school", "ccId" uuid not null, "ccName" text not null, "ccSort" int not null default 0, ${edited}, primary key ("schoolId", "ccId"), unique ("schoolId", "ccName"))`,
  // schools that are there already begin with the same kinds as new ones (server/setup/seeds.ts)
  `insert into "circleClass" ("schoolId", "ccId", "ccName", "ccSort") select s."schoolId", gen_random_uuid(), k."name", k."at" - 1
     from "school" s cross join unnest(array['思想政治类', '学术科技类', '创新创业类', '文化体育类', '志愿公益类', '自律互助类', '其他']) with ordinality k("name", "at")`,

  // one column for the person in charge: there is exactly one. ciCollegeId and guideUnitId say whose circle it is (data scope).
  `create table "circle" ("schoolId" text not null references "school", "ciId" uuid not null, "ciNo" text not null, "ciName" text not null, "ciClass" uuid not null, "ciLevel" text not null default '1', "ciCollegeId" uuid, "guideUnitId" uuid,
     "ciDesc" text not null default '', "imgList" uuid[] not null default '{}', "charterFile" uuid, "cpiPersonId" uuid not null, "foundDate" date, "memberMax" int check ("memberMax" > 0), "joinMode" text not null default '2',
     "ciStatus" text not null default '0', "ciAuthStatus" text not null default '0', "reason" text not null default '', "delFlag" text not null default '0', ${edited},
     primary key ("schoolId", "ciId"), unique ("schoolId", "ciNo"), foreign key ("schoolId", "ciClass") references "circleClass", foreign key ("schoolId", "ciCollegeId") references "college",
     foreign key ("schoolId", "guideUnitId") references "department", foreign key ("schoolId", "cpiPersonId") references "person")`,
  `create unique index "circle_name" on "circle" ("schoolId", "ciName") where "delFlag" = '0' and "ciStatus" <> '9'`,
  `create index "circle_list" on "circle" ("schoolId", "createTime" desc, "ciId") where "delFlag" = '0'`,
  `create index "circle_leader" on "circle" ("schoolId", "cpiPersonId")`,
  `create index "circle_class" on "circle" ("schoolId", "ciClass")`,
  `create table "circleTeacher" ("schoolId" text not null, "ciId" uuid not null, "suId" uuid not null, primary key ("schoolId", "ciId", "suId"), foreign key ("schoolId", "ciId") references "circle" on delete cascade, foreign key ("schoolId", "suId") references "person")`,
  `create index on "circleTeacher" ("schoolId", "suId")`,
  // quitTime null: a member now; who comes back gets a row of his own
  `create table "circleMember" ("schoolId" text not null, "cpiId" uuid not null, "ciId" uuid not null, "suId" uuid not null, "cmRole" text not null default '5', "joinTime" timestamptz not null default now(), "quitTime" timestamptz,
     primary key ("schoolId", "cpiId"), foreign key ("schoolId", "ciId") references "circle" on delete cascade, foreign key ("schoolId", "suId") references "person")`,
  `create unique index "circleMember_once" on "circleMember" ("schoolId", "ciId", "suId") where "quitTime" is null`,
  `create index on "circleMember" ("schoolId", "suId")`,

  // one open application for a circle and a person: the pair names it
  `create table "circleApply" ("schoolId" text not null, "caId" uuid not null, "caType" text not null, "ciId" uuid not null, "cpiPersonId" uuid not null, "ciAuthStatus" text not null default '0', "applyReason" text not null default '',
     "materials" uuid[] not null default '{}', "crYear" int, "crResult" text, "applyBy" uuid, "applyName" text not null default '', "applyTime" timestamptz not null default now(),
     "auditBy" uuid, "auditName" text not null default '', "auditTime" timestamptz, "reason" text not null default '',
     primary key ("schoolId", "caId"), foreign key ("schoolId", "ciId") references "circle", foreign key ("schoolId", "cpiPersonId") references "person")`,
  `create unique index "circleApply_open" on "circleApply" ("schoolId", "ciId", "cpiPersonId") where "ciAuthStatus" = '0'`,
  `create index "circleApply_list" on "circleApply" ("schoolId", "applyTime" desc, "caId")`,
  `create table "circleReview" ("schoolId" text not null, "ciId" uuid not null, "crYear" int not null, "crResult" text not null, "activityCount" int not null default 0, "caId" uuid not null, "reviewTime" timestamptz not null default now(),
     primary key ("schoolId", "ciId", "crYear"), foreign key ("schoolId", "ciId") references "circle")`,

  `alter table "lesson" add column "liCircleId" uuid`,
  `alter table "lesson" add constraint "lesson_circle_fkey" foreign key ("schoolId", "liCircleId") references "circle" not valid`,
  `create index "lesson_circle" on "lesson" ("schoolId", "liCircleId") where "liCircleId" is not null`,
]
