import { editedColumns } from './edited.columns.ts'

/** Approval flows: what a school configures. */
export const workflow = `
-- Groups of approval flows.
create table "workflowCategory" (
  "schoolId" text not null references "school",
  "wfcId" uuid not null,
  "wfcName" text not null,
  "wfcSort" int not null default 0,
  ${editedColumns},
  primary key ("schoolId", "wfcId"),
  unique ("schoolId", "wfcName")
);

-- Approval flows. An empty range means "all". What runs keeps the steps it started with, so editing never touches it.
create table "workflow" (
  "schoolId" text not null,
  "wfId" uuid not null,
  "wfName" text not null,
  "wfType" text not null, -- wf_type
  "wfIcon" text not null default '',
  "wfDesc" text not null default '',
  "wfcId" uuid not null,
  "wfStatus" text not null default '1', -- flow_status
  "wfVersion" int not null default 1,
  "isDefault" text not null default '0',
  "roleIds" uuid[] not null default '{}',
  "lsIds" uuid[] not null default '{}',
  "levels" text[] not null default '{}',
  "needCreditOnly" text not null default '0', -- 1: only for records that give credit
  -- 1: an initiator among the checkers passes by themselves, except at the last step
  "selfPass" text not null default '1',
  ${editedColumns},
  primary key ("schoolId", "wfId"),
  unique ("schoolId", "wfName"),
  foreign key ("schoolId", "wfcId") references "workflowCategory"
);

-- The steps of a flow, stage by stage.
create table "workflowStep" (
  "schoolId" text not null,
  "wfsId" uuid not null,
  "wfId" uuid not null,
  "wfsNodeName" text not null, -- wf_node
  "wfsStepName" text not null,
  "wfsStepType" text not null, -- wf_step_type
  "wfsCheckerType" text not null, -- wf_checker_type
  "wfsSort" int not null,
  "timeoutHours" int,
  "timeoutDays" int, -- working days; never both
  "timeoutAction" text not null default '0', -- timeout_action
  "timeoutRoleId" uuid,
  "noApproverPolicy" text not null default 'block', -- no_approver_policy
  "canReject" text not null default 'start', -- reject_target
  "allowTransfer" text not null default '1',
  "allowAdd" text not null default '0',
  "minCredit" int, -- hundredths; the step is asked only when more credit is given
  primary key ("schoolId", "wfsId"),
  unique ("schoolId", "wfId", "wfsNodeName", "wfsSort"),
  foreign key ("schoolId", "wfId") references "workflow" on delete cascade,
  check ("timeoutHours" is null or "timeoutDays" is null)
);

-- The chosen checkers of a step: person, role or department ids, as the checker type of the step says.
create table "workflowChecker" (
  "schoolId" text not null,
  "wfsId" uuid not null,
  "wfcCheckerId" uuid not null,
  "wfcNodeName" text not null default '',
  "wfcSort" int not null default 0,
  primary key ("schoolId", "wfsId", "wfcCheckerId"),
  foreign key ("schoolId", "wfsId") references "workflowStep" on delete cascade
);

-- The versions a flow has had.
create table "workflowVersion" (
  "schoolId" text not null,
  "wfId" uuid not null,
  "wfVersion" int not null,
  "content" jsonb not null, -- the whole flow as it was saved, with the names that its ids then had
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  primary key ("schoolId", "wfId", "wfVersion"),
  foreign key ("schoolId", "wfId") references "workflow" on delete cascade
);

-- A case kept beside a flow, whose outcome is watched when the flow changes.
create table "workflowSample" (
  "schoolId" text not null,
  "wsId" uuid not null,
  "wfId" uuid not null,
  "wsName" text not null,
  "suId" uuid not null,
  "lsId" uuid not null,
  "liLevel" text not null,
  "credit" int not null default 0, -- hundredths
  "expected" jsonb not null, -- which flow and steps it led to when it was last found right
  ${editedColumns},
  primary key ("schoolId", "wsId"),
  unique ("schoolId", "wfId", "wsName"),
  foreign key ("schoolId", "wfId") references "workflow" on delete cascade,
  foreign key ("schoolId", "suId") references "person" on delete cascade,
  foreign key ("schoolId", "lsId") references "curriculum" on delete cascade
);
`
