import { sql, type Kysely } from 'kysely'

/** What a school configures: curriculum, levels, evaluation, labels, awards, workflows. Amounts are whole hundredths. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const edited = `
  "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
  "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0`

const statements = [
  // lsPath holds the ids from the module down to the node itself; lsType: 1 course, 2 supplement, 3 both
  `create table "curriculum" ("schoolId" text not null references "school", "lsId" uuid not null, "lsPid" uuid, "lsPath" uuid[] not null, "lsName" text not null, "lsCode" text not null default '',
     "lsType" text not null default '3', "lsSort" int not null default 0, "lsColor" text not null default '', "required" text not null default '1',
     "minHours" int not null default 0, "maxHours" int, "termCap" int, "ownerRoleId" uuid, "allowLevels" text[] not null default '{}',
     "lsFormScheme" text not null default 'standard', "enable" text not null default '1', ${edited},
     primary key ("schoolId", "lsId"), unique nulls not distinct ("schoolId", "lsPid", "lsName"), foreign key ("schoolId", "lsPid") references "curriculum",
     foreign key ("schoolId", "ownerRoleId") references "role", check (cardinality("lsPath") between 1 and 3))`,
  `create index on "curriculum" using gin ("lsPath")`,

  // llFactor: whole hundredths by which points of an activity of this level count
  `create table "lessonLevel" ("schoolId" text not null references "school", "llId" text not null, "llName" text not null, "llFactor" int not null default 100, "llSort" int not null default 0,
     "enable" text not null default '1', primary key ("schoolId", "llId"), unique ("schoolId", "llName"))`,

  `create table "qualityLabel" ("schoolId" text not null references "school", "sqlId" uuid not null, "sqlPid" uuid, "sqlName" text not null, "sqlCode" text not null default '', "sqlDesc" text not null default '',
     "sqlColor" text not null default '', "sqlSort" int not null default 0, "platformId" text, "fullScore" int not null default 10000, "enable" text not null default '1', ${edited},
     primary key ("schoolId", "sqlId"), unique ("schoolId", "sqlName"))`,

  // One scoring rule per (system, level), in versions; a course keeps the version it was created under.
  // awardRules [{adName, hours, credit, points}], abilityRules [{sqlId, weight}] with weights summing to 100; amounts in hundredths
  `create table "evaluation" ("schoolId" text not null, "esId" uuid not null, "esName" text not null default '', "lsId" uuid not null, "esLessonLevel" text not null, "versionNo" int not null default 1,
     "current" boolean not null default true, "baseHours" int not null default 0, "hourCap" int, "credit" int not null default 0, "points" int not null default 0,
     "modeRules" jsonb not null default '[]', "awardRules" jsonb not null default '[]', "abilityRules" jsonb not null default '[]', "effectFrom" date not null default current_date, "effectTo" date, "enable" text not null default '1', ${edited},
     primary key ("schoolId", "esId"), unique ("schoolId", "lsId", "esLessonLevel", "versionNo"),
     foreign key ("schoolId", "lsId") references "curriculum", foreign key ("schoolId", "esLessonLevel") references "lessonLevel")`,
  `create unique index "evaluation_current" on "evaluation" ("schoolId", "lsId", "esLessonLevel") where "current"`,

  `create table "awardTemplate" ("schoolId" text not null references "school", "atId" uuid not null, "atName" text not null, "atType" text not null default '1', "atDesc" text not null default '', "enable" text not null default '1', ${edited},
     primary key ("schoolId", "atId"), unique ("schoolId", "atName"))`,
  // quotaType: 0 none, 1 persons, 2 per cent of the participants
  `create table "awardDetail" ("schoolId" text not null, "adId" uuid not null, "atId" uuid not null, "adName" text not null, "hours" int not null default 0, "credit" int not null default 0, "points" int not null default 0,
     "quotaType" text not null default '0', "quota" int, "needProof" text not null default '0', "adSort" int not null default 0, "delFlag" text not null default '0',
     primary key ("schoolId", "adId"), foreign key ("schoolId", "atId") references "awardTemplate")`,
  `create unique index "awardDetail_name" on "awardDetail" ("schoolId", "atId", "adName") where "delFlag" = '0'`,

  `create table "workflowCategory" ("schoolId" text not null references "school", "wfcId" uuid not null, "wfcName" text not null, "wfcSort" int not null default 0, ${edited},
     primary key ("schoolId", "wfcId"), unique ("schoolId", "wfcName"))`,
  // Empty ranges mean "all". A running instance keeps the steps it started with, so editing never touches it.
  `create table "workflow" ("schoolId" text not null, "wfId" uuid not null, "wfName" text not null, "wfType" text not null, "wfIcon" text not null default '', "wfDesc" text not null default '', "wfcId" uuid not null,
     "wfStatus" text not null default '1', "wfVersion" int not null default 1, "isDefault" text not null default '0', "roleIds" uuid[] not null default '{}', "lsIds" uuid[] not null default '{}', "levels" text[] not null default '{}', ${edited},
     primary key ("schoolId", "wfId"), unique ("schoolId", "wfName"), foreign key ("schoolId", "wfcId") references "workflowCategory")`,
  `create table "workflowStep" ("schoolId" text not null, "wfsId" uuid not null, "wfId" uuid not null, "wfsNodeName" text not null, "wfsStepName" text not null, "wfsStepType" text not null, "wfsCheckerType" text not null,
     "wfsSort" int not null, "timeoutHours" int, "timeoutAction" text not null default '0', "noApproverPolicy" text not null default 'block',
     primary key ("schoolId", "wfsId"), unique ("schoolId", "wfId", "wfsNodeName", "wfsSort"), foreign key ("schoolId", "wfId") references "workflow" on delete cascade)`,
  // the chosen checkers of a step: person, role or department ids, as the step's checker type says
  `create table "workflowChecker" ("schoolId" text not null, "wfsId" uuid not null, "wfcCheckerId" uuid not null, "wfcNodeName" text not null default '', "wfcSort" int not null default 0,
     primary key ("schoolId", "wfsId", "wfcCheckerId"), foreign key ("schoolId", "wfsId") references "workflowStep" on delete cascade)`,

  // One running or ended approval. steps: the snapshot it runs by. Only one may run for a matter at a time.
  `create table "approval" ("schoolId" text not null, "insId" uuid not null, "bizType" text not null, "bizId" uuid not null, "bizName" text not null, "summary" text not null default '', "wfId" uuid not null, "wfName" text not null, "wfVersion" int not null,
     "nodeName" text not null, "insStatus" text not null default '0', "stepSort" int not null default 1, "steps" jsonb not null, "changes" jsonb not null default '[]', "startBy" uuid not null, "startName" text not null,
     "scopeCollegeId" uuid, "startTime" timestamptz not null default now(), "endTime" timestamptz, "version" int not null default 0, primary key ("schoolId", "insId"))`,
  `create unique index "approval_running" on "approval" ("schoolId", "bizType", "bizId") where "insStatus" = '0'`,
  `create index on "approval" ("schoolId", "bizId", "startTime")`,
  `create index on "approval" ("schoolId", "wfId") where "insStatus" = '0'`,
  `create table "approvalTask" ("schoolId" text not null, "taskId" uuid not null, "insId" uuid not null, "bizType" text not null, "stepSort" int not null, "stepName" text not null, "checkerId" uuid not null, "checkerName" text not null,
     "taskStatus" text not null default '0', "opinion" text not null default '', "arriveTime" timestamptz not null default now(), "dueTime" timestamptz, "handleTime" timestamptz, "onBehalfOf" uuid,
     primary key ("schoolId", "taskId"), foreign key ("schoolId", "insId") references "approval")`,
  `create unique index "approvalTask_once" on "approvalTask" ("schoolId", "insId", "stepSort", "checkerId") where "taskStatus" in ('0', '1', '2')`,
  `create index "approvalTask_queue" on "approvalTask" ("schoolId", "checkerId", "bizType", "taskStatus", "arriveTime")`,
  `create index on "approvalTask" ("schoolId", "insId")`,
]
