import { sql, type Kysely } from 'kysely'

/** Courses, the people in them, supplement records, and the ledger that a transcript is read from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const edited = `
  "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
  "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0`

const statements = [
  // liStatus: DOMAIN 1.2 A. liCollegeId and liDepartmentId say whose course it is (data scope). Counters are kept in the transaction that changes them.
  `create table "lesson" ("schoolId" text not null references "school", "liId" uuid not null, "liNo" text not null, "liName" text not null, "lsId" uuid not null, "lsPath" uuid[] not null,
     "liStatus" text not null default '0', "liLevel" text not null, "isQuestionedAudit" text not null default '1', "liKind" text not null default '3', "liForm" text not null default '1', "itemCategory" text not null default '0', "parentLiId" uuid,
     "liScheme" text not null default 'standard', "liExt" jsonb not null default '{}', "liPoster" uuid, "liIntro" text not null default '', "liPlan" uuid, "liAttachments" uuid[] not null default '{}',
     "liCollegeId" uuid, "liDepartmentId" uuid, "liSponsorName" text not null default '', "liPrincipalId" uuid not null, "liPrincipalName" text not null default '', "contactName" text not null default '', "contactPhone" text not null default '',
     "campus" text not null default '', "placeText" text not null default '', "applyWay" text not null default '2', "applyUnit" text not null default '1', "quota" int not null check ("quota" between 1 and 100000), "waitlistOn" text not null default '0',
     "rangeColleges" uuid[] not null default '{}', "rangeGrades" text[] not null default '{}',
     "applyStart" timestamptz, "applyEnd" timestamptz, "startTime" timestamptz not null, "endTime" timestamptz not null, "signType" text[] not null default '{}', "lateMinutes" int not null default 15, "signOutOn" text not null default '0',
     "liHours" int not null default 0, "liCredit" int not null default 0, "liPoints" int not null default 0, "atId" uuid, "esId" uuid,
     "publictyDays" int not null default 3, "liPublictySdate" timestamptz, "liPublictyEdate" timestamptz,
     "applyCount" int not null default 0, "pendingCount" int not null default 0, "passCount" int not null default 0 check ("passCount" >= 0), "signCount" int not null default 0, "resultCount" int not null default 0,
     "resultSummary" text not null default '', "exitReason" text not null default '', "publishTime" timestamptz, "publishBy" uuid, "completeTime" timestamptz, "delFlag" text not null default '0', ${edited},
     primary key ("schoolId", "liId"), unique ("schoolId", "liNo"), foreign key ("schoolId", "lsId") references "curriculum", foreign key ("schoolId", "liLevel") references "lessonLevel",
     foreign key ("schoolId", "liCollegeId") references "college", foreign key ("schoolId", "liDepartmentId") references "department", foreign key ("schoolId", "liPrincipalId") references "person",
     foreign key ("schoolId", "atId") references "awardTemplate", foreign key ("schoolId", "esId") references "evaluation", check ("endTime" > "startTime"))`,
  `create index "lesson_list" on "lesson" ("schoolId", "createTime" desc, "liId") where "delFlag" = '0'`,
  `create index "lesson_status" on "lesson" ("schoolId", "liStatus", "createTime" desc) where "delFlag" = '0'`,
  `create index "lesson_college" on "lesson" ("schoolId", "liCollegeId", "createTime" desc) where "delFlag" = '0'`,
  `create index "lesson_path" on "lesson" using gin ("lsPath")`,
  `create index "lesson_name_chars" on "lesson" using gin (chars("liName"))`,
  `create index "lesson_principal" on "lesson" ("schoolId", "liPrincipalId")`,
  `create index "lesson_creator" on "lesson" ("schoolId", "createBy")`,
  `create index "lesson_publicity" on "lesson" ("liPublictyEdate") where "liStatus" = '60'`,

  // lpRole: teacher (guides it), signer (may take attendance), organiser
  `create table "lessonPerson" ("schoolId" text not null, "liId" uuid not null, "suId" uuid not null, "lpRole" text not null, primary key ("schoolId", "liId", "lpRole", "suId"),
     foreign key ("schoolId", "liId") references "lesson" on delete cascade, foreign key ("schoolId", "suId") references "person")`,
  `create index on "lessonPerson" ("schoolId", "suId", "lpRole")`,
  `create table "lessonSession" ("schoolId" text not null, "liId" uuid not null, "lseNo" int not null, "startTime" timestamptz not null, "endTime" timestamptz not null, "placeText" text not null default '', "codeSecret" bytea not null,
     primary key ("schoolId", "liId", "lseNo"), foreign key ("schoolId", "liId") references "lesson" on delete cascade)`,

  // one row a student and course; laStatus, laSignStatus, laResult: DOMAIN 1.2 B-D
  `create table "registration" ("schoolId" text not null, "laId" uuid not null, "liId" uuid not null, "suId" uuid not null, "laStatus" text not null default '0', "applyTime" timestamptz not null default now(), "applyFrom" text not null default 'import',
     "auditBy" uuid, "auditTime" timestamptz, "refuseReason" text not null default '', "waitNo" int, "partakeMode" text not null default '1',
     "signInTime" timestamptz, "signOutTime" timestamptz, "signMethod" text, "signBy" uuid, "laSignStatus" text not null default '0', "signReason" text not null default '',
     "laResult" text not null default '0', "adId" uuid, "awardName" text not null default '', "laHours" int not null default 0, "laCredit" int not null default 0, "laPoints" int not null default 0,
     "remark" text not null default '', "importBatchId" uuid, "delFlag" text not null default '0', "updateTime" timestamptz not null default now(), "version" int not null default 0,
     primary key ("schoolId", "laId"), foreign key ("schoolId", "liId") references "lesson", foreign key ("schoolId", "suId") references "person")`,
  `create unique index "registration_once" on "registration" ("schoolId", "liId", "suId") where "delFlag" = '0'`,
  `create index "registration_list" on "registration" ("schoolId", "liId", "applyTime", "laId") where "delFlag" = '0'`,
  `create index "registration_person" on "registration" ("schoolId", "suId") where "delFlag" = '0'`,

  // experiences outside the system; statuses: DOMAIN 1.2 H
  `create table "supplement" ("schoolId" text not null references "school", "lisId" uuid not null, "lisName" text not null, "suId" uuid not null, "lsId" uuid not null, "lsPath" uuid[] not null, "lisType" text not null, "lisLevel" text not null,
     "lisPartakeMode" text not null default '1', "lisAward" text not null default '', "lisOrg" text not null default '', "lisObtainDate" date not null, "certNo" text not null default '', "lisTeamSize" int, "lisRank" int, "lisProofs" uuid[] not null default '{}',
     "lisDesc" text not null default '', "lisHours" int not null default 0, "lisCredit" int not null default 0, "lisPoints" int not null default 0, "lisStatus" text not null default '0', "refuseReason" text not null default '',
     "lisPublictySdate" timestamptz, "lisPublictyEdate" timestamptz, "lisPublictyStatus" text not null default '0', "source" text not null default '1', "importBatchId" uuid, "delFlag" text not null default '0', ${edited},
     primary key ("schoolId", "lisId"), foreign key ("schoolId", "suId") references "person", foreign key ("schoolId", "lsId") references "curriculum", foreign key ("schoolId", "lisLevel") references "lessonLevel")`,
  `create index "supplement_list" on "supplement" ("schoolId", "createTime" desc, "lisId") where "delFlag" = '0'`,
  `create index "supplement_person" on "supplement" ("schoolId", "suId")`,
  `create index "supplement_name_chars" on "supplement" using gin (chars("lisName"))`,

  // Append-only. clType: 1 hours, 2 credit, 3 points, 4 volunteer hours, 5 ability (with sqlId). clValue in signed hundredths.
  // source: LESSON, SUP, CONVERT, ADJUST, REVERSE; explain says how the value came about.
  `create table "creditLedger" ("schoolId" text not null, "clId" uuid not null, "suId" uuid not null, "clType" text not null, "lsId" uuid not null, "moduleId" uuid not null, "sqlId" uuid, "clValue" int not null, "source" text not null, "bizId" uuid not null, "bizName" text not null,
     "ruleVersion" int not null default 1, "explain" jsonb not null, "occurTime" timestamptz not null, "grantedAt" timestamptz not null default now(), "grantedBy" uuid, "reverseOf" uuid,
     primary key ("schoolId", "clId"), foreign key ("schoolId", "suId") references "person")`,
  `create unique index "creditLedger_once" on "creditLedger" ("schoolId", "suId", "source", "bizId", "clType", coalesce("sqlId", '00000000-0000-0000-0000-000000000000'), coalesce("reverseOf", '00000000-0000-0000-0000-000000000000'))`,
  `create index "creditLedger_biz" on "creditLedger" ("schoolId", "bizId")`,
  // the score list across students reads one row (the hours) a record
  `create index "creditLedger_score" on "creditLedger" ("schoolId", "occurTime" desc, "clId") include ("suId") where "clType" = '1' and "reverseOf" is null`,
  `create index "creditLedger_name_chars" on "creditLedger" using gin (chars("bizName")) where "clType" = '1'`,
  `create trigger "creditLedger_append_only" before update or delete on "creditLedger" for each row execute function refuse_change()`,
  `create trigger "creditLedger_no_truncate" before truncate on "creditLedger" execute function refuse_change()`,
]
