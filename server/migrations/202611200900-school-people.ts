import { sql, type Kysely } from 'kysely'

/** Schools, organisation, people, accounts, roles. `schoolId` leads every key: the school is the tenant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Columns of every table that people edit. */
const edited = `
  "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
  "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0`

const statements = [
  // the distinct characters of a text, for substring search by GIN index (Chinese words are too short for trigrams)
  `create function chars(t text) returns text[] language sql immutable parallel safe as $$ select string_to_array(lower(t), null) $$`,

  // rows of an append-only table stay as they were written
  `create function refuse_change() returns trigger language plpgsql as $$
   begin raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000'; end $$`,

  `create table "school" (
     "schoolId" text primary key check ("schoolId" ~ '^[a-zA-Z0-9_-]{1,32}$'), "schName" text not null, "schCode" text not null default '',
     "schMotto" text not null default '', "address" text not null default '', "phone" text not null default '',
     "logoFileId" uuid, "badgeFileId" uuid, "sealFileId" uuid,
     "features" jsonb not null default '{}', "settings" jsonb not null default '{}', "dictVersion" int not null default 1, ${edited})`,

  `create table "term" ("schoolId" text not null references "school", "tmId" uuid not null, "tmName" text not null,
     "tmStart" date not null, "tmEnd" date not null, primary key ("schoolId", "tmId"), unique ("schoolId", "tmName"), check ("tmEnd" > "tmStart"))`,

  // a day that is no working day although it is a weekday (hdKind 0), or the other way round (1)
  `create table "holiday" ("schoolId" text not null references "school", "hdDate" date not null, "hdName" text not null, "hdKind" text not null default '0', primary key ("schoolId", "hdDate"))`,

  `create table "college" ("schoolId" text not null references "school", "scId" uuid not null, "scName" text not null, "scCode" text not null,
     "scShort" text not null default '', "scType" text not null default '学院', "scLeader" text not null default '', "scPhone" text not null default '',
     "scSort" int not null default 0, "enable" text not null default '1', ${edited},
     primary key ("schoolId", "scId"), unique ("schoolId", "scName"), unique ("schoolId", "scCode"))`,

  `create table "major" ("schoolId" text not null, "smId" uuid not null, "smName" text not null, "smCode" text not null, "scId" uuid not null,
     "eduLevel" text not null default '2', "years" int not null default 4, "scSort" int not null default 0, ${edited},
     primary key ("schoolId", "smId"), unique ("schoolId", "smCode"), unique ("schoolId", "scId", "smName"),
     foreign key ("schoolId", "scId") references "college")`,

  `create table "schoolClass" ("schoolId" text not null, "scClassId" uuid not null, "scClassName" text not null, "scClassCode" text not null default '',
     "scId" uuid not null, "smId" uuid not null, "scClassGrade" text not null, "scClassSort" int not null default 0,
     "counselorId" uuid, "headTeacherId" uuid, ${edited},
     primary key ("schoolId", "scClassId"), unique ("schoolId", "smId", "scClassGrade", "scClassName"),
     foreign key ("schoolId", "scId") references "college", foreign key ("schoolId", "smId") references "major")`,
  `create index on "schoolClass" ("schoolId", "scId", "scClassGrade")`,

  `create table "department" ("schoolId" text not null references "school", "sdId" uuid not null, "sdName" text not null, "sdCode" text not null,
     "sdPid" uuid, "sdType" text not null default '1', "sdLeaderId" uuid, "isGuideUnit" text not null default '0', "sdSort" int not null default 0, ${edited},
     primary key ("schoolId", "sdId"), unique ("schoolId", "sdCode"), unique nulls not distinct ("schoolId", "sdPid", "sdName"),
     foreign key ("schoolId", "sdPid") references "department")`,

  // one row a person, students (suiType 1), teachers (2) and other staff (3) alike; suId is also the key of the account
  `create table "person" ("schoolId" text not null references "school", "suId" uuid not null, "suiType" text not null,
     "suiName" text not null, "suiNumber" text not null, "suiSex" text not null default '0', "birth" date, "suiNation" text, "suiPolitical" text,
     "suiIdType" text, "suiIdCard" bytea, "suiIdCardHash" bytea, "suiPhone" bytea, "suiPhoneHash" bytea, "suiEmail" text, "suiPhoto" uuid,
     "provinceId" text, "cityId" text, "areaId" text, "suiAddress" text,
     "suiCollegeId" uuid, "majorId" uuid, "scClassId" uuid, "suiGrade" text, "suiEduLevel" text, "suiStudyYears" int,
     "suiEnterDate" date, "suiGraduateDate" date, "suiStatus" text not null default '1', "suiCampus" text,
     "suiCredibility" int not null default 100 check ("suiCredibility" >= 0), "blackUntil" timestamptz,
     "title" text, "teacherType" text, "post" text, "specialty" text, "remark" text,
     "importBatchId" uuid, "delFlag" text not null default '0', ${edited},
     primary key ("schoolId", "suId"),
     foreign key ("schoolId", "suiCollegeId") references "college", foreign key ("schoolId", "majorId") references "major",
     foreign key ("schoolId", "scClassId") references "schoolClass")`,
  `create unique index "person_number" on "person" ("schoolId", "suiNumber") where "delFlag" = '0'`,
  // in the order of the list and with the key of each row, so that its pages and its count read nothing else
  `create index "person_list" on "person" ("schoolId", "suiType", "suiNumber", "suId") where "delFlag" = '0'`,
  `create index "person_removed" on "person" ("schoolId", "suId") where "delFlag" <> '0'`,
  `create index "person_college" on "person" ("schoolId", "suiType", "suiCollegeId", "suiGrade") where "delFlag" = '0'`,
  `create index "person_class" on "person" ("schoolId", "scClassId") where "delFlag" = '0'`,
  `create index "person_major" on "person" ("schoolId", "majorId") where "delFlag" = '0'`,
  `create index "person_name_chars" on "person" using gin (chars("suiName"))`,
  `create index "person_number_chars" on "person" using gin (chars("suiNumber"))`,
  `create index "person_phone" on "person" ("schoolId", "suiPhoneHash") where "suiPhoneHash" is not null`,
  `create index "person_idcard" on "person" ("schoolId", "suiIdCardHash") where "suiIdCardHash" is not null`,
  `create index "person_batch" on "person" ("schoolId", "importBatchId") where "importBatchId" is not null`,

  `create table "departmentUser" ("schoolId" text not null, "sdId" uuid not null, "suId" uuid not null, "post" text not null default '', "sdSort" int not null default 0,
     primary key ("schoolId", "sdId", "suId"), foreign key ("schoolId", "sdId") references "department" on delete cascade, foreign key ("schoolId", "suId") references "person" on delete cascade)`,
  `create index on "departmentUser" ("schoolId", "suId")`,

  // suLoginName is kept folded (NFKC, lower case), so variants of a name are one account
  `create table "account" ("schoolId" text not null, "suId" uuid not null, "suLoginName" text not null, "suNickname" text not null, "suType" text not null,
     "suStatus" text not null default '1', "passwordHash" text not null, "mustChangePwd" boolean not null default true, "policyUnverified" boolean not null default false,
     "initialUntil" timestamptz, "pwdUpdateTime" timestamptz, "lastLoginTime" timestamptz, "lastLoginIp" text, "totpSecret" text, "noticeVersion" int,
     "createTime" timestamptz not null default now(), "updateTime" timestamptz not null default now(),
     primary key ("schoolId", "suId"), unique ("schoolId", "suLoginName"), foreign key ("schoolId", "suId") references "person" on delete cascade)`,
  `create table "passwordHistory" ("schoolId" text not null, "suId" uuid not null, "passwordHash" text not null, "setTime" timestamptz not null default now(),
     foreign key ("schoolId", "suId") references "account" on delete cascade)`,
  `create index on "passwordHistory" ("schoolId", "suId", "setTime")`,

  // opaque tokens: only the SHA-256 is kept, so a copy of this table signs nobody in
  `create table "session" ("sessionId" uuid primary key, "schoolId" text not null, "suId" uuid not null, "accessHash" bytea not null unique, "refreshHash" bytea unique,
     "usedRefreshHash" bytea, "refreshedTime" timestamptz, "createTime" timestamptz not null, "lastSeen" timestamptz not null, "absoluteExpiry" timestamptz not null, "ip" text not null, "agent" text not null,
     foreign key ("schoolId", "suId") references "account" on delete cascade)`,
  `create index on "session" ("schoolId", "suId", "createTime")`,
  `create index on "session" ("absoluteExpiry")`,
  `create index on "session" ("usedRefreshHash") where "usedRefreshHash" is not null`,

  // counters of failed tries, for known and unknown names alike
  `create table "loginCounter" ("counterKey" text primary key, "failures" int not null, "windowStart" timestamptz not null, "lockedUntil" timestamptz, "locks" int not null default 0)`,
  `create table "resetRequest" ("rqId" uuid primary key, "schoolId" text not null, "suId" uuid not null, "codeHash" bytea not null, "tries" int not null default 0,
     "expireTime" timestamptz not null, "usedTime" timestamptz, "createTime" timestamptz not null, foreign key ("schoolId", "suId") references "account" on delete cascade)`,
  `create index on "resetRequest" ("schoolId", "suId", "createTime")`,

  // dataScope: 1 whole school, 2 college, 3 major, 4 class, 5 curriculum subtree, 6 department, 9 own records only
  `create table "role" ("schoolId" text not null references "school", "srId" uuid not null, "srName" text not null, "srCode" text not null, "srType" text not null default '2',
     "srDesc" text not null default '', "srSort" int not null default 0, "enable" text not null default '1', "dataScope" text not null default '9',
     "permits" text[] not null default '{}', ${edited}, primary key ("schoolId", "srId"), unique ("schoolId", "srName"), unique ("schoolId", "srCode"))`,
  `create table "roleUser" ("schoolId" text not null, "srId" uuid not null, "suId" uuid not null, "grantedBy" uuid, "grantTime" timestamptz not null default now(), "importBatchId" uuid,
     primary key ("schoolId", "srId", "suId"), foreign key ("schoolId", "srId") references "role", foreign key ("schoolId", "suId") references "account" on delete cascade)`,
  `create index on "roleUser" ("schoolId", "suId")`,
  // the control area of a member of a role, one target a row; caType: college, major, class, grade, curriculum, department
  `create table "controlArea" ("schoolId" text not null, "srId" uuid not null, "suId" uuid not null, "caType" text not null, "caTarget" text not null,
     primary key ("schoolId", "srId", "suId", "caType", "caTarget"), foreign key ("schoolId", "srId", "suId") references "roleUser" on delete cascade)`,

  `create table "credibilityLog" ("schoolId" text not null, "cgId" uuid not null, "suId" uuid not null, "change" int not null, "before" int not null, "after" int not null,
     "reasonCode" text not null, "reason" text not null, "liId" uuid, "restoreOf" uuid, "operatorId" uuid, "operatorName" text not null, "createTime" timestamptz not null default now(),
     primary key ("schoolId", "cgId"), foreign key ("schoolId", "suId") references "person")`,
  `create index on "credibilityLog" ("schoolId", "suId", "createTime")`,
]
