import { sql, type Kysely } from 'kysely'

/** Questions and reports about the results of courses (DOMAIN 1.2 G, 3.11), and the rounds of public notice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // targetSuId: whose record is questioned; null is the course as a whole. qOutcome: what was done about one that is justified.
  // beforeResult, afterResult: the record in words; creditDelta in signed hundredths of hours. openKey: what only one open question may be about.
  `create table "question" ("schoolId" text not null references "school", "qId" uuid not null, "liId" uuid not null, "targetSuId" uuid, "reporterSuId" uuid not null, "qType" text not null, "qContent" text not null, "qAward" text not null default '',
     "qProofs" uuid[] not null default '{}', "qStatus" text not null default '0', "source" text not null default '1', "importBatchId" uuid, "deadline" timestamptz not null, "acceptName" text not null default '', "acceptTime" timestamptz,
     "opinion" text not null default '', "handleName" text not null default '', "handleTime" timestamptz, "qOutcome" text, "outcomeOpinion" text not null default '', "outcomeName" text not null default '', "outcomeTime" timestamptz,
     "beforeResult" text not null default '', "afterResult" text not null default '', "creditDelta" int not null default 0, "credibilityDelta" int not null default 0,
     "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0, "delFlag" text not null default '0',
     primary key ("schoolId", "qId"), foreign key ("schoolId", "liId") references "lesson", foreign key ("schoolId", "targetSuId") references "person", foreign key ("schoolId", "reporterSuId") references "person")`,
  `create unique index "question_open" on "question" ("schoolId", "liId", coalesce("targetSuId", "reporterSuId"), ("targetSuId" is null)) where "delFlag" = '0' and ("qStatus" in ('0', '1', '5') or ("qStatus" = '2' and "qOutcome" is null))`,
  `create index "question_list" on "question" ("schoolId", "createTime" desc, "qId") where "delFlag" = '0'`,
  `create index "question_lesson" on "question" ("schoolId", "liId", "qStatus")`,
  `create index "question_due" on "question" ("deadline") where "qStatus" = '0' and "delFlag" = '0'`,
  `create index on "question" ("schoolId", "targetSuId")`,
  `create index on "question" ("schoolId", "reporterSuId")`,

  // every time a result was put into public notice, and how that ended: 1 running, 2 over, 4 revoked
  `create table "publictyRound" ("schoolId" text not null, "liId" uuid not null, "roundNo" int not null, "liPublictySdate" timestamptz not null, "liPublictyEdate" timestamptz not null, "publictyStatus" text not null default '1',
     "startName" text not null default '', "startTime" timestamptz not null default now(), "endName" text not null default '', "endTime" timestamptz, "endReason" text not null default '',
     primary key ("schoolId", "liId", "roundNo"), foreign key ("schoolId", "liId") references "lesson" on delete cascade)`,
]
