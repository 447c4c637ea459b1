import { sql, type Kysely } from 'kysely'

/** What may happen to a running approval besides passing and refusing: handing on, standing in, adding, going back, reminding, running out of time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // facts: where the matter lies, for finding people while it runs
  `alter table "approval" add column "facts" jsonb not null default '{}', add column "remindTime" timestamptz, add column "remindCount" int not null default 0`,
  // round: counts how often the approval went back to an earlier step. seatId: the person for whose place in the step this task votes; null is the checker himself.
  // backTo: the step a refusal sends the approval back to; null is the initiator. nextTime, nextAction: what happens by itself and when
  `alter table "approvalTask" add column "round" int not null default 1, add column "seatId" uuid, add column "backTo" int, add column "nextTime" timestamptz, add column "nextAction" text not null default '0', add column "behalfName" text not null default ''`,
  // a seat is decided once a round; several people may be asked for it at a time, each once
  `drop index "approvalTask_once"`,
  `create unique index "approvalTask_decided" on "approvalTask" ("schoolId", "insId", "round", "stepSort", coalesce("seatId", "checkerId")) where "taskStatus" in ('1', '2', '6')`,
  `create unique index "approvalTask_asked" on "approvalTask" ("schoolId", "insId", "round", "stepSort", coalesce("seatId", "checkerId"), "checkerId") where "taskStatus" = '0'`,
  `create index "approvalTask_next" on "approvalTask" ("nextTime") where "taskStatus" = '0' and "nextTime" is not null`,
  `create index "approvalTask_open" on "approvalTask" ("schoolId", "checkerId", "insId") where "taskStatus" = '0'`,

  // somebody stands in for somebody else from one moment to another; endTime moves when it is ended early
  `create table "approvalDelegation" ("schoolId" text not null, "dgId" uuid not null, "suId" uuid not null, "agentId" uuid not null, "startTime" timestamptz not null, "endTime" timestamptz not null, "reason" text not null default '',
     "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0,
     primary key ("schoolId", "dgId"), foreign key ("schoolId", "suId") references "person" on delete cascade, foreign key ("schoolId", "agentId") references "person" on delete cascade, check ("endTime" >= "startTime"), check ("suId" <> "agentId"))`,
  `create index on "approvalDelegation" ("schoolId", "suId", "endTime")`,
  `create index on "approvalDelegation" ("schoolId", "agentId", "endTime")`,
]
