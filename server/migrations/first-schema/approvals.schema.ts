import { editedColumns } from './edited.columns.ts'

/** Approvals that run by those flows. */
export const approvals = `
-- One running or ended approval. Only one may run for a record at a time.
create table "approval" (
  "schoolId" text not null,
  "insId" uuid not null,
  "bizType" text not null, -- the node of the flow
  "bizId" uuid not null,
  "bizName" text not null,
  "summary" text not null default '',
  "wfId" uuid not null,
  "wfName" text not null,
  "wfVersion" int not null,
  "nodeName" text not null,
  "insStatus" text not null default '0', -- approval_status
  "stepSort" int not null default 1,
  "steps" jsonb not null, -- the snapshot it runs by (decision 006)
  "facts" jsonb not null default '{}', -- where the record lies, for finding people while it runs
  "changes" jsonb not null default '[]',
  "startBy" uuid not null,
  "startName" text not null,
  "scopeCollegeId" uuid,
  "startTime" timestamptz not null default now(),
  "endTime" timestamptz,
  "remindTime" timestamptz,
  "remindCount" int not null default 0,
  "undo" jsonb, -- how it stood before the last decision, and who may bring it back until when
  "version" int not null default 0,
  primary key ("schoolId", "insId")
);
-- only one runs for a record
create unique index "approval_running" on "approval" ("schoolId", "bizType", "bizId")
  where "insStatus" = '0';
-- the history of a record
create index on "approval" ("schoolId", "bizId", "startTime");
-- what still runs by a flow
create index on "approval" ("schoolId", "wfId")
  where "insStatus" = '0';
-- what a person started
create index "approval_started" on "approval" ("schoolId", "startBy", "bizType", "startTime" desc);

-- Whom a step of an approval asks, and what they answered.
create table "approvalTask" (
  "schoolId" text not null,
  "taskId" uuid not null,
  "insId" uuid not null,
  "bizType" text not null,
  "stepSort" int not null,
  "stepName" text not null,
  "round" int not null default 1, -- counts how often the approval went back to an earlier step
  "seatId" uuid, -- whose place in the step this task votes for; null: the checker’s own
  "checkerId" uuid not null,
  "checkerName" text not null,
  "taskStatus" text not null default '0', -- task_status
  "opinion" text not null default '',
  "backTo" int, -- the step a refusal leads back to; null: the initiator
  "arriveTime" timestamptz not null default now(),
  "dueTime" timestamptz,
  "nextTime" timestamptz, -- when something happens by itself, and what
  "nextAction" text not null default '0',
  "handleTime" timestamptz,
  "onBehalfOf" uuid,
  "behalfName" text not null default '',
  primary key ("schoolId", "taskId"),
  foreign key ("schoolId", "insId") references "approval"
);
-- the queues of a reviewer
create index "approvalTask_queue" on "approvalTask" ("schoolId", "checkerId", "bizType", "taskStatus", "arriveTime");
-- the tasks of an approval
create index on "approvalTask" ("schoolId", "insId");
-- a place in a step is decided once a round
create unique index "approvalTask_decided"
  on "approvalTask" ("schoolId", "insId", "round", "stepSort", coalesce("seatId", "checkerId"))
  where "taskStatus" in ('1', '2', '6');
-- several people may be asked for a place at a time, each once
create unique index "approvalTask_asked"
  on "approvalTask" ("schoolId", "insId", "round", "stepSort", coalesce("seatId", "checkerId"), "checkerId")
  where "taskStatus" = '0';
-- the job that reminds and escalates
create index "approvalTask_next" on "approvalTask" ("nextTime")
  where "taskStatus" = '0' and "nextTime" is not null;
-- what waits for a person
create index "approvalTask_open" on "approvalTask" ("schoolId", "checkerId", "insId")
  where "taskStatus" = '0';
-- statistics of approvals
create index "approvalTask_handled" on "approvalTask" ("schoolId", "handleTime")
  include ("checkerId", "arriveTime")
  where "handleTime" is not null;

-- Somebody stands in for somebody else from one moment to another.
create table "approvalDelegation" (
  "schoolId" text not null,
  "dgId" uuid not null,
  "suId" uuid not null,
  "agentId" uuid not null,
  "startTime" timestamptz not null,
  "endTime" timestamptz not null, -- moves when it is ended early
  "reason" text not null default '',
  ${editedColumns},
  primary key ("schoolId", "dgId"),
  foreign key ("schoolId", "suId") references "person" on delete cascade,
  foreign key ("schoolId", "agentId") references "person" on delete cascade,
  check ("endTime" >= "startTime"),
  check ("suId" <> "agentId")
);
-- for whom a person is standing in now, and who for them
create index on "approvalDelegation" ("schoolId", "suId", "endTime");
-- the other way round
create index on "approvalDelegation" ("schoolId", "agentId", "endTime");

-- The phrases a reviewer keeps for opinions.
create table "approvalOpinion" (
  "schoolId" text not null,
  "suId" uuid not null,
  "phrases" text[] not null,
  "updateTime" timestamptz not null default now(),
  primary key ("schoolId", "suId"),
  foreign key ("schoolId", "suId") references "person" on delete cascade
);
`
