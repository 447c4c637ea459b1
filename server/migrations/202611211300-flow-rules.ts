import { sql, type Kysely } from 'kysely'

/**
 * What a step asks for when nobody answers in time, when it refuses, and of whom; flows that hold only where credit is given; the
 * versions a flow has had; sample cases whose outcome is watched.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // needCreditOnly: rules only matters that give credit. selfPass: an initiator among the checkers passes his seat, except at the last step
  `alter table "workflow" add column "needCreditOnly" text not null default '0', add column "selfPass" text not null default '1'`,
  // timeoutHours or timeoutDays (working days), never both; minCredit: hundredths, the step is asked only when more credit is given
  `alter table "workflowStep" add column "timeoutDays" int, add column "timeoutRoleId" uuid, add column "canReject" text not null default 'start', add column "allowTransfer" text not null default '1',
     add column "allowAdd" text not null default '0', add column "minCredit" int, add check ("timeoutHours" is null or "timeoutDays" is null)`,

  // content: the whole flow as it was saved, with the names that its ids then had
  `create table "workflowVersion" ("schoolId" text not null, "wfId" uuid not null, "wfVersion" int not null, "content" jsonb not null, "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
     primary key ("schoolId", "wfId", "wfVersion"), foreign key ("schoolId", "wfId") references "workflow" on delete cascade)`,

  // a case kept beside a flow; expected: which flow and which steps it led to when it was last found right. credit in hundredths
  `create table "workflowSample" ("schoolId" text not null, "wsId" uuid not null, "wfId" uuid not null, "wsName" text not null, "suId" uuid not null, "lsId" uuid not null, "liLevel" text not null, "credit" int not null default 0,
     "expected" jsonb not null, "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0,
     primary key ("schoolId", "wsId"), unique ("schoolId", "wfId", "wsName"), foreign key ("schoolId", "wfId") references "workflow" on delete cascade,
     foreign key ("schoolId", "suId") references "person" on delete cascade, foreign key ("schoolId", "lsId") references "curriculum" on delete cascade)`,
]
