import { sql, type Kysely } from 'kysely'

/** Warning of students who fall behind: what is expected of a year by when, how each student stands, who was told, and who helps (DOMAIN 3.22, 4.8). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // a constant default: no rewrite of the table
  `alter table "person" add column "warnLevel" text not null default '0'`,
  `create index "person_warn" on "person" ("schoolId", "warnLevel") where "warnLevel" <> '0'`,
  // tbTarget module (then lsId), total, volunteer, credibility. required, warn1 >= warn2 >= warn3 in whole hundredths: who has less than warnN is warned at level N
  `create table "thresholdBase" ("schoolId" text not null references "school", "tbId" uuid not null, "grade" text not null, "tbTarget" text not null, "lsId" uuid, "checkpointTerm" int not null check ("checkpointTerm" between 1 and 16), "required" int not null, "warn1" int not null, "warn2" int not null, "warn3" int not null,
     "enable" text not null default '1', "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0, primary key ("schoolId", "tbId"),
     foreign key ("schoolId", "lsId") references "curriculum", check ("required" >= "warn1" and "warn1" >= "warn2" and "warn2" >= "warn3" and "warn3" >= 0), check (("tbTarget" = 'module') = ("lsId" is not null)))`,
  `create unique index "thresholdBase_once" on "thresholdBase" ("schoolId", "grade", "tbTarget", coalesce("lsId", '00000000-0000-0000-0000-000000000000'), "checkpointTerm")`,

  // one row a student in school, rewritten by the nightly job where something changed. gaps [{key, name, level, required, have, gap, forecast}] in hundredths; missing: modules short of what is expected next
  `create table "studentWarning" ("schoolId" text not null, "suId" uuid not null, "warnLevel" text not null, "termNo" int not null, "have" jsonb not null, "gaps" jsonb not null, "missing" uuid[] not null default '{}', "totalHave" int not null, "totalNeed" int not null, "totalGap" int not null, "finalGap" int not null,
     "zeroTerm" boolean not null default false, "ruleKey" text not null, "calcTime" timestamptz not null, "levelSince" timestamptz not null, "lastPromptTime" timestamptz, "promptCount" int not null default 0, "helpCount" int not null default 0, "lastHelpTime" timestamptz, "helperName" text not null default '',
     primary key ("schoolId", "suId"), foreign key ("schoolId", "suId") references "person")`,
  `create index "studentWarning_level" on "studentWarning" ("schoolId", "warnLevel", "totalGap" desc)`,
  // when a school was last reckoned whole
  `create table "thresholdRun" ("schoolId" text not null references "school", "runTime" timestamptz not null, "studentCount" int not null, "changedCount" int not null, "worsenedCount" int not null, primary key ("schoolId"))`,
  // what the nightly job looks for: entries since it last ran
  `create index "creditLedger_granted" on "creditLedger" ("schoolId", "grantedAt")`,

  `create table "thresholdPrompt" ("schoolId" text not null, "tpId" uuid not null, "suId" uuid not null, "warnLevel" text not null, "gapText" text not null, "content" text not null, "iiId" uuid, "createBy" uuid, "createName" text not null default '', "promptTime" timestamptz not null default now(), primary key ("schoolId", "tpId"),
     foreign key ("schoolId", "suId") references "person")`,
  `create index "thresholdPrompt_person" on "thresholdPrompt" ("schoolId", "suId", "promptTime" desc)`,
  `create index "thresholdPrompt_time" on "thresholdPrompt" ("schoolId", "promptTime" desc, "tpId")`,
  // helpWay: talk, activity plan, other
  `create table "thresholdHelp" ("schoolId" text not null, "thId" uuid not null, "suId" uuid not null, "helpDate" date not null, "helpWay" text not null, "helpContent" text not null, "helperName" text not null, "delFlag" text not null default '0',
     "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0, primary key ("schoolId", "thId"), foreign key ("schoolId", "suId") references "person")`,
  `create index "thresholdHelp_person" on "thresholdHelp" ("schoolId", "suId", "helpDate" desc) where "delFlag" = '0'`,
]
