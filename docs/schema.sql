-- What the database looks like when every migration has run: tables by name, then functions.
-- Written by `npm run schema`; a test compares it with the database. Never edited by hand, never run:
-- what runs, and says why, is server/migrations.

create table account (
  "schoolId" text not null,
  "suId" uuid not null,
  "suLoginName" text not null,
  "suNickname" text not null,
  "suType" text not null,
  "suStatus" text not null default '1'::text,
  "passwordHash" text not null,
  "mustChangePwd" boolean not null default true,
  "policyUnverified" boolean not null default false,
  "initialUntil" timestamp with time zone,
  "pwdUpdateTime" timestamp with time zone,
  "lastLoginTime" timestamp with time zone,
  "lastLoginIp" text,
  "totpSecret" bytea,
  "noticeVersion" integer,
  "createTime" timestamp with time zone not null default now(),
  "updateTime" timestamp with time zone not null default now(),
  "totpTime" timestamp with time zone,
  "totpStep" bigint,
  "totpPending" bytea,
  "totpPendingUntil" timestamp with time zone,
  "noticeTime" timestamp with time zone,
  "previousLoginTime" timestamp with time zone,
  constraint account_pkey primary key ("schoolId", "suId"),
  constraint "account_schoolId_suLoginName_key" unique ("schoolId", "suLoginName"),
  constraint "account_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);
comment on column account."totpSecret" is 'sealed; null without a second factor';
comment on column account."noticeVersion" is 'the privacy notice agreed to last';
comment on column account."totpTime" is 'since when the second factor is on';
comment on column account."totpStep" is 'step of the code used last; earlier ones are refused';
comment on column account."totpPending" is 'sealed; a secret not confirmed by a code yet';
comment on column account."noticeTime" is 'when it was agreed to';

create table "activationCode" (
  "schoolId" text not null,
  "suId" uuid not null,
  "codeHash" bytea not null,
  "expireTime" timestamp with time zone not null,
  "createTime" timestamp with time zone not null,
  "createBy" uuid not null,
  constraint "activationCode_pkey" primary key ("schoolId", "suId"),
  constraint "activationCode_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
comment on table "activationCode" is 'codes of printed slips for a first password; one a person, only a keyed hash';
comment on column "activationCode"."createBy" is 'who had it printed';

create table alarm (
  "schoolId" text not null,
  "alKind" text not null,
  "alText" text not null,
  occurrence text not null default ''::text,
  "raiseTime" timestamp with time zone not null,
  constraint alarm_pkey primary key ("schoolId", "alKind"),
  constraint "alarm_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table alarm is 'what is wrong now and has been told to people of the school';

create table approval (
  "schoolId" text not null,
  "insId" uuid not null,
  "bizType" text not null,
  "bizId" uuid not null,
  "bizName" text not null,
  summary text not null default ''::text,
  "wfId" uuid not null,
  "wfName" text not null,
  "wfVersion" integer not null,
  "nodeName" text not null,
  "insStatus" text not null default '0'::text,
  "stepSort" integer not null default 1,
  steps jsonb not null,
  facts jsonb not null default '{}'::jsonb,
  changes jsonb not null default '[]'::jsonb,
  "startBy" uuid not null,
  "startName" text not null,
  "scopeCollegeId" uuid,
  "startTime" timestamp with time zone not null default now(),
  "endTime" timestamp with time zone,
  "remindTime" timestamp with time zone,
  "remindCount" integer not null default 0,
  undo jsonb,
  version integer not null default 0,
  "endName" text not null default ''::text,
  "endReason" text not null default ''::text,
  constraint approval_pkey primary key ("schoolId", "insId")
);
create unique index approval_running on approval ("schoolId", "bizType", "bizId")
  where ("insStatus" = '0'::text);
create index "approval_schoolId_bizId_startTime_idx" on approval ("schoolId", "bizId", "startTime");
create index "approval_schoolId_wfId_idx" on approval ("schoolId", "wfId")
  where ("insStatus" = '0'::text);
create index approval_started on approval ("schoolId", "startBy", "bizType", "startTime" desc);
create trigger approval_note_delete after delete on approval
  referencing old table as touched
  for each statement
  execute function note_approval();
create trigger approval_note_insert after insert on approval
  referencing new table as touched
  for each statement
  execute function note_approval();
create trigger approval_note_supplement_delete after delete on approval
  referencing old table as touched
  for each statement
  execute function note_approval_of_supplement();
create trigger approval_note_supplement_insert after insert on approval
  referencing new table as touched
  for each statement
  execute function note_approval_of_supplement();
create trigger approval_note_supplement_update after update on approval
  referencing new table as touched
  for each statement
  execute function note_approval_of_supplement();
create trigger approval_note_update after update on approval
  referencing new table as touched
  for each statement
  execute function note_approval();
comment on column approval."endName" is 'who ended it without a decision';

create table "approvalContent" (
  "schoolId" text not null,
  "insId" uuid not null,
  content jsonb not null,
  constraint "approvalContent_pkey" primary key ("schoolId", "insId"),
  constraint "approvalContent_schoolId_insId_fkey" foreign key ("schoolId", "insId") references approval("schoolId", "insId")
);

create table "approvalDelegation" (
  "schoolId" text not null,
  "dgId" uuid not null,
  "suId" uuid not null,
  "agentId" uuid not null,
  "startTime" timestamp with time zone not null,
  "endTime" timestamp with time zone not null,
  reason text not null default ''::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "approvalDelegation_pkey" primary key ("schoolId", "dgId"),
  constraint "approvalDelegation_check" check (("endTime" >= "startTime")),
  constraint "approvalDelegation_check1" check (("suId" <> "agentId")),
  constraint "approvalDelegation_schoolId_agentId_fkey" foreign key ("schoolId", "agentId") references person("schoolId", "suId") on delete cascade,
  constraint "approvalDelegation_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);
create index "approvalDelegation_schoolId_agentId_endTime_idx" on "approvalDelegation" ("schoolId", "agentId", "endTime");
create index "approvalDelegation_schoolId_suId_endTime_idx" on "approvalDelegation" ("schoolId", "suId", "endTime");

create table "approvalOpinion" (
  "schoolId" text not null,
  "suId" uuid not null,
  phrases text[] not null,
  "updateTime" timestamp with time zone not null default now(),
  constraint "approvalOpinion_pkey" primary key ("schoolId", "suId"),
  constraint "approvalOpinion_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);

create table "approvalTask" (
  "schoolId" text not null,
  "taskId" uuid not null,
  "insId" uuid not null,
  "bizType" text not null,
  "stepSort" integer not null,
  "stepName" text not null,
  round integer not null default 1,
  "seatId" uuid,
  "checkerId" uuid not null,
  "checkerName" text not null,
  "taskStatus" text not null default '0'::text,
  opinion text not null default ''::text,
  "backTo" integer,
  "arriveTime" timestamp with time zone not null default now(),
  "dueTime" timestamp with time zone,
  "nextTime" timestamp with time zone,
  "nextAction" text not null default '0'::text,
  "handleTime" timestamp with time zone,
  "onBehalfOf" uuid,
  "behalfName" text not null default ''::text,
  "adviceOn" uuid,
  constraint "approvalTask_pkey" primary key ("schoolId", "taskId"),
  constraint "approvalTask_schoolId_insId_fkey" foreign key ("schoolId", "insId") references approval("schoolId", "insId")
);
create unique index "approvalTask_asked" on "approvalTask" ("schoolId", "insId", round, "stepSort", coalesce("seatId", "checkerId"), "checkerId")
  where ("taskStatus" = '0'::text);
create unique index "approvalTask_decided" on "approvalTask" ("schoolId", "insId", round, "stepSort", coalesce("seatId", "checkerId"))
  where ("taskStatus" = any (array['1'::text, '2'::text, '6'::text]));
create index "approvalTask_handled" on "approvalTask" ("schoolId", "handleTime")
  include ("checkerId", "arriveTime")
  where ("handleTime" is not null);
create index "approvalTask_next" on "approvalTask" ("nextTime")
  where (("taskStatus" = '0'::text) and ("nextTime" is not null));
create index "approvalTask_open" on "approvalTask" ("schoolId", "checkerId", "insId")
  where ("taskStatus" = '0'::text);
create index "approvalTask_queue" on "approvalTask" ("schoolId", "checkerId", "bizType", "taskStatus", "arriveTime");
create index "approvalTask_schoolId_insId_idx" on "approvalTask" ("schoolId", "insId");
comment on column "approvalTask"."adviceOn" is 'the task whose checker wants an opinion by this one';

create table "auditArchive" (
  "schoolId" text not null,
  "arcNo" integer not null,
  "fromSeal" integer not null,
  "throughSeal" integer not null,
  "rowCount" integer not null,
  "firstTime" timestamp with time zone not null,
  "lastTime" timestamp with time zone not null,
  "cutTime" timestamp with time zone not null,
  "fileName" text not null,
  size bigint not null,
  sha256 text not null,
  "createTime" timestamp with time zone not null,
  constraint "auditArchive_pkey" primary key ("schoolId", "arcNo"),
  constraint "auditArchive_schoolId_throughSeal_key" unique ("schoolId", "throughSeal"),
  constraint "auditArchive_arcNo_check" check (("arcNo" > 0)),
  constraint "auditArchive_check" check (("throughSeal" >= "fromSeal")),
  constraint "auditArchive_check1" check (("lastTime" < "cutTime"))
);
create trigger "auditArchive_append_only" before delete or update on "auditArchive"
  for each row
  execute function refuse_change();
create trigger "auditArchive_no_truncate" before truncate on "auditArchive"
  for each statement
  execute function refuse_change();

create table "auditLog" (
  "schoolId" text not null,
  "logId" uuid not null,
  "actorId" uuid,
  "actorName" text not null,
  "onBehalfOf" uuid,
  action text not null,
  result text not null default 'ok'::text,
  "bizType" text not null default ''::text,
  "bizId" text not null default ''::text,
  "bizName" text not null default ''::text,
  before jsonb,
  after jsonb,
  reason text not null default ''::text,
  "requestId" text not null,
  ip text not null,
  agent text not null,
  "logTime" timestamp with time zone not null default now(),
  constraint "auditLog_pkey" primary key ("schoolId", "logId")
);
create index "auditLog_action" on "auditLog" ("schoolId", action, "logTime" desc);
create index "auditLog_actor" on "auditLog" ("schoolId", "actorId", "logTime" desc);
create index "auditLog_biz" on "auditLog" ("schoolId", "bizId", "logTime");
create index "auditLog_ip" on "auditLog" ("schoolId", ip, "logTime" desc);
create index "auditLog_kind" on "auditLog" ("schoolId", "bizType", "logTime" desc);
create index "auditLog_name_grams" on "auditLog" using gin (grams("bizName"));
create index "auditLog_refused" on "auditLog" ("schoolId", "logTime" desc)
  where (result = 'refused'::text);
create index "auditLog_request" on "auditLog" ("schoolId", "requestId");
create index "auditLog_time" on "auditLog" ("schoolId", "logTime" desc);
create trigger "auditLog_append_only" before delete or update on "auditLog"
  for each row
  execute function refuse_audit_change();
create trigger "auditLog_no_truncate" before truncate on "auditLog"
  for each statement
  execute function refuse_change();

create table "auditSeal" (
  "schoolId" text not null,
  "sealNo" integer not null,
  form integer not null,
  "sealTime" timestamp with time zone not null,
  "firstTime" timestamp with time zone not null,
  "lastTime" timestamp with time zone not null,
  "rowCount" integer not null,
  "logIds" uuid[] not null,
  "rowHashes" bytea not null,
  "prevHash" bytea not null,
  hash bytea not null,
  constraint "auditSeal_pkey" primary key ("schoolId", "sealNo"),
  constraint "auditSeal_check" check ((cardinality("logIds") = "rowCount")),
  constraint "auditSeal_check1" check ((octet_length("rowHashes") = (32 * "rowCount"))),
  constraint "auditSeal_hash_check" check ((octet_length(hash) = 32)),
  constraint "auditSeal_prevHash_check" check ((octet_length("prevHash") = 32)),
  constraint "auditSeal_rowCount_check" check (("rowCount" > 0)),
  constraint "auditSeal_sealNo_check" check (("sealNo" > 0))
);
create index "auditSeal_time" on "auditSeal" ("schoolId", "lastTime");
create trigger "auditSeal_append_only" before delete or update on "auditSeal"
  for each row
  execute function refuse_change();
create trigger "auditSeal_no_truncate" before truncate on "auditSeal"
  for each statement
  execute function refuse_change();

create table "awardDetail" (
  "schoolId" text not null,
  "adId" uuid not null,
  "atId" uuid not null,
  "adName" text not null,
  "adLevel" text not null default '9'::text,
  hours integer not null default 0,
  credit integer not null default 0,
  points integer not null default 0,
  "abilityFactor" integer not null default 100,
  "quotaType" text not null default '0'::text,
  quota integer,
  "needProof" text not null default '0'::text,
  "adSort" integer not null default 0,
  "delFlag" text not null default '0'::text,
  constraint "awardDetail_pkey" primary key ("schoolId", "adId"),
  constraint "awardDetail_schoolId_atId_fkey" foreign key ("schoolId", "atId") references "awardTemplate"("schoolId", "atId")
);
create unique index "awardDetail_name" on "awardDetail" ("schoolId", "atId", "adName")
  where ("delFlag" = '0'::text);
create trigger "awardDetail_configuration_delete" after delete on "awardDetail"
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger "awardDetail_configuration_insert" after insert on "awardDetail"
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger "awardDetail_configuration_update" after update on "awardDetail"
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "awardTemplate" (
  "schoolId" text not null,
  "atId" uuid not null,
  "atName" text not null,
  "atType" text not null default '1'::text,
  "atDesc" text not null default ''::text,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "awardTemplate_pkey" primary key ("schoolId", "atId"),
  constraint "awardTemplate_schoolId_atName_key" unique ("schoolId", "atName"),
  constraint "awardTemplate_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create trigger "awardTemplate_configuration_delete" after delete on "awardTemplate"
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger "awardTemplate_configuration_insert" after insert on "awardTemplate"
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger "awardTemplate_configuration_update" after update on "awardTemplate"
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "backgroundItem" (
  "schoolId" text not null,
  "btId" uuid not null,
  "itemNo" integer not null,
  "itemId" uuid not null,
  "itemName" text not null,
  "groupId" text,
  "pairId" text,
  "itemStatus" text not null default '0'::text,
  msg text not null default ''::text,
  constraint "backgroundItem_pkey" primary key ("schoolId", "btId", "itemNo"),
  constraint "backgroundItem_schoolId_btId_fkey" foreign key ("schoolId", "btId") references "backgroundTask"("schoolId", "btId") on delete cascade
);
create index "backgroundItem_waiting" on "backgroundItem" ("schoolId", "btId", "itemNo")
  where ("itemStatus" = '0'::text);

create table "backgroundTask" (
  "schoolId" text not null,
  "btId" uuid not null,
  "btKind" text not null,
  "btTitle" text not null,
  "callPath" text not null,
  "btInput" jsonb not null,
  "listPath" text,
  filter jsonb not null default '{}'::jsonb,
  "undoOf" uuid,
  reason text not null default ''::text,
  origin jsonb not null,
  total integer,
  "doneCount" integer not null default 0,
  "refusedCount" integer not null default 0,
  "btStatus" text not null default '0'::text,
  fault text not null default ''::text,
  "jobId" uuid,
  "storeKey" text,
  "fileName" text,
  "fileType" text,
  "fileSize" bigint,
  "createBy" uuid not null,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "beginTime" timestamp with time zone,
  "endTime" timestamp with time zone,
  scope jsonb,
  constraint "backgroundTask_pkey" primary key ("schoolId", "btId"),
  constraint "backgroundTask_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create index "backgroundTask_ended" on "backgroundTask" ("endTime")
  where ("endTime" is not null);
create index "backgroundTask_own" on "backgroundTask" ("schoolId", "createBy", "createTime" desc);
comment on column "backgroundTask".total is 'records of an action, rows of an export as far as known';
comment on column "backgroundTask".scope is 'part of the school that the file of an export shows';

create table "backupRun" (
  "brId" uuid not null,
  "brKind" text not null,
  "brStatus" text not null default '0'::text,
  place text not null,
  "backupName" text not null default ''::text,
  "startTime" timestamp with time zone not null default now(),
  "endTime" timestamp with time zone,
  size bigint,
  "newSize" bigint,
  error text not null default ''::text,
  constraint "backupRun_pkey" primary key ("brId")
);
create index "backupRun_newest" on "backupRun" ("brKind", "startTime" desc);
comment on table "backupRun" is 'backups and drills of the whole installation';
comment on column "backupRun".size is 'bytes that restoring it reads, null while it runs';
comment on column "backupRun"."newSize" is 'bytes that it added to its place';

create table "calendarFeed" (
  "schoolId" text not null,
  "feedId" uuid not null,
  "suId" uuid not null,
  "feedKind" text not null,
  "scId" uuid,
  "tokenHash" bytea not null,
  "createTime" timestamp with time zone not null,
  "lastTime" timestamp with time zone,
  constraint "calendarFeed_pkey" primary key ("schoolId", "feedId"),
  constraint "calendarFeed_schoolId_suId_feedKind_scId_key" unique nulls not distinct ("schoolId", "suId", "feedKind", "scId"),
  constraint "calendarFeed_schoolId_scId_fkey" foreign key ("schoolId", "scId") references college("schoolId", "scId") on delete cascade,
  constraint "calendarFeed_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
create index "calendarFeed_college" on "calendarFeed" ("schoolId", "scId")
  where ("scId" is not null);
create unique index "calendarFeed_tokenHash" on "calendarFeed" ("tokenHash", "schoolId");
comment on table "calendarFeed" is 'addresses at which calendar programs fetch activities; only hashes of their tokens';
comment on column "calendarFeed"."suId" is 'who made it, and by whose rights it answers';
comment on column "calendarFeed"."feedKind" is 'own: activities of the person; courses: those they may see';
comment on column "calendarFeed"."scId" is 'of courses: of this college alone';
comment on column "calendarFeed"."lastTime" is 'when it was last fetched, at most once an hour';

create table circle (
  "schoolId" text not null,
  "ciId" uuid not null,
  "ciNo" text not null,
  "ciName" text not null,
  "ciClass" uuid not null,
  "ciLevel" text not null default '1'::text,
  "ciCollegeId" uuid,
  "guideUnitId" uuid,
  "ciDesc" text not null default ''::text,
  "imgList" uuid[] not null default '{}'::uuid[],
  "charterFile" uuid,
  "cpiPersonId" uuid not null,
  "foundDate" date,
  "memberMax" integer,
  "joinMode" text not null default '2'::text,
  "ciStatus" text not null default '0'::text,
  "ciAuthStatus" text not null default '0'::text,
  reason text not null default ''::text,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint circle_pkey primary key ("schoolId", "ciId"),
  constraint "circle_schoolId_ciNo_key" unique ("schoolId", "ciNo"),
  constraint "circle_memberMax_check" check (("memberMax" > 0)),
  constraint "circle_schoolId_ciClass_fkey" foreign key ("schoolId", "ciClass") references "circleClass"("schoolId", "ccId"),
  constraint "circle_schoolId_ciCollegeId_fkey" foreign key ("schoolId", "ciCollegeId") references college("schoolId", "scId"),
  constraint "circle_schoolId_cpiPersonId_fkey" foreign key ("schoolId", "cpiPersonId") references person("schoolId", "suId"),
  constraint "circle_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "circle_schoolId_guideUnitId_fkey" foreign key ("schoolId", "guideUnitId") references department("schoolId", "sdId")
);
create index circle_class on circle ("schoolId", "ciClass");
create index circle_leader on circle ("schoolId", "cpiPersonId");
create index circle_list on circle ("schoolId", "createTime" desc, "ciId")
  where ("delFlag" = '0'::text);
create unique index circle_name on circle ("schoolId", "ciName")
  where (("delFlag" = '0'::text) and ("ciStatus" <> '9'::text));

create table "circleApply" (
  "schoolId" text not null,
  "caId" uuid not null,
  "caType" text not null,
  "ciId" uuid not null,
  "cpiPersonId" uuid not null,
  "ciAuthStatus" text not null default '0'::text,
  "applyReason" text not null default ''::text,
  materials uuid[] not null default '{}'::uuid[],
  "crYear" integer,
  "crResult" text,
  "applyBy" uuid,
  "applyName" text not null default ''::text,
  "applyTime" timestamp with time zone not null default now(),
  "auditBy" uuid,
  "auditName" text not null default ''::text,
  "auditTime" timestamp with time zone,
  reason text not null default ''::text,
  content jsonb,
  differences jsonb not null default '[]'::jsonb,
  "crStar" text,
  constraint "circleApply_pkey" primary key ("schoolId", "caId"),
  constraint "circleApply_schoolId_ciId_fkey" foreign key ("schoolId", "ciId") references circle("schoolId", "ciId"),
  constraint "circleApply_schoolId_cpiPersonId_fkey" foreign key ("schoolId", "cpiPersonId") references person("schoolId", "suId")
);
create index "circleApply_list" on "circleApply" ("schoolId", "applyTime" desc, "caId");
create unique index "circleApply_open" on "circleApply" ("schoolId", "ciId", "cpiPersonId")
  where ("ciAuthStatus" = '0'::text);
comment on column "circleApply"."crStar" is 'circle_star';

create table "circleClass" (
  "schoolId" text not null,
  "ccId" uuid not null,
  "ccName" text not null,
  "ccSort" integer not null default 0,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "circleClass_pkey" primary key ("schoolId", "ccId"),
  constraint "circleClass_schoolId_ccName_key" unique ("schoolId", "ccName"),
  constraint "circleClass_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "circleMember" (
  "schoolId" text not null,
  "cpiId" uuid not null,
  "ciId" uuid not null,
  "suId" uuid not null,
  "cmRole" text not null default '5'::text,
  "joinTime" timestamp with time zone not null default now(),
  "quitTime" timestamp with time zone,
  constraint "circleMember_pkey" primary key ("schoolId", "cpiId"),
  constraint "circleMember_schoolId_ciId_fkey" foreign key ("schoolId", "ciId") references circle("schoolId", "ciId") on delete cascade,
  constraint "circleMember_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create unique index "circleMember_once" on "circleMember" ("schoolId", "ciId", "suId")
  where ("quitTime" is null);
create index "circleMember_schoolId_suId_idx" on "circleMember" ("schoolId", "suId");
create index "circleMember_time" on "circleMember" ("schoolId", "ciId", "joinTime");
create trigger "circleMember_note_delete" after delete on "circleMember"
  referencing old table as was
  for each statement
  execute function "circleMember_note_delete"();
create trigger "circleMember_note_insert" after insert on "circleMember"
  referencing new table as became
  for each statement
  execute function "circleMember_note_insert"();
create trigger "circleMember_note_update" after update on "circleMember"
  referencing old table as was new table as became
  for each statement
  execute function "circleMember_note_update"();

create table "circleReview" (
  "schoolId" text not null,
  "ciId" uuid not null,
  "crYear" integer not null,
  "crResult" text not null,
  "activityCount" integer not null default 0,
  "caId" uuid not null,
  "reviewTime" timestamp with time zone not null default now(),
  "crStar" text,
  constraint "circleReview_pkey" primary key ("schoolId", "ciId", "crYear"),
  constraint "circleReview_schoolId_ciId_fkey" foreign key ("schoolId", "ciId") references circle("schoolId", "ciId")
);
comment on column "circleReview"."crStar" is 'circle_star';

create table "circleTeacher" (
  "schoolId" text not null,
  "ciId" uuid not null,
  "suId" uuid not null,
  constraint "circleTeacher_pkey" primary key ("schoolId", "ciId", "suId"),
  constraint "circleTeacher_schoolId_ciId_fkey" foreign key ("schoolId", "ciId") references circle("schoolId", "ciId") on delete cascade,
  constraint "circleTeacher_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "circleTeacher_schoolId_suId_idx" on "circleTeacher" ("schoolId", "suId");

create table "classTime" (
  "schoolId" text not null,
  "ctId" uuid not null,
  "tmName" text not null,
  "firstMonday" date not null,
  "scClassId" uuid not null,
  "ctName" text not null,
  weekday integer not null,
  "startAt" text not null,
  "endAt" text not null,
  weeks integer[] not null,
  "placeText" text not null default ''::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "classTime_pkey" primary key ("schoolId", "ctId"),
  constraint "classTime_check" check (("endAt" > "startAt")),
  constraint "classTime_weekday_check" check (((weekday >= 1) and (weekday <= 7))),
  constraint "classTime_schoolId_scClassId_fkey" foreign key ("schoolId", "scClassId") references "schoolClass"("schoolId", "scClassId") on delete cascade
);
create index "classTime_day" on "classTime" ("schoolId", weekday, "startAt");
create unique index "classTime_meeting" on "classTime" ("schoolId", "scClassId", "firstMonday", weekday, "startAt", "ctName");
comment on table "classTime" is 'when classes meet, by the timetable';
comment on column "classTime"."firstMonday" is 'Monday of the first week of the term, from which weeks are counted';
comment on column "classTime"."startAt" is 'time of day, 08:00';

create table college (
  "schoolId" text not null,
  "scId" uuid not null,
  "scName" text not null,
  "scCode" text not null,
  "scShort" text not null default ''::text,
  "scType" text not null default '学院'::text,
  "scLeader" text not null default ''::text,
  "scPhone" text not null default ''::text,
  "scSort" integer not null default 0,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint college_pkey primary key ("schoolId", "scId"),
  constraint "college_schoolId_scCode_key" unique ("schoolId", "scCode"),
  constraint "college_schoolId_scName_key" unique ("schoolId", "scName"),
  constraint "college_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table configuration (
  "schoolId" text not null,
  version uuid not null,
  constraint configuration_pkey primary key ("schoolId"),
  constraint "configuration_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "controlArea" (
  "schoolId" text not null,
  "srId" uuid not null,
  "suId" uuid not null,
  "caType" text not null,
  "caTarget" text not null,
  constraint "controlArea_pkey" primary key ("schoolId", "srId", "suId", "caType", "caTarget"),
  constraint "controlArea_schoolId_srId_suId_fkey" foreign key ("schoolId", "srId", "suId") references "roleUser"("schoolId", "srId", "suId") on delete cascade
);
create index "controlArea_target" on "controlArea" ("schoolId", "caType", "caTarget");

create table "credentialStatus" (
  "schoolId" text not null,
  "csNo" integer not null,
  "suId" uuid not null,
  "tiId" uuid,
  "recId" uuid,
  "bizId" uuid,
  "moduleId" uuid,
  substance text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  constraint "credentialStatus_pkey" primary key ("schoolId", "csNo"),
  constraint "credentialStatus_check" check ((("tiId" is null) <> ("recId" is null))),
  constraint "credentialStatus_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "credentialStatus_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId"),
  constraint "credentialStatus_schoolId_tiId_fkey" foreign key ("schoolId", "tiId") references "transcriptIssue"("schoolId", "tiId")
);
create unique index "credentialStatus_issue" on "credentialStatus" ("schoolId", "tiId")
  where ("tiId" is not null);
create unique index "credentialStatus_record" on "credentialStatus" ("schoolId", "recId", substance)
  where ("recId" is not null);
create index "credentialStatus_student" on "credentialStatus" ("schoolId", "suId");
comment on table "credentialStatus" is 'places of badges and learner records in the public status lists';
comment on column "credentialStatus"."csNo" is 'the place, counted from 0 through all lists of the school';
comment on column "credentialStatus"."tiId" is 'of a learner record: the transcript it was made of';
comment on column "credentialStatus"."recId" is 'of a badge: the record of the ledger, with bizId and moduleId';
comment on column "credentialStatus".substance is 'hours/credit/points the badge says, in hundredths';

create table "credibilityLog" (
  "schoolId" text not null,
  "cgId" uuid not null,
  "suId" uuid not null,
  change integer not null,
  before integer not null,
  after integer not null,
  "reasonCode" text not null,
  reason text not null,
  "liId" uuid,
  "restoreOf" uuid,
  "operatorId" uuid,
  "operatorName" text not null,
  "createTime" timestamp with time zone not null default now(),
  constraint "credibilityLog_pkey" primary key ("schoolId", "cgId"),
  constraint "credibilityLog_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "credibilityLog_lesson" on "credibilityLog" ("schoolId", "liId")
  where ("liId" is not null);
create unique index "credibilityLog_restored" on "credibilityLog" ("schoolId", "restoreOf")
  where ("restoreOf" is not null);
create index "credibilityLog_schoolId_suId_createTime_idx" on "credibilityLog" ("schoolId", "suId", "createTime");

create table "creditLedger" (
  "schoolId" text not null,
  "clId" uuid not null,
  "suId" uuid not null,
  "clType" text not null,
  "lsId" uuid not null,
  "moduleId" uuid not null,
  "sqlId" uuid,
  "clValue" integer not null,
  source text not null,
  "bizId" uuid not null,
  "bizName" text not null,
  "ruleVersion" integer not null default 1,
  explain jsonb not null,
  "occurTime" timestamp with time zone not null,
  "grantedAt" timestamp with time zone not null default now(),
  "grantedBy" uuid,
  "reverseOf" uuid,
  constraint "creditLedger_pkey" primary key ("schoolId", "clId"),
  constraint "creditLedger_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "creditLedger_biz" on "creditLedger" ("schoolId", "bizId");
create index "creditLedger_corrections" on "creditLedger" ("schoolId", "reverseOf")
  where ("reverseOf" is not null);
create index "creditLedger_earned" on "creditLedger" ("schoolId", "occurTime")
  include ("suId", "bizId", "moduleId", "clType", "clValue", source)
  where (("clType" = any (array['1'::text, '2'::text, '3'::text])) and ("reverseOf" is null));
create index "creditLedger_granted" on "creditLedger" ("schoolId", "grantedAt");
create index "creditLedger_group" on "creditLedger" ("schoolId", "suId", ((explain ->> 'bestGroup'::text)))
  where ((explain ->> 'bestGroup'::text) is not null);
create index "creditLedger_module" on "creditLedger" ("schoolId", "lsId", "occurTime" desc, "clId")
  include ("suId", "bizId")
  where (("clType" = '1'::text) and ("reverseOf" is null));
create index "creditLedger_name_grams" on "creditLedger" using gin (grams("bizName"))
  where ("clType" = '1'::text);
create unique index "creditLedger_once" on "creditLedger" ("schoolId", "suId", source, "bizId", "clType", coalesce("sqlId", '00000000-0000-0000-0000-000000000000'::uuid), coalesce("reverseOf", '00000000-0000-0000-0000-000000000000'::uuid));
create index "creditLedger_reversal" on "creditLedger" ("schoolId", "clType")
  include ("suId", "sqlId", "clValue", "reverseOf")
  where ("reverseOf" is not null);
create index "creditLedger_score" on "creditLedger" ("schoolId", "occurTime" desc, "clId")
  include ("suId", "lsId", "bizId")
  where (("clType" = '1'::text) and ("reverseOf" is null));
create statistics "creditLedger_name_words" on grams("bizName") from "creditLedger";
create trigger "creditLedger_append_only" before delete or update on "creditLedger"
  for each row
  execute function refuse_change();
create trigger "creditLedger_no_truncate" before truncate on "creditLedger"
  for each statement
  execute function refuse_change();
create trigger "creditLedger_note_insert" after insert on "creditLedger"
  referencing new table as touched
  for each statement
  execute function "note_creditLedger"();
create trigger "creditLedger_outbox_insert" after insert on "creditLedger"
  referencing new table as became
  for each statement
  execute function "outbox_creditLedger"();

create table curriculum (
  "schoolId" text not null,
  "lsId" uuid not null,
  "lsPid" uuid,
  "lsPath" uuid[] not null,
  "lsName" text not null,
  "lsCode" text not null default ''::text,
  "lsType" text not null default '3'::text,
  "lsSort" integer not null default 0,
  "lsColor" text not null default ''::text,
  "lsIcon" text not null default ''::text,
  required text not null default '1'::text,
  "minHours" integer not null default 0,
  "maxHours" integer,
  "termCap" integer,
  "ownerRoleId" uuid,
  "allowLevels" text[] not null default '{}'::text[],
  "allowSup" text not null default '1'::text,
  "supWindow" jsonb,
  "supProofs" text[] not null default '{}'::text[],
  "supNote" text not null default ''::text,
  "starRule" jsonb,
  "lsFormScheme" text not null default 'standard'::text,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint curriculum_pkey primary key ("schoolId", "lsId"),
  constraint "curriculum_schoolId_lsPid_lsName_key" unique nulls not distinct ("schoolId", "lsPid", "lsName"),
  constraint "curriculum_lsPath_check" check (((cardinality("lsPath") >= 1) and (cardinality("lsPath") <= 3))),
  constraint "curriculum_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "curriculum_schoolId_lsPid_fkey" foreign key ("schoolId", "lsPid") references curriculum("schoolId", "lsId"),
  constraint "curriculum_schoolId_ownerRoleId_fkey" foreign key ("schoolId", "ownerRoleId") references role("schoolId", "srId")
);
create index "curriculum_lsPath_idx" on curriculum using gin ("lsPath");
create trigger curriculum_configuration_delete after delete on curriculum
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger curriculum_configuration_insert after insert on curriculum
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger curriculum_configuration_update after update on curriculum
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger curriculum_note_delete after delete on curriculum
  referencing old table as touched
  for each statement
  execute function note_curriculum();
create trigger curriculum_note_insert after insert on curriculum
  referencing new table as touched
  for each statement
  execute function note_curriculum();
create trigger curriculum_note_update after update on curriculum
  referencing new table as touched
  for each statement
  execute function note_curriculum();

create table department (
  "schoolId" text not null,
  "sdId" uuid not null,
  "sdName" text not null,
  "sdCode" text not null,
  "sdPid" uuid,
  "sdType" text not null default '1'::text,
  "sdLeaderId" uuid,
  "isGuideUnit" text not null default '0'::text,
  "sdSort" integer not null default 0,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint department_pkey primary key ("schoolId", "sdId"),
  constraint "department_schoolId_sdCode_key" unique ("schoolId", "sdCode"),
  constraint "department_schoolId_sdPid_sdName_key" unique nulls not distinct ("schoolId", "sdPid", "sdName"),
  constraint "department_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "department_schoolId_sdPid_fkey" foreign key ("schoolId", "sdPid") references department("schoolId", "sdId")
);

create table "departmentUser" (
  "schoolId" text not null,
  "sdId" uuid not null,
  "suId" uuid not null,
  post text not null default ''::text,
  "sdSort" integer not null default 0,
  "memberSort" integer not null default 0,
  constraint "departmentUser_pkey" primary key ("schoolId", "sdId", "suId"),
  constraint "departmentUser_schoolId_sdId_fkey" foreign key ("schoolId", "sdId") references department("schoolId", "sdId") on delete cascade,
  constraint "departmentUser_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);
create index "departmentUser_schoolId_suId_idx" on "departmentUser" ("schoolId", "suId");

create table erasure (
  "schoolId" text not null,
  "erId" uuid not null,
  "erKind" text not null,
  "announceTime" timestamp with time zone not null,
  "dueTime" timestamp with time zone not null,
  announced integer not null,
  erased integer not null default 0,
  "doneTime" timestamp with time zone,
  "announcedIds" uuid[],
  constraint erasure_pkey primary key ("schoolId", "erId"),
  constraint "erasure_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create unique index erasure_open on erasure ("schoolId", "erKind")
  where ("doneTime" is null);
comment on table erasure is 'Erasures of graduates’ data, each announced before it is carried out.';
comment on column erasure."erKind" is 'erasure_kind';
comment on column erasure."announcedIds" is 'who was announced, null once it has been carried out and where only their number was kept';

create table evaluation (
  "schoolId" text not null,
  "esId" uuid not null,
  "esName" text not null default ''::text,
  "lsId" uuid not null,
  "esLessonLevel" text not null,
  "versionNo" integer not null default 1,
  current boolean not null default true,
  "baseHours" integer not null default 0,
  "hourCap" integer,
  "yearCap" integer,
  credit integer not null default 0,
  points integer not null default 0,
  "modeRules" jsonb not null default '[]'::jsonb,
  "teamRules" jsonb not null default '[]'::jsonb,
  "awardRules" jsonb not null default '[]'::jsonb,
  "abilityRules" jsonb not null default '[]'::jsonb,
  "bestOnlyGroup" text not null default ''::text,
  "effectFrom" date not null default CURRENT_DATE,
  "effectTo" date,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint evaluation_pkey primary key ("schoolId", "esId"),
  constraint "evaluation_schoolId_lsId_esLessonLevel_versionNo_key" unique ("schoolId", "lsId", "esLessonLevel", "versionNo"),
  constraint "evaluation_schoolId_esLessonLevel_fkey" foreign key ("schoolId", "esLessonLevel") references "lessonLevel"("schoolId", "llId"),
  constraint "evaluation_schoolId_lsId_fkey" foreign key ("schoolId", "lsId") references curriculum("schoolId", "lsId")
);
create unique index evaluation_current on evaluation ("schoolId", "lsId", "esLessonLevel")
  where current;
create trigger evaluation_configuration_delete after delete on evaluation
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger evaluation_configuration_insert after insert on evaluation
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger evaluation_configuration_update after update on evaluation
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "examWeek" (
  "schoolId" text not null,
  "ewId" uuid not null,
  "ewName" text not null,
  "ewStart" date not null,
  "ewEnd" date not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "examWeek_pkey" primary key ("schoolId", "ewId"),
  constraint "examWeek_check" check (("ewEnd" >= "ewStart")),
  constraint "examWeek_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table file (
  "schoolId" text not null,
  "fileId" uuid not null,
  "storeKey" text not null,
  "fileName" text not null,
  mime text not null,
  size integer not null,
  sha256 text not null,
  kind text not null,
  "fileState" text not null default '0'::text,
  uses integer not null default 0,
  "isPrivate" boolean not null default false,
  "ownerId" uuid,
  "createTime" timestamp with time zone not null default now(),
  constraint file_pkey primary key ("schoolId", "fileId"),
  constraint file_uses_check check ((uses >= 0))
);
create index file_digest on file ("schoolId", sha256);
create index "file_fileState_createTime_idx" on file ("fileState", "createTime")
  where ("fileState" <> '1'::text);
create unique index "file_storeKey" on file ("storeKey", "schoolId");

create table "graduationBatch" (
  "schoolId" text not null,
  "gbId" uuid not null,
  "gbNo" text,
  "gbStatus" text not null default '0'::text,
  grades text[] not null,
  "collegeIds" uuid[] not null default '{}'::uuid[],
  goal jsonb not null,
  skipped jsonb not null default '[]'::jsonb,
  total integer not null,
  "metCount" integer not null,
  unmet text,
  "graduateCount" integer not null default 0,
  "delayCount" integer not null default 0,
  reason text not null default ''::text,
  "createBy" uuid not null,
  "createName" text not null,
  "createTime" timestamp with time zone not null,
  "expireTime" timestamp with time zone not null,
  "doneTime" timestamp with time zone,
  "undoTime" timestamp with time zone,
  "undoName" text not null default ''::text,
  "undoReason" text not null default ''::text,
  "undoCount" integer not null default 0,
  constraint "graduationBatch_pkey" primary key ("schoolId", "gbId"),
  constraint "graduationBatch_schoolId_gbNo_key" unique ("schoolId", "gbNo"),
  constraint "graduationBatch_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create index "graduationBatch_list" on "graduationBatch" ("schoolId", "doneTime" desc)
  where ("gbStatus" <> '0'::text);

create table "graduationRow" (
  "schoolId" text not null,
  "gbId" uuid not null,
  "suId" uuid not null,
  "suiNumber" text not null,
  met boolean not null,
  hours integer not null,
  gaps jsonb not null,
  "statusBefore" text not null,
  "accountBefore" text not null,
  "statusAfter" text,
  "accountAfter" text,
  "keptWhy" text not null default ''::text,
  constraint "graduationRow_pkey" primary key ("schoolId", "gbId", "suId"),
  constraint "graduationRow_schoolId_gbId_fkey" foreign key ("schoolId", "gbId") references "graduationBatch"("schoolId", "gbId") on delete cascade,
  constraint "graduationRow_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "graduationRow_list" on "graduationRow" ("schoolId", "gbId", "suiNumber", "suId");

create table holiday (
  "schoolId" text not null,
  "hdDate" date not null,
  "hdName" text not null,
  "hdKind" text not null default '0'::text,
  constraint holiday_pkey primary key ("schoolId", "hdDate"),
  constraint "holiday_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "identityLogout" (
  "schoolId" text not null,
  "providerId" uuid not null,
  "noticeHash" bytea not null,
  "expireTime" timestamp with time zone not null,
  constraint "identityLogout_pkey" primary key ("schoolId", "providerId", "noticeHash"),
  constraint "identityLogout_schoolId_providerId_fkey" foreign key ("schoolId", "providerId") references "identityProvider"("schoolId", "providerId") on delete cascade
);
create index "identityLogout_expireTime_idx" on "identityLogout" ("expireTime");
comment on table "identityLogout" is 'What providers have said that counts once: notices of sign-outs, assertions.';

create table "identityProvider" (
  "schoolId" text not null,
  "providerId" uuid not null,
  kind text not null,
  name text not null,
  settings jsonb not null,
  audience text[] not null,
  enabled boolean not null default false,
  sort integer not null default 0,
  "createTime" timestamp with time zone not null,
  "updateTime" timestamp with time zone not null,
  version integer not null default 0,
  "sealedSecret" bytea,
  "warnedOf" text not null default ''::text,
  constraint "identityProvider_pkey" primary key ("schoolId", "providerId"),
  constraint "identityProvider_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table "identityProvider" is 'Services of the campus by which people of a school sign in.';
comment on column "identityProvider".audience is 'who may use it: student, teacher, administrator';
comment on column "identityProvider"."sealedSecret" is 'by which this program proves itself to the provider';
comment on column "identityProvider"."warnedOf" is 'of which end of its metadata the administrators have been told, and how many days before, as 2027-01-03/30';

create table "identityTry" (
  "schoolId" text not null,
  "tryId" uuid not null,
  "providerId" uuid not null,
  "stateHash" bytea,
  challenge bytea not null,
  origin text not null,
  "codeHash" bytea,
  "suId" uuid,
  "ticketHash" bytea,
  "expireTime" timestamp with time zone not null,
  "subjectHash" bytea,
  "isBinding" boolean not null default false,
  subject text,
  constraint "identityTry_pkey" primary key ("schoolId", "tryId"),
  constraint "identityTry_schoolId_providerId_fkey" foreign key ("schoolId", "providerId") references "identityProvider"("schoolId", "providerId") on delete cascade,
  constraint "identityTry_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
create unique index "identityTry_codeHash" on "identityTry" ("codeHash", "schoolId");
create index "identityTry_expireTime_idx" on "identityTry" ("expireTime");
create index "identityTry_schoolId_providerId_idx" on "identityTry" ("schoolId", "providerId");
create index "identityTry_schoolId_suId_idx" on "identityTry" ("schoolId", "suId");
create unique index "identityTry_stateHash" on "identityTry" ("stateHash", "schoolId");
comment on table "identityTry" is 'Sign-ins by a provider under way; only hashes of what opens them.';
comment on column "identityTry"."stateHash" is 'null once the provider has answered';
comment on column "identityTry"."isBinding" is 'it ends with a binding, never with a session';

create table "importBatch" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "ibKind" text not null,
  "errorId" text not null,
  "fileName" text not null,
  "ibStatus" text not null default '0'::text,
  target jsonb not null default '{}'::jsonb,
  "newOnly" text not null default '0'::text,
  heads jsonb not null default '[]'::jsonb,
  "rowCount" integer not null default 0,
  matched text not null default '0'::text,
  top bytea,
  "newCount" integer not null default 0,
  "updateCount" integer not null default 0,
  "sameCount" integer not null default 0,
  "conflictCount" integer not null default 0,
  "faultCount" integer not null default 0,
  "skipCount" integer not null default 0,
  "hintCount" integer not null default 0,
  fault jsonb,
  "createBy" uuid not null,
  "createName" text not null,
  "createTime" timestamp with time zone not null,
  "commitTime" timestamp with time zone,
  "undoTime" timestamp with time zone,
  notes jsonb not null default '[]'::jsonb,
  constraint "importBatch_pkey" primary key ("schoolId", "ibId")
);
create unique index "importBatch_errorId" on "importBatch" ("errorId", "schoolId");

create table "importFile" (
  "schoolId" text not null,
  "ibId" uuid not null,
  content bytea storage external not null,
  constraint "importFile_pkey" primary key ("schoolId", "ibId"),
  constraint "importFile_schoolId_ibId_fkey" foreign key ("schoolId", "ibId") references "importBatch"("schoolId", "ibId") on delete cascade
);

create table "importMatch" (
  "schoolId" text not null,
  "suId" uuid not null,
  "ibKind" text not null,
  "headKey" text not null,
  columns jsonb not null,
  "updateTime" timestamp with time zone not null,
  constraint "importMatch_pkey" primary key ("schoolId", "suId", "ibKind", "headKey"),
  constraint "importMatch_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);

create table "importRow" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "rowNo" integer not null,
  verdict text not null,
  cells jsonb not null,
  "row" jsonb,
  faults jsonb not null default '[]'::jsonb,
  changes jsonb not null default '[]'::jsonb,
  constraint "importRow_pkey" primary key ("schoolId", "ibId", "rowNo"),
  constraint "importRow_schoolId_ibId_fkey" foreign key ("schoolId", "ibId") references "importBatch"("schoolId", "ibId") on delete cascade
);
create index "importRow_schoolId_ibId_verdict_rowNo_idx" on "importRow" ("schoolId", "ibId", verdict, "rowNo");

create table "importSource" (
  "schoolId" text not null,
  "isId" uuid not null,
  "isName" text not null,
  "isKind" text not null,
  "isWay" text not null,
  place jsonb not null,
  secret bytea,
  "runAt" text not null default ''::text,
  "changeLimit" integer not null,
  "leaverRule" text not null,
  "leaverLimit" integer not null,
  "isEnabled" text not null default '0'::text,
  "nextRun" timestamp with time zone,
  "ownerId" uuid not null,
  "createBy" uuid,
  "createName" text not null,
  "createTime" timestamp with time zone not null,
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null,
  version integer not null default 0,
  constraint "importSource_pkey" primary key ("schoolId", "isId"),
  constraint "importSource_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create index "importSource_due" on "importSource" ("nextRun")
  where ("nextRun" is not null);
comment on column "importSource".place is 'where the data are, by the way: fileName, address, format, jsonPath, viewName, columns';
comment on column "importSource"."ownerId" is 'with whose rights it runs';

create table "importSourceRun" (
  "schoolId" text not null,
  "runId" uuid not null,
  "isId" uuid not null,
  "runStatus" text not null,
  "isByHand" text not null,
  "createName" text not null,
  "startTime" timestamp with time zone not null,
  "endTime" timestamp with time zone,
  "fileName" text not null default ''::text,
  digest text not null default ''::text,
  "ibId" uuid,
  counts jsonb,
  leavers jsonb not null default '[]'::jsonb,
  fault text not null default ''::text,
  constraint "importSourceRun_pkey" primary key ("schoolId", "runId"),
  constraint "importSourceRun_schoolId_isId_fkey" foreign key ("schoolId", "isId") references "importSource"("schoolId", "isId") on delete cascade
);
create index "importSourceRun_of" on "importSourceRun" ("schoolId", "isId", "startTime" desc);
create unique index "importSourceRun_open" on "importSourceRun" ("schoolId", "isId")
  where ("runStatus" = any (array['running'::text, 'waiting'::text]));
comment on column "importSourceRun".digest is 'SHA-256 of what was fetched, so that the same data are not looked at twice';

create table "importUndo" (
  "schoolId" text not null,
  "ibId" uuid not null,
  "rowNo" integer not null,
  "recordId" uuid,
  version integer,
  undo jsonb not null,
  constraint "importUndo_pkey" primary key ("schoolId", "ibId", "rowNo"),
  constraint "importUndo_schoolId_ibId_fkey" foreign key ("schoolId", "ibId") references "importBatch"("schoolId", "ibId") on delete cascade
);
create index "importUndo_record" on "importUndo" ("schoolId", "recordId")
  where ("recordId" is not null);

create table information (
  "schoolId" text not null,
  "iiId" uuid not null,
  "iiTitle" text not null,
  "iiContent" text not null,
  "iiType" text not null default '1'::text,
  "bizType" text not null default ''::text,
  "bizId" text not null default ''::text,
  link text not null default ''::text,
  "createBy" uuid,
  "createName" text not null,
  "sendTime" timestamp with time zone not null default now(),
  "outboxDeleted" text not null default '0'::text,
  recalled text not null default '0'::text,
  constraint information_pkey primary key ("schoolId", "iiId")
);
create index information_outbox on information ("schoolId", "createBy", "sendTime")
  where (("createBy" is not null) and ("outboxDeleted" = '0'::text));
create index information_sent on information ("schoolId", "sendTime");

create table "informationReceiver" (
  "schoolId" text not null,
  "iurId" uuid not null,
  "iiId" uuid not null,
  "suId" uuid not null,
  "isRead" text not null default '0'::text,
  "readTime" timestamp with time zone,
  "inboxDeleted" text not null default '0'::text,
  constraint "informationReceiver_pkey" primary key ("schoolId", "iurId"),
  constraint "informationReceiver_schoolId_iiId_suId_key" unique ("schoolId", "iiId", "suId"),
  constraint "informationReceiver_schoolId_iiId_fkey" foreign key ("schoolId", "iiId") references information("schoolId", "iiId") on delete cascade,
  constraint "informationReceiver_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "informationReceiver_inbox" on "informationReceiver" ("schoolId", "suId", "isRead")
  where ("inboxDeleted" = '0'::text);
create trigger "informationReceiver_outbox_insert" after insert on "informationReceiver"
  referencing new table as became
  for each statement
  execute function outbox_message();

create table installation (
  "inKey" text not null,
  "inValue" text not null,
  "createTime" timestamp with time zone not null default now(),
  constraint installation_pkey primary key ("inKey")
);

create table job (
  "jobId" uuid not null,
  "schoolId" text not null,
  "jobKind" text not null,
  "jobKey" text,
  payload jsonb not null default '{}'::jsonb,
  "jobStatus" text not null default '0'::text,
  "runAt" timestamp with time zone not null default now(),
  attempts integer not null default 0,
  progress integer not null default 0,
  result jsonb,
  error text not null default ''::text,
  heartbeat timestamp with time zone,
  claim uuid,
  again boolean not null default false,
  "createBy" uuid,
  "createTime" timestamp with time zone not null default now(),
  "endTime" timestamp with time zone,
  runner text not null default ''::text,
  constraint job_pkey primary key ("jobId")
);
create index job_due on job ("runAt")
  where ("jobStatus" = '0'::text);
create unique index job_key on job ("schoolId", "jobKind", "jobKey")
  where ("jobStatus" = any (array['0'::text, '1'::text]));
create index job_running on job (heartbeat)
  where ("jobStatus" = '1'::text);
create index "job_schoolDue" on job ("schoolId", "runAt")
  where ("jobStatus" = '0'::text);

create table lesson (
  "schoolId" text not null,
  "liId" uuid not null,
  "liNo" text not null,
  "liName" text not null,
  "lsId" uuid not null,
  "lsPath" uuid[] not null,
  "liStatus" text not null default '0'::text,
  "liLevel" text not null,
  "isQuestionedAudit" text not null default '1'::text,
  "liKind" text not null default '3'::text,
  "liForm" text not null default '1'::text,
  "itemCategory" text not null default '0'::text,
  "parentLiId" uuid,
  "liScheme" text not null default 'standard'::text,
  "liExt" jsonb not null default '{}'::jsonb,
  "liPoster" uuid,
  "liIntro" text not null default ''::text,
  "liPlan" uuid,
  "liAttachments" uuid[] not null default '{}'::uuid[],
  "liCollegeId" uuid,
  "liDepartmentId" uuid,
  "liCircleId" uuid,
  "liSponsorName" text not null default ''::text,
  "liPrincipalId" uuid not null,
  "liPrincipalName" text not null default ''::text,
  "contactName" text not null default ''::text,
  "contactPhone" text not null default ''::text,
  campus text not null default ''::text,
  "placeText" text not null default ''::text,
  "applyWay" text not null default '2'::text,
  "applyUnit" text not null default '1'::text,
  quota integer not null,
  "quotaByCollege" jsonb not null default '[]'::jsonb,
  "waitlistOn" text not null default '0'::text,
  "rangeColleges" uuid[] not null default '{}'::uuid[],
  "rangeMajors" uuid[] not null default '{}'::uuid[],
  "rangeClasses" uuid[] not null default '{}'::uuid[],
  "rangeGrades" text[] not null default '{}'::text[],
  "applyStart" timestamp with time zone,
  "applyEnd" timestamp with time zone,
  "pickTime" timestamp with time zone,
  "turnoutFor" timestamp with time zone,
  "startTime" timestamp with time zone not null,
  "endTime" timestamp with time zone not null,
  "signType" text[] not null default '{}'::text[],
  "lateMinutes" integer not null default 15,
  "signOutOn" text not null default '0'::text,
  "signLng" double precision,
  "signLat" double precision,
  "signRadius" integer,
  "minAttendRate" integer not null default 0,
  "liHours" integer not null default 0,
  "liCredit" integer not null default 0,
  "liPoints" integer not null default 0,
  "atId" uuid,
  "esId" uuid,
  "publictyDays" integer not null default 3,
  "liPublictySdate" timestamp with time zone,
  "liPublictyEdate" timestamp with time zone,
  "applyCount" integer not null default 0,
  "pendingCount" integer not null default 0,
  "passCount" integer not null default 0,
  "signCount" integer not null default 0,
  "resultCount" integer not null default 0,
  "resultSummary" text not null default ''::text,
  "exitReason" text not null default ''::text,
  "changeId" uuid,
  "publishTime" timestamp with time zone,
  "publishBy" uuid,
  "publishAt" timestamp with time zone,
  "completeTime" timestamp with time zone,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  "teamMin" integer,
  "teamMax" integer,
  "quotaUnit" text not null default '1'::text,
  "organiserIds" uuid[] not null default '{}'::uuid[],
  "coOrganisers" text not null default ''::text,
  "liLabels" text[] not null default '{}'::text[],
  "rangeCircles" uuid[] not null default '{}'::uuid[],
  "rangePolitical" text[] not null default '{}'::text[],
  "rangeSexes" text[] not null default '{}'::text[],
  "reservedIds" uuid[] not null default '{}'::uuid[],
  "applyQuestions" text not null default ''::text,
  "workRequest" text not null default ''::text,
  constraint lesson_pkey primary key ("schoolId", "liId"),
  constraint "lesson_schoolId_liNo_key" unique ("schoolId", "liNo"),
  constraint lesson_check check (("endTime" > "startTime")),
  constraint "lesson_minAttendRate_check" check ((("minAttendRate" >= 0) and ("minAttendRate" <= 100))),
  constraint "lesson_passCount_check" check (("passCount" >= 0)),
  constraint lesson_quota_check check (((quota >= 1) and (quota <= 100000))),
  constraint "lesson_teamMax_check" check ((("teamMax" >= 2) and ("teamMax" <= 100))),
  constraint "lesson_teamMin_check" check ((("teamMin" >= 2) and ("teamMin" <= 100))),
  constraint lesson_team_size check (("teamMax" >= "teamMin")),
  constraint lesson_circle_fkey foreign key ("schoolId", "liCircleId") references circle("schoolId", "ciId"),
  constraint "lesson_schoolId_atId_fkey" foreign key ("schoolId", "atId") references "awardTemplate"("schoolId", "atId"),
  constraint "lesson_schoolId_esId_fkey" foreign key ("schoolId", "esId") references evaluation("schoolId", "esId"),
  constraint "lesson_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "lesson_schoolId_liCollegeId_fkey" foreign key ("schoolId", "liCollegeId") references college("schoolId", "scId"),
  constraint "lesson_schoolId_liDepartmentId_fkey" foreign key ("schoolId", "liDepartmentId") references department("schoolId", "sdId"),
  constraint "lesson_schoolId_liLevel_fkey" foreign key ("schoolId", "liLevel") references "lessonLevel"("schoolId", "llId"),
  constraint "lesson_schoolId_liPrincipalId_fkey" foreign key ("schoolId", "liPrincipalId") references person("schoolId", "suId"),
  constraint "lesson_schoolId_lsId_fkey" foreign key ("schoolId", "lsId") references curriculum("schoolId", "lsId")
);
create index lesson_circle on lesson ("schoolId", "liCircleId")
  where ("liCircleId" is not null);
create index lesson_college on lesson ("schoolId", "liCollegeId", "createTime" desc)
  where ("delFlag" = '0'::text);
create index lesson_creator on lesson ("schoolId", "createBy");
create index lesson_list on lesson ("schoolId", "createTime" desc, "liId")
  where ("delFlag" = '0'::text);
create index lesson_name_grams on lesson using gin (grams("liName"));
create index lesson_path on lesson using gin ("lsPath");
create index lesson_pick on lesson ("applyEnd")
  where (("liStatus" = '30'::text) and ("pickTime" is null) and ("pendingCount" > 0) and ("delFlag" = '0'::text));
create index lesson_principal on lesson ("schoolId", "liPrincipalId");
create index lesson_publicity on lesson ("liPublictyEdate")
  where ("liStatus" = '60'::text);
create index lesson_publish_at on lesson ("publishAt")
  where (("publishAt" is not null) and ("liStatus" = '20'::text) and ("delFlag" = '0'::text));
create index lesson_published on lesson ("schoolId", "publishTime")
  where (("delFlag" = '0'::text) and ("publishTime" is not null));
create index lesson_series on lesson ("schoolId", "parentLiId")
  where ("parentLiId" is not null);
create index lesson_start on lesson ("schoolId", "startTime")
  where ("delFlag" = '0'::text);
create index lesson_status on lesson ("schoolId", "liStatus", "createTime" desc)
  where ("delFlag" = '0'::text);
create index lesson_template on lesson ("schoolId", "atId")
  where ("atId" is not null);
create index lesson_turnout on lesson ("applyEnd")
  where (("liStatus" = '30'::text) and ("delFlag" = '0'::text));
create trigger lesson_note_delete after delete on lesson
  referencing old table as touched
  for each statement
  execute function note_lesson();
create trigger lesson_note_insert after insert on lesson
  referencing new table as touched
  for each statement
  execute function note_lesson();
create trigger lesson_note_subject after update on lesson
  referencing old table as was new table as became
  for each statement
  execute function lesson_note_subject();
create trigger lesson_note_update after update on lesson
  referencing old table as was new table as became
  for each statement
  execute function lesson_note_update();
create trigger lesson_outbox_update after update on lesson
  for each row when ((new."liStatus" is distinct from old."liStatus"))
  execute function outbox_lesson_update();
comment on column lesson."reservedIds" is 'students who have a place as soon as it is published';
comment on column lesson."applyQuestions" is 'asked of whoever registers, one a line';
comment on column lesson."workRequest" is 'what participants are to hand in, in words; blank: nothing';

create table "lessonChange" (
  "schoolId" text not null,
  "lcId" uuid not null,
  "liId" uuid not null,
  "lcStatus" text not null default '0'::text,
  columns jsonb not null,
  sessions jsonb,
  "teacherIds" uuid[],
  "signerIds" uuid[],
  "filesBefore" uuid[] not null default '{}'::uuid[],
  "filesAfter" uuid[] not null default '{}'::uuid[],
  differences jsonb not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "endTime" timestamp with time zone,
  reason text not null default ''::text,
  constraint "lessonChange_pkey" primary key ("schoolId", "lcId"),
  constraint "lessonChange_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId") on delete cascade
);
create unique index "lessonChange_open" on "lessonChange" ("schoolId", "liId")
  where ("lcStatus" = '0'::text);

create table "lessonDraw" (
  "schoolId" text not null,
  "liId" uuid not null,
  seed text not null,
  digest text not null,
  "committedTime" timestamp with time zone not null,
  "drawnTime" timestamp with time zone,
  "drawnBy" text not null default ''::text,
  places integer,
  ranked jsonb not null default '[]'::jsonb,
  constraint "lessonDraw_pkey" primary key ("schoolId", "liId"),
  constraint "lessonDraw_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId")
);

create table "lessonLevel" (
  "schoolId" text not null,
  "llId" text not null,
  "llName" text not null,
  "llFactor" integer not null default 100,
  "llSort" integer not null default 0,
  enable text not null default '1'::text,
  constraint "lessonLevel_pkey" primary key ("schoolId", "llId"),
  constraint "lessonLevel_schoolId_llName_key" unique ("schoolId", "llName"),
  constraint "lessonLevel_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create trigger "lessonLevel_configuration_delete" after delete on "lessonLevel"
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger "lessonLevel_configuration_insert" after insert on "lessonLevel"
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger "lessonLevel_configuration_update" after update on "lessonLevel"
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "lessonPerson" (
  "schoolId" text not null,
  "liId" uuid not null,
  "suId" uuid not null,
  "lpRole" text not null,
  constraint "lessonPerson_pkey" primary key ("schoolId", "liId", "lpRole", "suId"),
  constraint "lessonPerson_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId") on delete cascade,
  constraint "lessonPerson_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "lessonPerson_schoolId_suId_lpRole_idx" on "lessonPerson" ("schoolId", "suId", "lpRole");
create trigger "lessonPerson_note_delete" after delete on "lessonPerson"
  referencing old table as touched
  for each statement
  execute function "note_lessonPerson"();
create trigger "lessonPerson_note_insert" after insert on "lessonPerson"
  referencing new table as touched
  for each statement
  execute function "note_lessonPerson"();
create trigger "lessonPerson_note_update" after update on "lessonPerson"
  referencing new table as touched
  for each statement
  execute function "note_lessonPerson"();

create table "lessonSession" (
  "schoolId" text not null,
  "liId" uuid not null,
  "lseNo" integer not null,
  "startTime" timestamp with time zone not null,
  "endTime" timestamp with time zone not null,
  "placeText" text not null default ''::text,
  "codeSecret" bytea not null,
  constraint "lessonSession_pkey" primary key ("schoolId", "liId", "lseNo"),
  constraint "lessonSession_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId") on delete cascade
);
create index "lessonSession_time" on "lessonSession" ("schoolId", "startTime");
create trigger "lessonSession_note_delete" after delete on "lessonSession"
  referencing old table as touched
  for each statement
  execute function "note_lessonSession"();
create trigger "lessonSession_note_insert" after insert on "lessonSession"
  referencing new table as touched
  for each statement
  execute function "note_lessonSession"();
create trigger "lessonSession_note_update" after update on "lessonSession"
  referencing new table as touched
  for each statement
  execute function "note_lessonSession"();

create table "loginCounter" (
  "counterKey" text not null,
  failures integer not null,
  "windowStart" timestamp with time zone not null,
  "lockedUntil" timestamp with time zone,
  locks integer not null default 0,
  constraint "loginCounter_pkey" primary key ("counterKey")
);

create table "loginDay" (
  "schoolId" text not null,
  "suId" uuid not null,
  "logDay" date not null,
  times integer not null,
  hours integer[] not null,
  "lastTime" timestamp with time zone not null,
  ip text not null default ''::text,
  agent text not null default ''::text,
  constraint "loginDay_pkey" primary key ("schoolId", "logDay", "suId"),
  constraint "loginDay_hours_check" check ((cardinality(hours) = 24)),
  constraint "loginDay_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);
create index "loginDay_person" on "loginDay" ("schoolId", "suId", "logDay");
create trigger "loginDay_note_delete" after delete on "loginDay"
  referencing old table as touched
  for each statement
  execute function "note_loginDay"();
create trigger "loginDay_note_insert" after insert on "loginDay"
  referencing new table as touched
  for each statement
  execute function "note_loginDay"();
create trigger "loginDay_note_update" after update on "loginDay"
  referencing old table as former new table as touched
  for each statement
  execute function "note_loginDay_update"();

create table major (
  "schoolId" text not null,
  "smId" uuid not null,
  "smName" text not null,
  "smCode" text not null,
  "scId" uuid not null,
  "eduLevel" text not null default '2'::text,
  years integer not null default 4,
  "scSort" integer not null default 0,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint major_pkey primary key ("schoolId", "smId"),
  constraint "major_schoolId_scId_smName_key" unique ("schoolId", "scId", "smName"),
  constraint "major_schoolId_smCode_key" unique ("schoolId", "smCode"),
  constraint "major_schoolId_scId_fkey" foreign key ("schoolId", "scId") references college("schoolId", "scId")
);

create table "messagePreference" (
  "schoolId" text not null,
  "suId" uuid not null,
  "odChannel" text not null,
  "messageKind" text not null,
  "mpMode" text not null,
  "updateTime" timestamp with time zone not null,
  constraint "messagePreference_pkey" primary key ("schoolId", "suId", "odChannel", "messageKind"),
  constraint "messagePreference_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);
comment on table "messagePreference" is 'what people want by which channel, where it is not what their school says';

create table "messageTemplate" (
  "schoolId" text not null,
  "messageKind" text not null,
  subject text not null,
  content text not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "messageTemplate_pkey" primary key ("schoolId", "messageKind"),
  constraint "messageTemplate_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table "messageTemplate" is 'words of a school for messages that go outside, where it has its own';

create table "migrationProgress" (
  name text not null,
  "lastKey" jsonb,
  "rowCount" bigint not null default 0,
  "passNumber" integer not null default 1,
  "startTime" timestamp with time zone not null default now(),
  "endTime" timestamp with time zone,
  constraint "migrationProgress_pkey" primary key (name)
);
comment on table "migrationProgress" is 'how far backfills of migrations have come';
comment on column "migrationProgress"."lastKey" is 'key of the last row that was looked at; null at the beginning of a pass';
comment on column "migrationProgress"."endTime" is 'null while it is not through';

create table news (
  "schoolId" text not null,
  "niId" uuid not null,
  "ntId" uuid not null,
  "niTitle" text not null,
  "niSubtitle" text not null default ''::text,
  "niClass" text not null default '1'::text,
  "niDetail" text not null default ''::text,
  "niLink" text not null default ''::text,
  "niCover" uuid,
  "imgList" uuid[] not null default '{}'::uuid[],
  attachments uuid[] not null default '{}'::uuid[],
  "relIds" uuid[] not null default '{}'::uuid[],
  "niSource" text not null default ''::text,
  "niAuthor" text not null default ''::text,
  "niCollegeId" uuid,
  "niTop" text not null default '0'::text,
  "niIsShow" text not null default '1'::text,
  "niStatus" text not null default '0'::text,
  "publishTime" timestamp with time zone,
  "cancelReason" text not null default ''::text,
  "readCount" integer not null default 0,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint news_pkey primary key ("schoolId", "niId"),
  constraint "news_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "news_schoolId_niCollegeId_fkey" foreign key ("schoolId", "niCollegeId") references college("schoolId", "scId"),
  constraint "news_schoolId_ntId_fkey" foreign key ("schoolId", "ntId") references "newsType"("schoolId", "ntId")
);
create index news_list on news ("schoolId", "createTime" desc, "niId")
  where ("delFlag" = '0'::text);
create index news_type on news ("schoolId", "ntId");

create table "newsType" (
  "schoolId" text not null,
  "ntId" uuid not null,
  "ntName" text not null,
  "ntSort" integer not null default 0,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "newsType_pkey" primary key ("schoolId", "ntId"),
  constraint "newsType_schoolId_ntName_key" unique ("schoolId", "ntName"),
  constraint "newsType_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "outboxDelivery" (
  "schoolId" text not null,
  "dlId" uuid not null,
  "odId" uuid not null,
  "eventId" uuid not null,
  "eventKind" text not null,
  "eventData" jsonb not null,
  "dlStatus" text not null default '0'::text,
  attempts integer not null default 0,
  "nextTime" timestamp with time zone,
  "answerCode" integer,
  "answerText" text not null default ''::text,
  "lastTime" timestamp with time zone,
  "endTime" timestamp with time zone,
  "createTime" timestamp with time zone not null default clock_timestamp(),
  "suId" uuid,
  "iurId" uuid,
  "isUrgent" boolean not null default false,
  "digestId" uuid,
  "sealedContent" bytea,
  target text not null default ''::text,
  "queueTime" timestamp with time zone not null default clock_timestamp(),
  "laterId" text,
  constraint "outboxDelivery_pkey" primary key ("schoolId", "dlId"),
  constraint "outboxDelivery_schoolId_odId_fkey" foreign key ("schoolId", "odId") references "outboxDestination"("schoolId", "odId") on delete cascade
);
create index "outboxDelivery_destination" on "outboxDelivery" ("schoolId", "odId", "createTime" desc);
create index "outboxDelivery_digest" on "outboxDelivery" ("schoolId", "digestId")
  where ("digestId" is not null);
create index "outboxDelivery_due" on "outboxDelivery" ("schoolId", "odId", "isUrgent" desc, "createTime", "eventId")
  where ("dlStatus" = any (array['0'::text, '1'::text]));
create index "outboxDelivery_gathering" on "outboxDelivery" ("schoolId", "odId", "suId")
  where ("dlStatus" = '6'::text);
create index "outboxDelivery_later" on "outboxDelivery" ("schoolId", "odId", "endTime")
  where ("laterId" is not null);
create unique index "outboxDelivery_message" on "outboxDelivery" ("schoolId", "odId", "iurId")
  where ("iurId" is not null);
create index "outboxDelivery_waiting" on "outboxDelivery" ("schoolId", "odId", "createTime")
  where ("dlStatus" = any (array['0'::text, '1'::text]));
comment on table "outboxDelivery" is 'one event for one destination';
comment on column "outboxDelivery"."nextTime" is 'no attempt before; null: at once';
comment on column "outboxDelivery"."answerCode" is 'HTTP status of the last answer; null where none came';
comment on column "outboxDelivery"."suId" is 'who is told; null: an event for another system';
comment on column "outboxDelivery"."iurId" is 'the copy in the inbox that it tells of';
comment on column "outboxDelivery"."digestId" is 'the delivery that it was gathered into';
comment on column "outboxDelivery"."sealedContent" is 'what stands nowhere else, until it has ended';
comment on column "outboxDelivery".target is 'where it went, masked';
comment on column "outboxDelivery"."queueTime" is 'since when it waits: the message, or sending again';
comment on column "outboxDelivery"."laterId" is 'by which the service is asked whether it has arrived; null once that is known';

create table "outboxDestination" (
  "schoolId" text not null,
  "odId" uuid not null,
  "odChannel" text not null,
  "odName" text not null,
  address text not null,
  "eventKinds" text[] not null default '{}'::text[],
  "sealedSecret" bytea,
  enable text not null default '1'::text,
  failures integer not null default 0,
  "failedSince" timestamp with time zone,
  "pausedUntil" timestamp with time zone,
  "isTold" boolean not null default false,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  settings jsonb not null default '{}'::jsonb,
  "messageKinds" text[] not null default '{}'::text[],
  "digestKinds" text[] not null default '{}'::text[],
  "digestAt" text not null default ''::text,
  "quietFrom" text not null default ''::text,
  "quietTo" text not null default ''::text,
  constraint "outboxDestination_pkey" primary key ("schoolId", "odId"),
  constraint "outboxDestination_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table "outboxDestination" is 'other systems that are told of events';
comment on column "outboxDestination".failures is 'attempts since the last one that succeeded';
comment on column "outboxDestination"."pausedUntil" is 'no attempt before';
comment on column "outboxDestination"."isTold" is 'whether the administrators know that it fails';
comment on column "outboxDestination".settings is 'of a message channel, by the way: host, base address, sender';
comment on column "outboxDestination"."messageKinds" is 'which messages go out by it at all';
comment on column "outboxDestination"."digestKinds" is 'of them those that are gathered unless a person wants otherwise';
comment on column "outboxDestination"."digestAt" is 'HH:mm of each day';
comment on column "outboxDestination"."quietFrom" is 'HH:mm from which only urgent messages go out; empty: no quiet hours';

create table "overCap" (
  "schoolId" text not null,
  "ocId" uuid not null,
  "suId" uuid not null,
  "tmName" text not null,
  "tmStart" date not null,
  "tmEnd" date not null,
  hours integer not null,
  reason text not null,
  "createBy" uuid not null,
  "createName" text not null,
  "createTime" timestamp with time zone not null,
  constraint "overCap_pkey" primary key ("schoolId", "ocId"),
  constraint "overCap_hours_check" check ((hours > 0)),
  constraint "overCap_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "overCap_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "overCap_student" on "overCap" ("schoolId", "suId");

create table "passwordHistory" (
  "schoolId" text not null,
  "suId" uuid not null,
  "passwordHash" text not null,
  "setTime" timestamp with time zone not null default now(),
  constraint "passwordHistory_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
create index "passwordHistory_schoolId_suId_setTime_idx" on "passwordHistory" ("schoolId", "suId", "setTime");

create table person (
  "schoolId" text not null,
  "suId" uuid not null,
  "suiType" text not null,
  "suiName" text not null,
  "suiNumber" text not null,
  "suiSex" text not null default '0'::text,
  birth date,
  "suiNation" text,
  "suiPolitical" text,
  "leagueJoinDate" date,
  "partyJoinDate" date,
  "suiIdType" text,
  "suiIdCard" bytea,
  "suiIdCardHash" bytea,
  "suiPhone" bytea,
  "suiPhoneHash" bytea,
  "suiEmail" text,
  "suiPhoto" uuid,
  "provinceId" text,
  "cityId" text,
  "areaId" text,
  "suiAddress" text,
  "suiDorm" text,
  "suiCollegeId" uuid,
  "majorId" uuid,
  "scClassId" uuid,
  "suiGrade" text,
  "suiEduLevel" text,
  "suiStudyYears" integer,
  "suiEnterDate" date,
  "suiGraduateDate" date,
  "suiStatus" text not null default '1'::text,
  "suiCampus" text,
  "suiCredibility" integer not null default 100,
  "blackUntil" timestamp with time zone,
  "warnLevel" text not null default '0'::text,
  "isVolunteerRegistered" text not null default '0'::text,
  "volunteerNo" text,
  title text,
  "teacherType" text,
  post text,
  specialty text,
  remark text,
  "importBatchId" uuid,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  "contactsErased" timestamp with time zone,
  "identityErased" timestamp with time zone,
  "holdReason" text not null default ''::text,
  constraint person_pkey primary key ("schoolId", "suId"),
  constraint "person_suiCredibility_check" check (("suiCredibility" >= 0)),
  constraint "person_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "person_schoolId_majorId_fkey" foreign key ("schoolId", "majorId") references major("schoolId", "smId"),
  constraint "person_schoolId_scClassId_fkey" foreign key ("schoolId", "scClassId") references "schoolClass"("schoolId", "scClassId"),
  constraint "person_schoolId_suiCollegeId_fkey" foreign key ("schoolId", "suiCollegeId") references college("schoolId", "scId")
);
create index person_any_number on person ("schoolId", "suiNumber", "suId");
create index person_batch on person ("schoolId", "importBatchId")
  where ("importBatchId" is not null);
create index person_class on person ("schoolId", "scClassId")
  where ("delFlag" = '0'::text);
create index person_college on person ("schoolId", "suiType", "suiCollegeId", "suiGrade", "suiNumber", "suId")
  where ("delFlag" = '0'::text);
create index person_graduates on person ("schoolId", "suId")
  where (("suiType" = '1'::text) and ("suiStatus" = '4'::text) and ("delFlag" = '0'::text) and ("identityErased" is null));
create index person_idcard on person ("schoolId", "suiIdCardHash")
  where ("suiIdCardHash" is not null);
create index person_list on person ("schoolId", "suiType", "suiNumber", "suId")
  where ("delFlag" = '0'::text);
create index person_major on person ("schoolId", "majorId")
  where ("delFlag" = '0'::text);
create index person_name_chars on person using gin (chars("suiName"));
create unique index person_number on person ("schoolId", "suiNumber")
  where ("delFlag" = '0'::text);
create index person_number_chars on person using gin (chars("suiNumber"));
create index person_phone on person ("schoolId", "suiPhoneHash")
  where ("suiPhoneHash" is not null);
create index person_photo on person ("schoolId", "suiPhoto")
  where ("suiPhoto" is not null);
create index person_place on person ("schoolId", "suiCollegeId", "suiGrade")
  include ("suId");
create index person_removed on person ("schoolId", "suId")
  where ("delFlag" <> '0'::text);
create index person_warn on person ("schoolId", "warnLevel")
  where ("warnLevel" <> '0'::text);
create trigger person_note_delete after delete on person
  referencing old table as touched
  for each statement
  execute function note_person();
create trigger person_note_insert after insert on person
  referencing new table as touched
  for each statement
  execute function note_person();
create trigger person_note_update after update on person
  referencing old table as was new table as became
  for each statement
  execute function note_person_update();
create trigger person_outbox_insert after insert on person
  referencing new table as became
  for each statement
  execute function outbox_person();
create trigger person_outbox_update after update on person
  for each row when ((((new."delFlag" is distinct from old."delFlag") or (new."suiStatus" is distinct from old."suiStatus")) or (new."suiType" is distinct from old."suiType")))
  execute function outbox_person_update();
create trigger "person_studentChange" after update on person
  for each row when (((new."suiType" = '1'::text) and (new."delFlag" = '0'::text) and (old."delFlag" = '0'::text) and (((((new."suiStatus" is distinct from old."suiStatus") or (new."suiCollegeId" is distinct from old."suiCollegeId")) or (new."majorId" is distinct from old."majorId")) or (new."scClassId" is distinct from old."scClassId")) or (new."suiGrade" is distinct from old."suiGrade"))))
  execute function "person_studentChange"();
comment on column person."contactsErased" is 'when what a graduate could be reached by was erased';
comment on column person."identityErased" is 'when name and number became pseudonyms';
comment on column person."holdReason" is 'why nothing of a graduate may be erased; empty: nothing speaks against it';

create table "personErasure" (
  "schoolId" text not null,
  "suId" uuid not null,
  reason text not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null,
  constraint "personErasure_pkey" primary key ("schoolId", "suId"),
  constraint "personErasure_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
comment on table "personErasure" is 'People whose data were erased because they asked for it.';
comment on column "personErasure".reason is 'why, without the name and numbers of the person';

create table "personIdentity" (
  "schoolId" text not null,
  "identityId" uuid not null,
  "suId" uuid not null,
  "providerId" uuid not null,
  subject text not null,
  "createId" uuid not null,
  "createTime" timestamp with time zone not null,
  "lastTime" timestamp with time zone,
  constraint "personIdentity_pkey" primary key ("schoolId", "identityId"),
  constraint "personIdentity_schoolId_providerId_subject_key" unique ("schoolId", "providerId", subject),
  constraint "personIdentity_schoolId_providerId_fkey" foreign key ("schoolId", "providerId") references "identityProvider"("schoolId", "providerId") on delete cascade,
  constraint "personIdentity_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
create index "personIdentity_schoolId_suId_idx" on "personIdentity" ("schoolId", "suId");
comment on table "personIdentity" is 'Accounts at providers that people have bound to theirs; each is one person''s.';
comment on column "personIdentity".subject is 'what the provider calls the person, for good';
comment on column "personIdentity"."lastTime" is 'when somebody last signed in by it';

create table place (
  "schoolId" text not null,
  "plId" uuid not null,
  "plName" text not null,
  "plCapacity" integer not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint place_pkey primary key ("schoolId", "plId"),
  constraint "place_plCapacity_check" check (("plCapacity" > 0)),
  constraint "place_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create index "place_bareName" on place ("schoolId", regexp_replace("plName", '\s'::text, ''::text, 'g'::text));
create unique index place_name on place ("schoolId", "plName");

create table "platformReader" (
  "schoolId" text not null,
  "roleName" text not null,
  "endDate" date not null,
  "createTime" timestamp with time zone not null default now(),
  constraint "platformReader_pkey" primary key ("schoolId"),
  constraint "platformReader_roleName_key" unique ("roleName"),
  constraint "platformReader_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table "platformReader" is 'roles of the database that read the views of platform_v1, one a school';

create table preference (
  "schoolId" text not null,
  "suId" uuid not null,
  "pfKey" text not null,
  "pfValue" jsonb not null,
  "updateTime" timestamp with time zone not null default now(),
  constraint preference_pkey primary key ("schoolId", "suId", "pfKey"),
  constraint "preference_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);

create table "privacyNotice" (
  "schoolId" text not null,
  version integer not null,
  content text not null,
  "publishTime" timestamp with time zone not null,
  "publishBy" uuid not null,
  "publishName" text not null,
  constraint "privacyNotice_pkey" primary key ("schoolId", version),
  constraint "privacyNotice_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table "privacyNotice" is 'Privacy notices as published; version 1 is the text of the program.';

create table "processBeat" (
  "pbId" uuid not null,
  instance text not null,
  "pbKind" text not null,
  "programVersion" text not null,
  "nodeVersion" text not null,
  "startTime" timestamp with time zone not null default now(),
  "beatTime" timestamp with time zone not null default now(),
  memory bigint not null,
  "loopDelay" integer not null,
  "poolBusy" integer not null,
  "poolWaiting" integer not null,
  "listenSilence" integer,
  constraint "processBeat_pkey" primary key ("pbId")
);
comment on table "processBeat" is 'processes of the installation and when they last said so';
comment on column "processBeat"."loopDelay" is 'milliseconds, the 99th percentile since the last beat';

create table "publictyRound" (
  "schoolId" text not null,
  "liId" uuid not null,
  "roundNo" integer not null,
  "liPublictySdate" timestamp with time zone not null,
  "liPublictyEdate" timestamp with time zone not null,
  "publictyStatus" text not null default '1'::text,
  "startName" text not null default ''::text,
  "startTime" timestamp with time zone not null default now(),
  "endName" text not null default ''::text,
  "endTime" timestamp with time zone,
  "endReason" text not null default ''::text,
  constraint "publictyRound_pkey" primary key ("schoolId", "liId", "roundNo"),
  constraint "publictyRound_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId") on delete cascade
);

create table "qualityLabel" (
  "schoolId" text not null,
  "sqlId" uuid not null,
  "sqlPid" uuid,
  "sqlName" text not null,
  "sqlCode" text not null default ''::text,
  "sqlDesc" text not null default ''::text,
  "sqlColor" text not null default ''::text,
  "sqlSort" integer not null default 0,
  "platformId" text,
  "fullScore" integer not null default 10000,
  levels jsonb not null default '[]'::jsonb,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "qualityLabel_pkey" primary key ("schoolId", "sqlId"),
  constraint "qualityLabel_schoolId_sqlName_key" unique ("schoolId", "sqlName"),
  constraint "qualityLabel_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create trigger "qualityLabel_configuration_delete" after delete on "qualityLabel"
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger "qualityLabel_configuration_insert" after insert on "qualityLabel"
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger "qualityLabel_configuration_update" after update on "qualityLabel"
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "qualityModel" (
  "schoolId" text not null,
  "updateName" text not null default ''::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "qualityModel_pkey" primary key ("schoolId"),
  constraint "qualityModel_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "qualityModelLabel" (
  "schoolId" text not null,
  "sqlId" uuid not null,
  "qmName" text not null,
  "qmMax" integer not null,
  "qmColor" text not null default ''::text,
  "qmSort" integer not null,
  constraint "qualityModelLabel_pkey" primary key ("schoolId", "sqlId"),
  constraint "qualityModelLabel_qmMax_check" check (("qmMax" > 0)),
  constraint "qualityModelLabel_schoolId_fkey" foreign key ("schoolId") references "qualityModel"("schoolId") on delete cascade,
  constraint "qualityModelLabel_schoolId_sqlId_fkey" foreign key ("schoolId", "sqlId") references "qualityLabel"("schoolId", "sqlId")
);

create table question (
  "schoolId" text not null,
  "qId" uuid not null,
  "liId" uuid,
  "targetSuId" uuid,
  "reporterSuId" uuid not null,
  "qType" text not null,
  "qContent" text not null,
  "qAward" text not null default ''::text,
  "qProofs" uuid[] not null default '{}'::uuid[],
  "qStatus" text not null default '0'::text,
  source text not null default '1'::text,
  "importBatchId" uuid,
  deadline timestamp with time zone not null,
  "acceptName" text not null default ''::text,
  "acceptTime" timestamp with time zone,
  opinion text not null default ''::text,
  "handleName" text not null default ''::text,
  "handleTime" timestamp with time zone,
  "qOutcome" text,
  "outcomeOpinion" text not null default ''::text,
  "outcomeName" text not null default ''::text,
  "outcomeTime" timestamp with time zone,
  "beforeResult" text not null default ''::text,
  "afterResult" text not null default ''::text,
  "creditDelta" integer not null default 0,
  "credibilityDelta" integer not null default 0,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  "lisId" uuid,
  constraint question_pkey primary key ("schoolId", "qId"),
  constraint question_matter check ((num_nonnulls("liId", "lisId") = 1)),
  constraint question_student check ((("lisId" is null) or ("targetSuId" is not null))),
  constraint "question_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "question_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId"),
  constraint "question_schoolId_lisId_fkey" foreign key ("schoolId", "lisId") references supplement("schoolId", "lisId"),
  constraint "question_schoolId_reporterSuId_fkey" foreign key ("schoolId", "reporterSuId") references person("schoolId", "suId"),
  constraint "question_schoolId_targetSuId_fkey" foreign key ("schoolId", "targetSuId") references person("schoolId", "suId")
);
create index question_due on question (deadline)
  where (("qStatus" = '0'::text) and ("delFlag" = '0'::text));
create index question_lesson on question ("schoolId", "liId", "qStatus");
create index question_list on question ("schoolId", "createTime" desc, "qId")
  where ("delFlag" = '0'::text);
create unique index question_open on question ("schoolId", "liId", coalesce("targetSuId", "reporterSuId"), (("targetSuId" is null)))
  where (("delFlag" = '0'::text) and (("qStatus" = any (array['0'::text, '1'::text, '5'::text])) or (("qStatus" = '2'::text) and ("qOutcome" is null))));
create index "question_schoolId_reporterSuId_idx" on question ("schoolId", "reporterSuId");
create index "question_schoolId_targetSuId_idx" on question ("schoolId", "targetSuId");
create index question_supplement on question ("schoolId", "lisId", "qStatus")
  where ("lisId" is not null);
create unique index question_supplement_open on question ("schoolId", "lisId")
  where (("lisId" is not null) and ("delFlag" = '0'::text) and (("qStatus" = any (array['0'::text, '1'::text, '5'::text])) or (("qStatus" = '2'::text) and ("qOutcome" is null))));
create trigger question_outbox_insert after insert on question
  referencing new table as became
  for each statement
  execute function outbox_question();
create trigger question_outbox_update after update on question
  for each row when (((new."qStatus" is distinct from old."qStatus") or (new."qOutcome" is distinct from old."qOutcome")))
  execute function outbox_question_update();

create table "recoveryCode" (
  "schoolId" text not null,
  "suId" uuid not null,
  "codeHash" bytea not null,
  "usedTime" timestamp with time zone,
  "createTime" timestamp with time zone not null,
  constraint "recoveryCode_pkey" primary key ("schoolId", "suId", "codeHash"),
  constraint "recoveryCode_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
comment on table "recoveryCode" is 'Codes that stand in for an authenticator once each; only keyed hashes.';

create table registration (
  "schoolId" text not null,
  "laId" uuid not null,
  "liId" uuid not null,
  "suId" uuid not null,
  "laStatus" text not null default '0'::text,
  "applyTime" timestamp with time zone not null default now(),
  "applyFrom" text not null default 'import'::text,
  "auditBy" uuid,
  "auditTime" timestamp with time zone,
  "refuseReason" text not null default ''::text,
  "waitNo" integer,
  "drawNo" integer,
  "partakeMode" text not null default '1'::text,
  "signInTime" timestamp with time zone,
  "signOutTime" timestamp with time zone,
  "signMethod" text,
  "signBy" uuid,
  "laSignStatus" text not null default '0'::text,
  "signReason" text not null default ''::text,
  "laResult" text not null default '0'::text,
  "adId" uuid,
  "awardName" text not null default ''::text,
  "laHours" integer not null default 0,
  "laCredit" integer not null default 0,
  "laPoints" integer not null default 0,
  "laStars" smallint,
  remark text not null default ''::text,
  "importBatchId" uuid,
  "delFlag" text not null default '0'::text,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  "teamId" uuid,
  "teamRank" integer,
  "teamSize" integer,
  "applyAnswers" jsonb not null default '[]'::jsonb,
  "workText" text not null default ''::text,
  "workFiles" uuid[] not null default '{}'::uuid[],
  "workTime" timestamp with time zone,
  constraint registration_pkey primary key ("schoolId", "laId"),
  constraint "registration_laStars_check" check ((("laStars" >= 1) and ("laStars" <= 5))),
  constraint registration_team_share check ((("teamRank" >= 1) and ("teamRank" <= "teamSize"))),
  constraint "registration_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId"),
  constraint "registration_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId"),
  constraint "registration_schoolId_teamId_fkey" foreign key ("schoolId", "teamId") references team("schoolId", "teamId")
);
create index registration_list on registration ("schoolId", "liId", "applyTime", "laId")
  where ("delFlag" = '0'::text);
create unique index registration_once on registration ("schoolId", "liId", "suId")
  where ("delFlag" = '0'::text);
create index registration_person on registration ("schoolId", "suId")
  where ("delFlag" = '0'::text);
create index registration_stars on registration ("schoolId", "liId")
  include ("laStars")
  where (("laStars" is not null) and ("delFlag" = '0'::text));
create index registration_team on registration ("schoolId", "teamId")
  where ("teamId" is not null);
create index registration_works on registration using gin ("workFiles")
  where ("workTime" is not null);
create trigger registration_note_delete after delete on registration
  referencing old table as touched
  for each statement
  execute function note_registration();
create trigger registration_note_insert after insert on registration
  referencing new table as touched
  for each statement
  execute function note_registration();
create trigger registration_note_update after update on registration
  referencing new table as touched
  for each statement
  execute function note_registration();
create trigger registration_outbox_insert after insert on registration
  referencing new table as became
  for each statement
  execute function outbox_registration();
create trigger registration_outbox_update after update on registration
  for each row when ((((new."laStatus" is distinct from old."laStatus") or (new."laSignStatus" is distinct from old."laSignStatus")) or (new."delFlag" is distinct from old."delFlag")))
  execute function outbox_registration_update();
comment on column registration."applyAnswers" is '[{question, answer}], as it was asked then';
comment on column registration."workTime" is 'when the work was handed in last; null: none was';

create table "requestKey" (
  "schoolId" text not null,
  "suId" uuid not null,
  key text not null,
  "inputHash" bytea not null,
  answer bytea,
  "createTime" timestamp with time zone not null,
  constraint "requestKey_pkey" primary key ("schoolId", "suId", key)
);
create index "requestKey_createTime_idx" on "requestKey" ("createTime");

create table "resetRequest" (
  "rqId" uuid not null,
  "schoolId" text not null,
  "suId" uuid not null,
  "codeHash" bytea not null,
  "expireTime" timestamp with time zone not null,
  "usedTime" timestamp with time zone,
  "createTime" timestamp with time zone not null,
  "sealedMessage" bytea,
  constraint "resetRequest_pkey" primary key ("rqId")
);
create index "resetRequest_schoolId_suId_createTime_idx" on "resetRequest" ("schoolId", "suId", "createTime");
comment on column "resetRequest"."sealedMessage" is 'Sealed: the code and its person. Kept where somebody has to pass the code on, until it is used or has run out';

create table role (
  "schoolId" text not null,
  "srId" uuid not null,
  "srName" text not null,
  "srCode" text not null,
  "srType" text not null default '2'::text,
  "srDesc" text not null default ''::text,
  "srSort" integer not null default 0,
  enable text not null default '1'::text,
  "dataScope" text not null default '9'::text,
  permits text[] not null default '{}'::text[],
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint role_pkey primary key ("schoolId", "srId"),
  constraint "role_schoolId_srCode_key" unique ("schoolId", "srCode"),
  constraint "role_schoolId_srName_key" unique ("schoolId", "srName"),
  constraint "role_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create trigger role_configuration_delete after delete on role
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger role_configuration_insert after insert on role
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger role_configuration_update after update on role
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "roleUser" (
  "schoolId" text not null,
  "srId" uuid not null,
  "suId" uuid not null,
  "grantedBy" uuid,
  "grantTime" timestamp with time zone not null default now(),
  "endDate" date,
  "importBatchId" uuid,
  constraint "roleUser_pkey" primary key ("schoolId", "srId", "suId"),
  constraint "roleUser_schoolId_srId_fkey" foreign key ("schoolId", "srId") references role("schoolId", "srId"),
  constraint "roleUser_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
create index "roleUser_end" on "roleUser" ("endDate")
  where ("endDate" is not null);
create index "roleUser_schoolId_suId_idx" on "roleUser" ("schoolId", "suId");

create table "savedView" (
  "schoolId" text not null,
  "suId" uuid not null,
  "svId" uuid not null,
  "listName" text not null,
  "svTitle" text not null,
  "svQuery" jsonb not null,
  "createTime" timestamp with time zone not null,
  constraint "savedView_pkey" primary key ("schoolId", "suId", "svId"),
  constraint "savedView_schoolId_suId_listName_svTitle_key" unique ("schoolId", "suId", "listName", "svTitle"),
  constraint "savedView_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);

create table school (
  "schoolId" text not null,
  "schName" text not null,
  "schCode" text not null default ''::text,
  "schMotto" text not null default ''::text,
  address text not null default ''::text,
  phone text not null default ''::text,
  "logoFileId" uuid,
  "badgeFileId" uuid,
  "sealFileId" uuid,
  "loginBgFileId" uuid,
  features jsonb not null default '{}'::jsonb,
  settings jsonb not null default '{}'::jsonb,
  "settingsVersion" integer not null default 0,
  "dictVersion" integer not null default 1,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  "tracesGoneBefore" date not null default '0001-01-01'::date,
  "suspendedTime" timestamp with time zone,
  "suspendedWhy" text not null default ''::text,
  "signInHost" text,
  "moveState" text not null default ''::text,
  "movedTo" text not null default ''::text,
  constraint school_pkey primary key ("schoolId"),
  constraint "school_moveState" check ((("moveState" = any (array[''::text, 'moving'::text, 'moved'::text])) and (("moveState" = ''::text) or ("suspendedTime" is not null)))),
  constraint "school_schoolId_check" check (("schoolId" ~ '^[a-zA-Z0-9_-]{1,32}$'::text)),
  constraint "school_signInHost_check" check ((("signInHost" = lower("signInHost")) and ("signInHost" <> ''::text)))
);
create unique index "school_signInHost" on school ("signInHost");
create trigger school_configuration_insert after insert on school
  for each row
  execute function configuration_changed_settings();
create trigger school_configuration_update after update of settings on school
  for each row
  execute function configuration_changed_settings();
create trigger school_note_settings after update of settings on school
  for each row when (((old.settings -> 'totalHours'::text) is distinct from (new.settings -> 'totalHours'::text)))
  execute function note_school();
comment on column school."tracesGoneBefore" is 'sign-ins before this day have lost their address and browser';
comment on column school."suspendedTime" is 'since when the school stands still; null where it works';
comment on column school."signInHost" is 'the name of the host under which people reach the school, without port; null for none';
comment on column school."moveState" is 'moving: a suspended school whose people may still look; moved: it is at movedTo now; empty: neither';

create table "schoolClass" (
  "schoolId" text not null,
  "scClassId" uuid not null,
  "scClassName" text not null,
  "scClassCode" text not null default ''::text,
  "scId" uuid not null,
  "smId" uuid not null,
  "scClassGrade" text not null,
  "scClassSort" integer not null default 0,
  "counselorId" uuid,
  "headTeacherId" uuid,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "schoolClass_pkey" primary key ("schoolId", "scClassId"),
  constraint "schoolClass_schoolId_smId_scClassGrade_scClassName_key" unique ("schoolId", "smId", "scClassGrade", "scClassName"),
  constraint "schoolClass_schoolId_scId_fkey" foreign key ("schoolId", "scId") references college("schoolId", "scId"),
  constraint "schoolClass_schoolId_smId_fkey" foreign key ("schoolId", "smId") references major("schoolId", "smId")
);
create index "schoolClass_schoolId_scId_scClassGrade_idx" on "schoolClass" ("schoolId", "scId", "scClassGrade");

create table "schoolQuota" (
  "schoolId" text not null,
  "maxPeople" integer,
  "maxBytes" bigint,
  "maxConcurrent" integer,
  "maxPerMinute" integer,
  "maxTasks" integer,
  "maxMessages" integer,
  "usedPeople" integer not null default 0,
  "usedBytes" bigint not null default 0,
  "usedMessages" integer not null default 0,
  "messageDay" date not null default '0001-01-01'::date,
  "countTime" timestamp with time zone not null default now(),
  constraint "schoolQuota_pkey" primary key ("schoolId"),
  constraint "schoolQuota_maxBytes_check" check (("maxBytes" > 0)),
  constraint "schoolQuota_maxConcurrent_check" check (("maxConcurrent" > 0)),
  constraint "schoolQuota_maxMessages_check" check (("maxMessages" > 0)),
  constraint "schoolQuota_maxPeople_check" check (("maxPeople" > 0)),
  constraint "schoolQuota_maxPerMinute_check" check (("maxPerMinute" > 0)),
  constraint "schoolQuota_maxTasks_check" check (("maxTasks" > 0)),
  constraint "schoolQuota_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
comment on table "schoolQuota" is 'bounds that the operator has set a school; null for none, and no row where there is none at all';
comment on column "schoolQuota"."usedMessages" is 'copies that people have sent on messageDay';

create table "schoolRemoval" (
  "schoolId" text not null,
  "startTime" timestamp with time zone not null,
  "endTime" timestamp with time zone,
  "schName" text not null,
  "removedBy" text not null,
  "archiveName" text not null,
  "archiveSha256" text not null,
  "archiveTime" timestamp with time zone not null,
  files integer not null default 0,
  counts jsonb not null default '{}'::jsonb,
  constraint "schoolRemoval_pkey" primary key ("schoolId", "startTime")
);
create unique index "schoolRemoval_underWay" on "schoolRemoval" ("schoolId")
  where ("endTime" is null);
comment on column "schoolRemoval".counts is 'rows removed so far, by table';

create table "serviceKey" (
  "schoolId" text not null,
  "keyId" uuid not null,
  "keyName" text not null,
  prefix text not null,
  "keyHash" bytea not null,
  "srId" uuid not null,
  targets jsonb not null default '[]'::jsonb,
  networks text[] not null default '{}'::text[],
  "perMinute" integer not null,
  "endDate" date not null,
  "revokeTime" timestamp with time zone,
  "revokeName" text not null default ''::text,
  "lastTime" timestamp with time zone,
  "lastIp" text not null default ''::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "serviceKey_pkey" primary key ("schoolId", "keyId"),
  constraint "serviceKey_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "serviceKey_schoolId_srId_fkey" foreign key ("schoolId", "srId") references role("schoolId", "srId")
);
create index "serviceKey_hash" on "serviceKey" ("keyHash");
create index "serviceKey_role" on "serviceKey" ("schoolId", "srId");
comment on table "serviceKey" is 'keys by which programs ask';
comment on column "serviceKey".prefix is 'how the key begins, by which people know it';
comment on column "serviceKey"."keyHash" is 'SHA-256 of the key';
comment on column "serviceKey".targets is 'control area: kind and id of each target';
comment on column "serviceKey".networks is 'addresses it may come from; any where empty';

create table session (
  "sessionId" uuid not null,
  "schoolId" text not null,
  "suId" uuid not null,
  "accessHash" bytea not null,
  "refreshHash" bytea,
  "usedRefreshHash" bytea,
  "refreshedTime" timestamp with time zone,
  "createTime" timestamp with time zone not null,
  "lastSeen" timestamp with time zone not null,
  "absoluteExpiry" timestamp with time zone not null,
  ip text not null,
  agent text not null,
  "provenTime" timestamp with time zone,
  "providerId" uuid,
  "ticketHash" bytea,
  "subjectHash" bytea,
  constraint session_pkey primary key ("sessionId"),
  constraint "session_accessHash_key" unique ("accessHash"),
  constraint "session_refreshHash_key" unique ("refreshHash")
);
create index "session_absoluteExpiry_idx" on session ("absoluteExpiry");
create index session_provider on session ("schoolId", "providerId", "ticketHash")
  where ("providerId" is not null);
create index "session_schoolId_suId_createTime_idx" on session ("schoolId", "suId", "createTime");
create index "session_usedRefreshHash_idx" on session ("usedRefreshHash")
  where ("usedRefreshHash" is not null);
comment on column session."provenTime" is 'when a code of the second factor was given last';
comment on column session."providerId" is 'by which provider it came; null: by password';
comment on column session."ticketHash" is 'what the provider calls it when it signs somebody out';
comment on column session."subjectHash" is 'what the provider calls the person when it signs them out everywhere';

create table "sessionSign" (
  "schoolId" text not null,
  "laId" uuid not null,
  "lseNo" integer not null,
  "signInTime" timestamp with time zone not null,
  "signOutTime" timestamp with time zone,
  "signBy" uuid,
  "signLng" double precision,
  "signLat" double precision,
  "deviceHash" bytea,
  constraint "sessionSign_pkey" primary key ("schoolId", "laId", "lseNo"),
  constraint "sessionSign_schoolId_laId_fkey" foreign key ("schoolId", "laId") references registration("schoolId", "laId") on delete cascade
);
create index session_sign_device on "sessionSign" ("schoolId", "deviceHash")
  where ("deviceHash" is not null);
comment on column "sessionSign"."deviceHash" is 'the browser, recognisable within its course only; emptied by the terms of keeping';

create table "signHint" (
  "schoolId" text not null,
  "laId" uuid not null,
  "lseNo" integer not null,
  kind text not null,
  amount integer not null,
  "hintTime" timestamp with time zone not null,
  constraint "signHint_pkey" primary key ("schoolId", "laId", "lseNo", kind),
  constraint "signHint_schoolId_laId_fkey" foreign key ("schoolId", "laId") references registration("schoolId", "laId") on delete cascade
);
comment on table "signHint" is 'What was noticed at a sign-in and left to people to look into.';
comment on column "signHint".amount is 'others on the same device, seconds or metres, by its kind';

create table "signTry" (
  "schoolId" text not null,
  "liId" uuid not null,
  "suId" uuid not null,
  tries integer not null default 1,
  since timestamp with time zone not null,
  constraint "signTry_pkey" primary key ("schoolId", "liId", "suId"),
  constraint "signTry_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "signTry_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId"),
  constraint "signTry_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);

create table "signingKey" (
  "schoolId" text not null,
  "skId" uuid not null,
  "publicKey" bytea not null,
  "sealedKey" bytea,
  "skStatus" text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "retireTime" timestamp with time zone,
  "retireName" text not null default ''::text,
  "retireReason" text not null default ''::text,
  constraint "signingKey_pkey" primary key ("schoolId", "skId"),
  constraint "signingKey_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create unique index "signingKey_active" on "signingKey" ("schoolId")
  where ("skStatus" = '1'::text);

create table "slowStatement" (
  "ssId" text not null,
  "ssText" text not null,
  "ssCall" text not null,
  "ssCount" bigint not null,
  "totalMs" bigint not null,
  "maxMs" bigint not null,
  "lastTime" timestamp with time zone not null default now(),
  constraint "slowStatement_pkey" primary key ("ssId")
);
comment on table "slowStatement" is 'texts without values, by call';

create table "statAbility" (
  "schoolId" text not null,
  "suId" uuid not null,
  "sqlId" uuid not null,
  score integer not null,
  constraint "statAbility_pkey" primary key ("schoolId", "sqlId", "suId") include (score)
);
create index "statAbility_person" on "statAbility" ("schoolId", "suId")
  include ("sqlId", score);

create table "statChange" (
  "schoolId" text not null,
  "scNo" bigint not null generated always as identity,
  "scKind" text not null,
  "scKey" uuid,
  constraint "statChange_pkey" primary key ("schoolId", "scNo")
);

create table "statDay" (
  "schoolId" text not null,
  "plId" integer not null,
  "stDay" date not null,
  "stKind" text not null,
  item uuid not null,
  hours integer not null,
  credit integer not null,
  records integer not null,
  constraint "statDay_pkey" primary key ("schoolId", "stKind", "stDay", "plId", item) include (hours, credit, records)
);
create index "statDay_place" on "statDay" ("schoolId", "plId");

create table "statEarned" (
  "schoolId" text not null,
  "suId" uuid not null,
  records bytea not null,
  abilities bytea not null,
  constraint "statEarned_pkey" primary key ("schoolId", "suId")
);

create table "statItem" (
  "schoolId" text not null,
  "itId" integer not null default nextval('"statItem_itId_seq"'::regclass),
  item uuid not null,
  path uuid[] not null,
  level text not null,
  constraint "statItem_pkey" primary key ("schoolId", "itId"),
  constraint "statItem_schoolId_item_path_level_key" unique ("schoolId", item, path, level),
  constraint "statItem_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "statLesson" (
  "schoolId" text not null,
  "liId" uuid not null,
  applied integer not null,
  passed integer not null,
  signed integer not null,
  members integer not null default 0,
  "membersSigned" integer not null default 0,
  qualified integer not null,
  granted integer not null,
  hours integer not null,
  sessions integer not null,
  stars integer[] not null,
  "decideSeconds" bigint not null,
  decided integer not null,
  "firstPass" boolean,
  removed boolean not null default false,
  "liStatus" text not null default '0'::text,
  "publishTime" timestamp with time zone,
  "startTime" timestamp with time zone not null default '-infinity'::timestamp with time zone,
  "liHours" integer not null default 0,
  "liCollegeId" uuid,
  "liDepartmentId" uuid,
  "liCircleId" uuid,
  "liPrincipalId" uuid,
  "createBy" uuid,
  "lsPath" uuid[] not null default '{}'::uuid[],
  "liLevel" text not null default ''::text,
  teachers uuid[] not null default '{}'::uuid[],
  stamp bigint not null default 0,
  constraint "statLesson_pkey" primary key ("schoolId", "liId")
);

create table "statLogin" (
  "schoolId" text not null,
  "plId" integer not null,
  "logDay" date not null,
  people integer not null,
  times integer not null,
  hours integer[] not null,
  constraint "statLogin_pkey" primary key ("schoolId", "logDay", "plId") include (people, times)
);
create index "statLogin_place" on "statLogin" ("schoolId", "plId");

create table "statLoginYear" (
  "schoolId" text not null,
  "suId" uuid not null,
  "logYear" integer not null,
  days bit(366) not null,
  constraint "statLoginYear_pkey" primary key ("schoolId", "logYear", "suId")
);

create table "statPerson" (
  "schoolId" text not null,
  "suId" uuid not null,
  "plId" integer not null,
  sex text not null,
  political text,
  credibility integer not null,
  "blackUntil" timestamp with time zone,
  "enterDate" date,
  hours integer not null,
  credit integer not null,
  points integer not null,
  activities integer not null,
  sups integer not null,
  "lastTime" timestamp with time zone,
  met boolean not null,
  stamp bigint not null default 0,
  constraint "statPerson_pkey" primary key ("schoolId", "suId")
);
create index "statPerson_hours" on "statPerson" ("schoolId", hours desc, "suId");
create index "statPerson_place" on "statPerson" ("schoolId", "plId");

create table "statPlace" (
  "schoolId" text not null,
  "plId" integer not null default nextval('"statPlace_plId_seq"'::regclass),
  "plKind" text not null,
  enrolled boolean not null,
  "collegeId" uuid,
  "majorId" uuid,
  "classId" uuid,
  grade text,
  constraint "statPlace_pkey" primary key ("schoolId", "plId"),
  constraint "statPlace_schoolId_plKind_enrolled_collegeId_majorId_classI_key" unique nulls not distinct ("schoolId", "plKind", enrolled, "collegeId", "majorId", "classId", grade),
  constraint "statPlace_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "statSignIn" (
  "schoolId" text not null,
  "suId" uuid not null,
  days bytea not null,
  stamp bigint not null,
  constraint "statSignIn_pkey" primary key ("schoolId", "suId")
);

create table "statState" (
  "schoolId" text not null,
  "statVersion" bigint not null default 0,
  "asOf" timestamp with time zone not null,
  "checkTime" timestamp with time zone,
  differences integer,
  stamp bigint not null default 0,
  constraint "statState_pkey" primary key ("schoolId"),
  constraint "statState_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "statSupplement" (
  "schoolId" text not null,
  "suId" uuid not null,
  records bytea not null,
  stamp bigint not null,
  constraint "statSupplement_pkey" primary key ("schoolId", "suId")
);

create table "studentChange" (
  "schoolId" text not null,
  "chId" uuid not null,
  "suId" uuid not null,
  "changeKind" text not null,
  "changeCause" text not null,
  "causeId" uuid,
  "wasState" jsonb not null,
  "newState" jsonb not null,
  "operatorId" uuid,
  "operatorName" text not null,
  "createTime" timestamp with time zone not null,
  "isTold" boolean not null default false,
  constraint "studentChange_pkey" primary key ("schoolId", "chId"),
  constraint "studentChange_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade
);
create index "studentChange_of" on "studentChange" ("schoolId", "suId", "createTime" desc);
create index "studentChange_untold" on "studentChange" ("schoolId", "createTime")
  where (not "isTold");
create trigger "studentChange_outbox_insert" after insert on "studentChange"
  referencing new table as became
  for each statement
  execute function "outbox_studentChange"();
comment on table "studentChange" is 'transfers, leaves, returns and departures of students';
comment on column "studentChange"."causeId" is 'the import or graduation that caused it';
comment on column "studentChange"."wasState" is 'status, grade, and id and name of college, major and class at that time';
comment on column "studentChange"."isTold" is 'whether those who look after the new class know';

create table "studentWarning" (
  "schoolId" text not null,
  "suId" uuid not null,
  "warnLevel" text not null,
  "termNo" integer not null,
  have jsonb not null,
  gaps jsonb not null,
  missing uuid[] not null default '{}'::uuid[],
  "totalHave" integer not null,
  "totalNeed" integer not null,
  "totalGap" integer not null,
  "finalGap" integer not null,
  "zeroTerm" boolean not null default false,
  "ruleKey" text not null,
  "calcTime" timestamp with time zone not null,
  "levelSince" timestamp with time zone not null,
  "lastPromptTime" timestamp with time zone,
  "promptCount" integer not null default 0,
  "helpCount" integer not null default 0,
  "lastHelpTime" timestamp with time zone,
  "helperName" text not null default ''::text,
  constraint "studentWarning_pkey" primary key ("schoolId", "suId"),
  constraint "studentWarning_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "studentWarning_level" on "studentWarning" ("schoolId", "warnLevel", "totalGap" desc);

create table supplement (
  "schoolId" text not null,
  "lisId" uuid not null,
  "lisName" text not null,
  "suId" uuid not null,
  "lsId" uuid not null,
  "lsPath" uuid[] not null,
  "lisType" text not null,
  "lisLevel" text not null,
  "lisPartakeMode" text not null default '1'::text,
  "lisAward" text not null default ''::text,
  "lisOrg" text not null default ''::text,
  "lisStartDate" date,
  "lisEndDate" date,
  "lisObtainDate" date not null,
  "certNo" text not null default ''::text,
  "certUrl" text not null default ''::text,
  "lisTeamSize" integer,
  "lisRank" integer,
  "lisProofs" uuid[] not null default '{}'::uuid[],
  "lisDesc" text not null default ''::text,
  "lisHoursDeclared" integer,
  "lisHours" integer not null default 0,
  "lisCredit" integer not null default 0,
  "lisPoints" integer not null default 0,
  "esId" uuid,
  "lisAwardDetailId" uuid,
  "lisStatus" text not null default '0'::text,
  "statusBefore" text not null default ''::text,
  "refuseReason" text not null default ''::text,
  "passTime" timestamp with time zone,
  "lisPublictySdate" timestamp with time zone,
  "lisPublictyEdate" timestamp with time zone,
  "lisPublictyStatus" text not null default '0'::text,
  "completeTime" timestamp with time zone,
  source text not null default '1'::text,
  "importBatchId" uuid,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint supplement_pkey primary key ("schoolId", "lisId"),
  constraint "supplement_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "supplement_schoolId_lisLevel_fkey" foreign key ("schoolId", "lisLevel") references "lessonLevel"("schoolId", "llId"),
  constraint "supplement_schoolId_lsId_fkey" foreign key ("schoolId", "lsId") references curriculum("schoolId", "lsId"),
  constraint "supplement_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index supplement_award_grams on supplement using gin (grams("lisAward"))
  where ("lisAward" <> ''::text);
create index supplement_certificate on supplement ("schoolId", "certNo")
  where ("certNo" <> ''::text);
create index supplement_certificate_grams on supplement using gin (grams("certNo"))
  where ("certNo" <> ''::text);
create index supplement_counted on supplement ("schoolId", "createTime")
  include ("lisId", "suId", "lisStatus", "lisType", "lisLevel", "lisHours", "lsPath", "lisName", "lisAward")
  where (("delFlag" = '0'::text) and ("lisStatus" = any (array['1'::text, '2'::text, '3'::text, '5'::text, '6'::text])));
create index supplement_creator on supplement ("schoolId", "createBy");
create index supplement_deleted on supplement ("schoolId", "createTime", "lisId")
  where ("delFlag" = '1'::text);
create index supplement_hours on supplement ("schoolId", "lisHours", "lisId")
  where ("delFlag" = '0'::text);
create index supplement_import on supplement ("schoolId", "importBatchId")
  where ("importBatchId" is not null);
create index supplement_list on supplement ("schoolId", "createTime", "lisId")
  include ("suId", "lisType", "lisLevel", "lisStatus", source, "lisObtainDate")
  where ("delFlag" = '0'::text);
create index supplement_name on supplement ("schoolId", "lisName", "lisId")
  where ("delFlag" = '0'::text);
create index supplement_name_grams on supplement using gin (grams("lisName"));
create index supplement_notice on supplement ("schoolId", "lisPublictyEdate", "lisId")
  where ("delFlag" = '0'::text);
create index supplement_obtained on supplement ("schoolId", "lisObtainDate", "lisId")
  include ("lisType", "lisLevel", "lisStatus", source)
  where ("delFlag" = '0'::text);
create index supplement_path on supplement using gin ("lsPath");
create index supplement_person on supplement ("schoolId", "suId", "createTime", "lisId")
  include ("lisType", "lisLevel", "lisStatus", source, "lisObtainDate", "delFlag");
create index supplement_proofs on supplement using gin ("lisProofs");
create index supplement_publicity on supplement ("lisPublictyEdate")
  where ("lisStatus" = '5'::text);
create index supplement_status on supplement ("schoolId", "lisStatus", "createTime", "lisId")
  include ("suId", "lisType", "lisLevel", source, "lisObtainDate")
  where ("delFlag" = '0'::text);
create index supplement_type on supplement ("schoolId", "lisType", "lisObtainDate")
  where ("delFlag" = '0'::text);
create trigger supplement_count_delete after delete on supplement
  referencing old table as was
  for each statement
  execute function supplement_count_delete();
create trigger supplement_count_insert after insert on supplement
  referencing new table as became
  for each statement
  execute function supplement_count_insert();
create trigger supplement_count_update after update on supplement
  referencing old table as was new table as became
  for each statement
  execute function supplement_count_update();
create trigger supplement_note_delete after delete on supplement
  referencing old table as touched
  for each statement
  execute function note_supplement();
create trigger supplement_note_insert after insert on supplement
  referencing new table as touched
  for each statement
  execute function note_supplement();
create trigger supplement_note_subject after update on supplement
  referencing old table as was new table as became
  for each statement
  execute function supplement_note_subject();
create trigger supplement_note_update after update on supplement
  referencing old table as was new table as became
  for each statement
  execute function note_supplement_update();
create trigger supplement_outbox_insert after insert on supplement
  referencing new table as became
  for each statement
  execute function outbox_supplement();
create trigger supplement_outbox_update after update on supplement
  for each row when ((new."lisStatus" is distinct from old."lisStatus"))
  execute function outbox_supplement_update();

create table "supplementCount" (
  "schoolId" text not null,
  "countNo" bigint not null generated always as identity,
  "deletedFlag" text not null,
  "lisStatus" text not null,
  "lisType" text not null,
  "lisLevel" text not null,
  source text not null,
  "lsPath" uuid[] not null,
  records integer not null,
  constraint "supplementCount_pkey" primary key ("schoolId", "countNo")
);

create table "supplementCredential" (
  "schoolId" text not null,
  "lisId" uuid not null,
  content text not null,
  "credentialKey" bytea not null,
  issuer text not null default ''::text,
  verdict jsonb not null,
  "checkTime" timestamp with time zone not null default now(),
  constraint "supplementCredential_pkey" primary key ("schoolId", "lisId"),
  constraint "supplementCredential_schoolId_lisId_fkey" foreign key ("schoolId", "lisId") references supplement("schoolId", "lisId")
);
create index "supplementCredential_issuer" on "supplementCredential" ("schoolId", issuer);
create index "supplementCredential_key" on "supplementCredential" ("schoolId", "credentialKey");
comment on table "supplementCredential" is 'credentials of other issuers that are proof of supplements';
comment on column "supplementCredential".content is 'as it was handed in: JSON or JWT';
comment on column "supplementCredential"."credentialKey" is 'SHA-256 of issuer and id, by which it is refused a second time';
comment on column "supplementCredential".verdict is 'what was found at checkTime';

create table team (
  "schoolId" text not null,
  "teamId" uuid not null,
  "liId" uuid not null,
  "teamName" text not null,
  "captainId" uuid not null,
  "joinCode" text not null,
  "teamStatus" text not null default '0'::text,
  "confirmTime" timestamp with time zone,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint team_pkey primary key ("schoolId", "teamId"),
  constraint "team_schoolId_captainId_fkey" foreign key ("schoolId", "captainId") references person("schoolId", "suId"),
  constraint "team_schoolId_liId_fkey" foreign key ("schoolId", "liId") references lesson("schoolId", "liId")
);
create unique index team_code on team ("schoolId", "liId", "joinCode");
create unique index team_name on team ("schoolId", "liId", "teamName")
  where ("teamStatus" <> '2'::text);

create table "teamMember" (
  "schoolId" text not null,
  "teamId" uuid not null,
  "suId" uuid not null,
  "liId" uuid not null,
  "memberRank" integer not null,
  "joinTime" timestamp with time zone not null default now(),
  constraint "teamMember_pkey" primary key ("schoolId", "teamId", "suId"),
  constraint "teamMember_memberRank_check" check (("memberRank" > 0)),
  constraint "teamMember_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId"),
  constraint "teamMember_schoolId_teamId_fkey" foreign key ("schoolId", "teamId") references team("schoolId", "teamId")
);
create unique index "teamMember_once" on "teamMember" ("schoolId", "liId", "suId");

create table term (
  "schoolId" text not null,
  "tmId" uuid not null,
  "tmName" text not null,
  "tmStart" date not null,
  "tmEnd" date not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint term_pkey primary key ("schoolId", "tmId"),
  constraint "term_schoolId_tmName_key" unique ("schoolId", "tmName"),
  constraint term_check check (("tmEnd" > "tmStart")),
  constraint "term_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create trigger term_configuration_delete after delete on term
  referencing old table as touched
  for each statement
  execute function configuration_changed();
create trigger term_configuration_insert after insert on term
  referencing new table as touched
  for each statement
  execute function configuration_changed();
create trigger term_configuration_update after update on term
  referencing new table as touched
  for each statement
  execute function configuration_changed();

create table "thresholdBase" (
  "schoolId" text not null,
  "tbId" uuid not null,
  grade text not null,
  "tbTarget" text not null,
  "lsId" uuid,
  "checkpointTerm" integer not null,
  required integer not null,
  warn1 integer not null,
  warn2 integer not null,
  warn3 integer not null,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "thresholdBase_pkey" primary key ("schoolId", "tbId"),
  constraint "thresholdBase_check" check (((required >= warn1) and (warn1 >= warn2) and (warn2 >= warn3) and (warn3 >= 0))),
  constraint "thresholdBase_check1" check ((("tbTarget" = 'module'::text) = ("lsId" is not null))),
  constraint "thresholdBase_checkpointTerm_check" check ((("checkpointTerm" >= 1) and ("checkpointTerm" <= 16))),
  constraint "thresholdBase_schoolId_fkey" foreign key ("schoolId") references school("schoolId"),
  constraint "thresholdBase_schoolId_lsId_fkey" foreign key ("schoolId", "lsId") references curriculum("schoolId", "lsId")
);
create unique index "thresholdBase_once" on "thresholdBase" ("schoolId", grade, "tbTarget", coalesce("lsId", '00000000-0000-0000-0000-000000000000'::uuid), "checkpointTerm");

create table "thresholdHelp" (
  "schoolId" text not null,
  "thId" uuid not null,
  "suId" uuid not null,
  "helpDate" date not null,
  "helpWay" text not null,
  "helpContent" text not null,
  "helperName" text not null,
  "delFlag" text not null default '0'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "thresholdHelp_pkey" primary key ("schoolId", "thId"),
  constraint "thresholdHelp_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "thresholdHelp_person" on "thresholdHelp" ("schoolId", "suId", "helpDate" desc)
  where ("delFlag" = '0'::text);

create table "thresholdPrompt" (
  "schoolId" text not null,
  "tpId" uuid not null,
  "suId" uuid not null,
  "warnLevel" text not null,
  "gapText" text not null,
  content text not null,
  "iiId" uuid,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "promptTime" timestamp with time zone not null default now(),
  constraint "thresholdPrompt_pkey" primary key ("schoolId", "tpId"),
  constraint "thresholdPrompt_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "thresholdPrompt_person" on "thresholdPrompt" ("schoolId", "suId", "promptTime" desc);
create index "thresholdPrompt_time" on "thresholdPrompt" ("schoolId", "promptTime" desc, "tpId");

create table "thresholdRun" (
  "schoolId" text not null,
  "runTime" timestamp with time zone not null,
  "studentCount" integer not null,
  "changedCount" integer not null,
  "worsenedCount" integer not null,
  constraint "thresholdRun_pkey" primary key ("schoolId"),
  constraint "thresholdRun_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "transcriptApplication" (
  "schoolId" text not null,
  "taId" uuid not null,
  "suId" uuid not null,
  "taLang" text not null,
  "taPurpose" text not null,
  "taCopies" integer not null,
  "taStatus" text not null default '0'::text,
  "createTime" timestamp with time zone not null,
  "decideBy" uuid,
  "decideName" text not null default ''::text,
  "decideTime" timestamp with time zone,
  "decideReason" text not null default ''::text,
  "tiId" uuid,
  constraint "transcriptApplication_pkey" primary key ("schoolId", "taId"),
  constraint "transcriptApplication_check" check ((("taStatus" = '1'::text) = ("tiId" is not null))),
  constraint "transcriptApplication_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId"),
  constraint "transcriptApplication_schoolId_tiId_fkey" foreign key ("schoolId", "tiId") references "transcriptIssue"("schoolId", "tiId")
);
create index "transcriptApplication_issue" on "transcriptApplication" ("schoolId", "tiId")
  where ("tiId" is not null);
create index "transcriptApplication_list" on "transcriptApplication" ("schoolId", "createTime" desc, "taId");
create unique index "transcriptApplication_open" on "transcriptApplication" ("schoolId", "suId")
  where ("taStatus" = '0'::text);
create index "transcriptApplication_student" on "transcriptApplication" ("schoolId", "suId", "createTime" desc);
comment on table "transcriptApplication" is 'students'' applications for a signed transcript';
comment on column "transcriptApplication"."taCopies" is 'how many on paper; 0 for the file alone';
comment on column "transcriptApplication"."decideTime" is 'when it was accepted, refused or withdrawn; null while it is open';
comment on column "transcriptApplication"."tiId" is 'what was issued upon it';

create table "transcriptBatch" (
  "schoolId" text not null,
  "tbId" uuid not null,
  "tbTitle" text not null,
  "tbFormat" text not null,
  "tbOptions" jsonb not null,
  "suIds" uuid[] not null,
  "tiIds" uuid[] not null default '{}'::uuid[],
  "tbStatus" text not null default '0'::text,
  "jobId" uuid,
  "doneCount" integer not null default 0,
  faults jsonb not null default '[]'::jsonb,
  "storeKey" text,
  "fileSize" bigint,
  "createBy" uuid not null,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "endTime" timestamp with time zone,
  constraint "transcriptBatch_pkey" primary key ("schoolId", "tbId"),
  constraint "transcriptBatch_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);
create index "transcriptBatch_own" on "transcriptBatch" ("schoolId", "createBy", "createTime" desc);
create index "transcriptBatch_stored" on "transcriptBatch" ("storeKey")
  where ("storeKey" is not null);

create table "transcriptIssue" (
  "schoolId" text not null,
  "tiId" uuid not null,
  serial text not null,
  "suId" uuid not null,
  "tiScope" text not null default ''::text,
  "tiExtract" text not null default ''::text,
  "tiLang" text not null default 'zh'::text,
  content text not null,
  proof jsonb not null,
  digest bytea not null,
  substance bytea not null,
  "skId" uuid not null,
  "tiStatus" text not null default '1'::text,
  "issueBy" uuid,
  "issueName" text not null default ''::text,
  "issueTime" timestamp with time zone not null default now(),
  "printCount" integer not null default 0,
  "lastPrintTime" timestamp with time zone,
  "endTime" timestamp with time zone,
  "revokeName" text not null default ''::text,
  "revokeReason" text not null default ''::text,
  constraint "transcriptIssue_pkey" primary key ("schoolId", "tiId"),
  constraint "transcriptIssue_schoolId_skId_fkey" foreign key ("schoolId", "skId") references "signingKey"("schoolId", "skId"),
  constraint "transcriptIssue_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId")
);
create index "transcriptIssue_list" on "transcriptIssue" ("schoolId", "issueTime" desc, "tiId");
create unique index "transcriptIssue_serial" on "transcriptIssue" (serial, "schoolId");
create unique index "transcriptIssue_valid" on "transcriptIssue" ("schoolId", "suId", "tiScope", "tiLang")
  where ("tiStatus" = '1'::text);
create trigger "transcriptIssue_fixed" before update on "transcriptIssue"
  for each row
  execute function refuse_issue_change();
create trigger "transcriptIssue_outbox_insert" after insert on "transcriptIssue"
  referencing new table as became
  for each statement
  execute function "outbox_transcriptIssue"();
create trigger "transcriptIssue_outbox_update" after update on "transcriptIssue"
  for each row when ((new."tiStatus" is distinct from old."tiStatus"))
  execute function "outbox_transcriptIssue_update"();

create table "transcriptPrint" (
  "schoolId" text not null,
  "tpId" uuid not null,
  "tiId" uuid not null,
  "printWay" text not null default '1'::text,
  "tbId" uuid,
  "printBy" uuid,
  "printName" text not null default ''::text,
  "printTime" timestamp with time zone not null default now(),
  constraint "transcriptPrint_pkey" primary key ("schoolId", "tpId"),
  constraint "transcriptPrint_schoolId_tiId_fkey" foreign key ("schoolId", "tiId") references "transcriptIssue"("schoolId", "tiId")
);
create index "transcriptPrint_issue" on "transcriptPrint" ("schoolId", "tiId", "printTime" desc);

create table transformation (
  "schoolId" text not null,
  "trId" uuid not null,
  "trName" text not null,
  "trDesc" text not null default ''::text,
  "fromType" text not null,
  "toType" text not null,
  mode text not null,
  ratio integer,
  segments jsonb not null default '[]'::jsonb,
  rounding text not null default '1'::text,
  decimals integer not null default 2,
  cap integer,
  "scopeLsIds" uuid[] not null default '{}'::uuid[],
  "scopeGrades" text[] not null default '{}'::text[],
  "effectTerm" uuid,
  enable text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint transformation_pkey primary key ("schoolId", "trId"),
  constraint "transformation_schoolId_trName_key" unique ("schoolId", "trName"),
  constraint "transformation_schoolId_effectTerm_fkey" foreign key ("schoolId", "effectTerm") references term("schoolId", "tmId"),
  constraint "transformation_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "trustedDevice" (
  "schoolId" text not null,
  "deviceId" uuid not null,
  "suId" uuid not null,
  "tokenHash" bytea not null,
  agent text not null,
  ip text not null,
  "createTime" timestamp with time zone not null,
  "lastUsed" timestamp with time zone not null,
  "expireTime" timestamp with time zone not null,
  constraint "trustedDevice_pkey" primary key ("schoolId", "deviceId"),
  constraint "trustedDevice_schoolId_suId_fkey" foreign key ("schoolId", "suId") references account("schoolId", "suId") on delete cascade
);
create index "trustedDevice_expireTime_idx" on "trustedDevice" ("expireTime");
create index "trustedDevice_schoolId_suId_idx" on "trustedDevice" ("schoolId", "suId");
create unique index "trustedDevice_tokenHash" on "trustedDevice" ("tokenHash", "schoolId");
comment on table "trustedDevice" is 'Devices that are not asked for a code; only hashes of their tokens.';

create table "warningTerm" (
  "schoolId" text not null,
  "wtId" uuid not null default gen_random_uuid(),
  "tmStart" date not null,
  "tmName" text not null,
  "collegeId" uuid,
  "majorId" uuid,
  "classId" uuid,
  grade text,
  total integer not null,
  level1 integer not null,
  level2 integer not null,
  level3 integer not null,
  constraint "warningTerm_pkey" primary key ("schoolId", "tmStart", "wtId"),
  constraint "warningTerm_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table workflow (
  "schoolId" text not null,
  "wfId" uuid not null,
  "wfName" text not null,
  "wfType" text not null,
  "wfIcon" text not null default ''::text,
  "wfDesc" text not null default ''::text,
  "wfcId" uuid not null,
  "wfStatus" text not null default '1'::text,
  "wfVersion" integer not null default 1,
  "isDefault" text not null default '0'::text,
  "roleIds" uuid[] not null default '{}'::uuid[],
  "lsIds" uuid[] not null default '{}'::uuid[],
  levels text[] not null default '{}'::text[],
  "needCreditOnly" text not null default '0'::text,
  "selfPass" text not null default '1'::text,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint workflow_pkey primary key ("schoolId", "wfId"),
  constraint "workflow_schoolId_wfName_key" unique ("schoolId", "wfName"),
  constraint "workflow_schoolId_wfcId_fkey" foreign key ("schoolId", "wfcId") references "workflowCategory"("schoolId", "wfcId")
);

create table "workflowCategory" (
  "schoolId" text not null,
  "wfcId" uuid not null,
  "wfcName" text not null,
  "wfcSort" integer not null default 0,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "workflowCategory_pkey" primary key ("schoolId", "wfcId"),
  constraint "workflowCategory_schoolId_wfcName_key" unique ("schoolId", "wfcName"),
  constraint "workflowCategory_schoolId_fkey" foreign key ("schoolId") references school("schoolId")
);

create table "workflowChecker" (
  "schoolId" text not null,
  "wfsId" uuid not null,
  "wfcCheckerId" uuid not null,
  "wfcNodeName" text not null default ''::text,
  "wfcSort" integer not null default 0,
  constraint "workflowChecker_pkey" primary key ("schoolId", "wfsId", "wfcCheckerId"),
  constraint "workflowChecker_schoolId_wfsId_fkey" foreign key ("schoolId", "wfsId") references "workflowStep"("schoolId", "wfsId") on delete cascade
);

create table "workflowSample" (
  "schoolId" text not null,
  "wsId" uuid not null,
  "wfId" uuid not null,
  "wsName" text not null,
  "suId" uuid not null,
  "lsId" uuid not null,
  "liLevel" text not null,
  credit integer not null default 0,
  expected jsonb not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  "updateBy" uuid,
  "updateTime" timestamp with time zone not null default now(),
  version integer not null default 0,
  constraint "workflowSample_pkey" primary key ("schoolId", "wsId"),
  constraint "workflowSample_schoolId_wfId_wsName_key" unique ("schoolId", "wfId", "wsName"),
  constraint "workflowSample_schoolId_lsId_fkey" foreign key ("schoolId", "lsId") references curriculum("schoolId", "lsId") on delete cascade,
  constraint "workflowSample_schoolId_suId_fkey" foreign key ("schoolId", "suId") references person("schoolId", "suId") on delete cascade,
  constraint "workflowSample_schoolId_wfId_fkey" foreign key ("schoolId", "wfId") references workflow("schoolId", "wfId") on delete cascade
);

create table "workflowStep" (
  "schoolId" text not null,
  "wfsId" uuid not null,
  "wfId" uuid not null,
  "wfsNodeName" text not null,
  "wfsStepName" text not null,
  "wfsStepType" text not null,
  "wfsCheckerType" text not null,
  "wfsSort" integer not null,
  "timeoutHours" integer,
  "timeoutDays" integer,
  "timeoutAction" text not null default '0'::text,
  "timeoutRoleId" uuid,
  "noApproverPolicy" text not null default 'block'::text,
  "canReject" text not null default 'start'::text,
  "allowTransfer" text not null default '1'::text,
  "allowAdd" text not null default '0'::text,
  "minCredit" integer,
  constraint "workflowStep_pkey" primary key ("schoolId", "wfsId"),
  constraint "workflowStep_schoolId_wfId_wfsNodeName_wfsSort_key" unique ("schoolId", "wfId", "wfsNodeName", "wfsSort"),
  constraint "workflowStep_check" check ((("timeoutHours" is null) or ("timeoutDays" is null))),
  constraint "workflowStep_schoolId_wfId_fkey" foreign key ("schoolId", "wfId") references workflow("schoolId", "wfId") on delete cascade
);

create table "workflowVersion" (
  "schoolId" text not null,
  "wfId" uuid not null,
  "wfVersion" integer not null,
  content jsonb not null,
  "createBy" uuid,
  "createName" text not null default ''::text,
  "createTime" timestamp with time zone not null default now(),
  constraint "workflowVersion_pkey" primary key ("schoolId", "wfId", "wfVersion"),
  constraint "workflowVersion_schoolId_wfId_fkey" foreign key ("schoolId", "wfId") references workflow("schoolId", "wfId") on delete cascade
);

CREATE OR REPLACE FUNCTION public.analyze_table(p_table text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    begin
      execute format('analyze (skip_locked) %I.%I', current_schema(), p_table);
    end $function$;

CREATE OR REPLACE FUNCTION public.chars(t text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select string_to_array(lower(t), null)
$function$;

CREATE OR REPLACE FUNCTION public."circleMember_note_delete"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  lessons uuid[];
begin
  for r in
    select "schoolId", "ciId", min("joinTime") "from"
    from was
    group by 1, 2
  loop
    select array_agg(l."liId") into lessons
    from "lesson" l
    where l."schoolId" = r."schoolId" and l."liCircleId" = r."ciId" and l."startTime" >= r."from";
    perform "note_keys"(r."schoolId", 'L', lessons);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."circleMember_note_insert"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  lessons uuid[];
begin
  for r in
    select "schoolId", "ciId", min("joinTime") "from"
    from became
    group by 1, 2
  loop
    select array_agg(l."liId") into lessons
    from "lesson" l
    where l."schoolId" = r."schoolId" and l."liCircleId" = r."ciId" and l."startTime" >= r."from";
    perform "note_keys"(r."schoolId", 'L', lessons);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."circleMember_note_update"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  lessons uuid[];
begin
  for r in
    select
      o."schoolId",
      x."ciId",
      min(
        case
          when o."ciId" = n."ciId" and o."suId" = n."suId" and o."joinTime" = n."joinTime"
            then least(coalesce(o."quitTime", 'infinity'), coalesce(n."quitTime", 'infinity'))
          else least(o."joinTime", n."joinTime")
        end
      ) "from"
    from was o
    join became n on n."schoolId" = o."schoolId" and n."cpiId" = o."cpiId"
    cross join lateral (values (o."ciId"), (n."ciId")) x("ciId")
    where (o."ciId", o."suId", o."joinTime", o."quitTime")
      is distinct from (n."ciId", n."suId", n."joinTime", n."quitTime")
    group by 1, 2
  loop
    select array_agg(l."liId") into lessons
    from "lesson" l
    where l."schoolId" = r."schoolId" and l."liCircleId" = r."ciId" and l."startTime" >= r."from";
    perform "note_keys"(r."schoolId", 'L', lessons);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.configuration_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in select distinct "schoolId" from touched order by 1 loop
    insert into "configuration" ("schoolId", "version")
    values (r."schoolId", gen_random_uuid())
    on conflict ("schoolId") do update set "version" = excluded."version";
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.configuration_changed_settings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into "configuration" ("schoolId", "version")
  values (new."schoolId", gen_random_uuid())
  on conflict ("schoolId") do update set "version" = excluded."version";
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.grams(t text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  low text := lower(t);
  mark constant text := chr(1);
begin
  return string_to_array(low, null)
    || string_to_array(regexp_replace(low, '(..)', '\1' || mark, 'g'), mark)
    || string_to_array(regexp_replace(substr(low, 2), '(..)', '\1' || mark, 'g'), mark);
end $function$;

CREATE OR REPLACE FUNCTION public.grams_within(t text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  low text := lower(t);
begin
  if length(low) < 2 then return string_to_array(low, null); end if;
  return array(select substr(low, at, 2) from generate_series(1, length(low) - 1) at);
end $function$;

CREATE OR REPLACE FUNCTION public.lesson_note_subject()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  people uuid[];
begin
  for r in
    select "schoolId", array_agg(distinct "bizId") keys
    from (
      select "schoolId", "liId" "bizId", "lsPath", "liLevel"
      from became
      except
      select "schoolId", "liId" "bizId", "lsPath", "liLevel"
      from was
    ) c
    group by 1
  loop
    select array_agg(distinct c."suId") into people
    from "creditLedger" c
    where c."schoolId" = r."schoolId" and c."bizId" = any(r.keys);
    perform "note_keys"(r."schoolId", 'P', people);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.lesson_note_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "liId") keys
    from (
      select "schoolId", "liId", "delFlag", "liStatus", "publishTime", "startTime", "liHours", "liCollegeId", "liDepartmentId", "liCircleId", "liPrincipalId", "createBy", "lsPath", "liLevel"
      from became
      except
      select "schoolId", "liId", "delFlag", "liStatus", "publishTime", "startTime", "liHours", "liCollegeId", "liDepartmentId", "liCircleId", "liPrincipalId", "createBy", "lsPath", "liLevel"
      from was
    ) c
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'L', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "bizId") keys
    from touched
    where "bizType" = 'publish'
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'L', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_approval_of_supplement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  people uuid[];
begin
  for r in
    select "schoolId", array_agg(distinct "bizId") keys
    from touched
    where "bizType" = 'supplement'
    group by 1
  loop
    select array_agg(distinct s."suId") into people
    from "supplement" s
    where s."schoolId" = r."schoolId" and s."lisId" = any(r.keys);
    perform "note_keys"(r."schoolId", 'S', people);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."note_creditLedger"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select
      "schoolId",
      array_agg(distinct "suId") people,
      array_agg(distinct "bizId") filter (where "source" <> 'SUP') lessons
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'P', r.people);
    perform "note_keys"(r."schoolId", 'L', r.lessons);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_curriculum()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in select distinct "schoolId" from touched where "lsPid" is null loop
    insert into "statChange" ("schoolId", "scKind") values (r."schoolId", 'A');
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_keys(p_school text, p_kind text, p_keys uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  k uuid;
begin
  foreach k in array coalesce(p_keys, '{}') loop
    insert into "statChange" ("schoolId", "scKind", "scKey") values (p_school, p_kind, k);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.note_lesson()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "liId") keys
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'L', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."note_lessonPerson"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "liId") keys
    from touched
    where "lpRole" = 'teacher'
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'L', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."note_lessonSession"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "liId") keys
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'L', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."note_loginDay"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "suId") keys
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'G', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."note_loginDay_update"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select t."schoolId", array_agg(distinct t."suId") keys
    from touched t
    join former f on f."schoolId" = t."schoolId" and f."logDay" = t."logDay" and f."suId" = t."suId"
    where t."times" <> f."times" or t."hours" <> f."hours"
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'G', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "suId") keys
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'P', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_person_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "suId") keys
    from (
      select "schoolId", "suId", "suiType", "suiStatus", "suiCollegeId", "majorId", "scClassId", "suiGrade", "delFlag", "suiSex", "suiPolitical", "suiCredibility", "blackUntil", "suiEnterDate", "suiNumber"
      from became
      except
      select "schoolId", "suId", "suiType", "suiStatus", "suiCollegeId", "majorId", "scClassId", "suiGrade", "delFlag", "suiSex", "suiPolitical", "suiCredibility", "blackUntil", "suiEnterDate", "suiNumber"
      from was
    ) c
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'P', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_registration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "liId") keys
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'L', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_school()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into "statChange" ("schoolId", "scKind")
  values (new."schoolId", 'A');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_supplement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "suId") keys
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'S', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_supplement_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "suId") keys
    from (
      (
        select "schoolId", "suId", "lisId", "createTime", "lisName", "lsPath", "lisType", "lisLevel", "lisAward", "lisHours", "lisStatus", "delFlag"
        from became
        except
        select "schoolId", "suId", "lisId", "createTime", "lisName", "lsPath", "lisType", "lisLevel", "lisAward", "lisHours", "lisStatus", "delFlag"
        from was
      )
      union all
      (
        select "schoolId", "suId", "lisId", "createTime", "lisName", "lsPath", "lisType", "lisLevel", "lisAward", "lisHours", "lisStatus", "delFlag"
        from was
        except
        select "schoolId", "suId", "lisId", "createTime", "lisName", "lsPath", "lisType", "lisLevel", "lisAward", "lisHours", "lisStatus", "delFlag"
        from became
      )
    ) c
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'S', r.keys);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_course(p_school text, p_lesson uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  course jsonb;
begin
  select jsonb_build_object('liId', l."liId", 'liNo', l."liNo", 'liName', l."liName", 'liStatus', l."liStatus")
  into course
  from "lesson" l
  where l."schoolId" = p_school and l."liId" = p_lesson;
  return course;
end $function$;

CREATE OR REPLACE FUNCTION public."outbox_creditLedger"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in
      select
        "suId", "source", "bizId", "bizName",
        case when "reverseOf" is null then 'credit.granted' else 'credit.reversed' end kind,
        jsonb_agg(jsonb_build_object(
          'clId', "clId", 'clType', "clType", 'moduleId', "moduleId", 'value', ("clValue" / 100.0)::numeric(12, 2)::text
        ) order by "clType", "clId") entries
      from became
      where "schoolId" = school
      group by 1, 2, 3, 4, 5
    loop
      perform "outbox_put"(school, n.kind, jsonb_build_object(
        'source', n."source", 'bizId', n."bizId", 'bizName', n."bizName", 'entries', n.entries,
        'person', "outbox_person_of"(school, n."suId")
      ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_lesson_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, jsonb_build_object('liId', new."liId", 'liNo', new."liNo", 'liName', new."liName", 'liStatus', new."liStatus"))
  from (
    values
      ('course.submitted', new."liStatus" = '10'),
      ('course.approved', old."liStatus" = '10' and new."liStatus" in ('20', '30')),
      ('course.refused', new."liStatus" = '11'),
      ('course.published', new."liStatus" = '30' and old."liStatus" in ('0', '10', '11', '20', '90')),
      ('course.takenDown', new."liStatus" = '90'),
      ('course.cancelled', new."liStatus" in ('91', '92')),
      ('result.submitted', new."liStatus" = '40'),
      ('result.approved', old."liStatus" = '40' and new."liStatus" in ('50', '60')),
      ('result.refused', new."liStatus" = '41'),
      ('publicity.begun', new."liStatus" = '60' and old."liStatus" <> '61'),
      ('publicity.ended', old."liStatus" in ('60', '61') and new."liStatus" = '70')
  ) k(kind, applies)
  where k.applies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  m record;
  d record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_messages"(school);
    for m in
      select "iiId", array_agg("suId") people, array_agg("iurId") copies from became where "schoolId" = school group by 1
    loop
      for d in
        select o."odId", n."iurId", i."iiType", i."sendTime", n."suId",
          case coalesce(p."mpMode", case when o."digestKinds" @> array[i."iiType"] then 'digest' else 'now' end)
            when 'digest' then '6' else '0' end "dlStatus"
        from "information" i
        cross join unnest(m.people, m.copies) n("suId", "iurId")
        join "outboxDestination" o on o."schoolId" = i."schoolId" and o."enable" = '1'
          and o."messageKinds" @> array[i."iiType"]
        join "account" a on a."schoolId" = i."schoolId" and a."suId" = n."suId" and a."suStatus" = '1'
        left join "messagePreference" p on p."schoolId" = i."schoolId" and p."suId" = n."suId"
          and p."odChannel" = o."odChannel" and p."messageKind" = i."iiType"
        where i."schoolId" = school
          and i."iiId" = m."iiId"
          and p."mpMode" is distinct from 'off'
        order by n."suId", o."odId"
      loop
        insert into "outboxDelivery" (
          "schoolId", "dlId", "odId", "eventId", "eventKind", "eventData", "dlStatus", "suId", "iurId",
          "createTime", "queueTime"
        )
        values (
          school, gen_random_uuid(), d."odId", d."iurId", d."iiType", '{}', d."dlStatus", d."suId", d."iurId",
          d."sendTime", d."sendTime"
        );
      end loop;
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in select * from became where "schoolId" = school loop
      perform "outbox_put"(school, 'person.added', jsonb_build_object(
          'suiType', n."suiType", 'suiStatus', n."suiStatus",
          'person', jsonb_build_object('suId', n."suId", 'suiNumber', n."suiNumber", 'suiName', n."suiName")
        ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_person_of(p_school text, p_person uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  found_person jsonb;
begin
  select jsonb_build_object('suId', p."suId", 'suiNumber', p."suiNumber", 'suiName', p."suiName") into found_person
  from "person" p
  where p."schoolId" = p_school and p."suId" = p_person;
  return found_person;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_person_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, jsonb_build_object(
      'suiType', new."suiType", 'suiStatus', new."suiStatus",
      'person', jsonb_build_object('suId', new."suId", 'suiNumber', new."suiNumber", 'suiName', new."suiName")
    ))
  from (
    values
      ('person.left', (old."delFlag" = '0' and old."suiStatus" not in ('3', case old."suiType" when '1' then '4' else '2' end)) and not (new."delFlag" = '0' and new."suiStatus" not in ('3', case new."suiType" when '1' then '4' else '2' end))),
      ('person.added', (new."delFlag" = '0' and new."suiStatus" not in ('3', case new."suiType" when '1' then '4' else '2' end)) and not (old."delFlag" = '0' and old."suiStatus" not in ('3', case old."suiType" when '1' then '4' else '2' end)))
  ) k(kind, applies)
  where k.applies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_put(p_school text, p_kind text, p_data jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  d record;
  e uuid := gen_random_uuid();
begin
  for d in
    select "odId" from "outboxDestination"
    where "schoolId" = p_school and "enable" = '1' and "eventKinds" @> array[p_kind]
    order by "odId"
  loop
    insert into "outboxDelivery" ("schoolId", "dlId", "odId", "eventId", "eventKind", "eventData")
    values (p_school, gen_random_uuid(), d."odId", e, p_kind, p_data);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_question()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in select * from became where "schoolId" = school loop
      perform "outbox_put"(school, 'dispute.opened', jsonb_build_object(
          'qId', n."qId", 'liId', n."liId", 'lisId', n."lisId", 'qType', n."qType",
          'qStatus', n."qStatus", 'qOutcome', n."qOutcome"
        ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_question_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, jsonb_build_object(
      'qId', new."qId", 'liId', new."liId", 'lisId', new."lisId", 'qType', new."qType",
      'qStatus', new."qStatus", 'qOutcome', new."qOutcome"
    ))
  from (
    values
      ('dispute.settled', (new."qStatus" = '3' and old."qStatus" <> '3') or (new."qOutcome" is not null and old."qOutcome" is null))
  ) k(kind, applies)
  where k.applies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_registration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in
      select b.*, k.kind
      from became b
      cross join lateral (
        values
          ('registration.accepted', b."laStatus" = '1'),
          ('attendance.signedIn', b."laSignStatus" in ('1', '2', '7'))
      ) k(kind, applies)
      where k.applies and b."delFlag" = '0' and b."schoolId" = school
    loop
      perform "outbox_put"(school, n.kind, jsonb_build_object(
          'laId', n."laId", 'laStatus', n."laStatus", 'laSignStatus', n."laSignStatus",
          'course', "outbox_course"(school, n."liId"), 'person', "outbox_person_of"(school, n."suId")
        ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_registration_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, jsonb_build_object(
      'laId', new."laId", 'laStatus', new."laStatus", 'laSignStatus', new."laSignStatus",
      'course', "outbox_course"(new."schoolId", new."liId"), 'person', "outbox_person_of"(new."schoolId", new."suId")
    ))
  from (
    values
      ('registration.accepted', new."laStatus" = '1' and old."laStatus" <> '1' and new."delFlag" = '0'),
      ('registration.cancelled', (new."laStatus" in ('4', '6', '7') and old."laStatus" not in ('2', '4', '6', '7'))
            or (new."delFlag" = '1' and old."delFlag" = '0' and old."laStatus" in ('0', '1', '3', '5'))),
      ('attendance.signedIn', new."laSignStatus" in ('1', '2', '7') and old."laSignStatus" not in ('1', '2', '3', '4', '7')
            and new."delFlag" = '0')
  ) k(kind, applies)
  where k.applies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."outbox_studentChange"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in
      select
        b.*,
        case
          when b."changeKind" like 'transfer%' then 'student.transferred'
          when b."changeKind" in ('leave', 'retain', 'enlist') then 'student.onLeave'
          when b."changeKind" = 'return' then 'student.returned'
          when b."changeKind" = 'withdraw' then 'student.withdrawn'
          when b."changeKind" = 'graduate' then 'student.graduated'
          when b."changeKind" = 'revoke' then 'student.changeRevoked'
          else 'student.adjusted'
        end kind
      from became b
      where b."schoolId" = school
    loop
      perform "outbox_put"(school, n.kind, jsonb_build_object(
        'chId', n."chId", 'changeKind', n."changeKind", 'changeCause', n."changeCause",
        'wasState', n."wasState", 'newState', n."newState", 'person', "outbox_person_of"(school, n."suId")
      ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_supplement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in select * from became where "schoolId" = school and "lisStatus" = '1' loop
      perform "outbox_put"(school, 'supplement.submitted', jsonb_build_object(
          'lisId', n."lisId", 'lisName', n."lisName", 'lisType', n."lisType", 'lisStatus', n."lisStatus",
          'person', "outbox_person_of"(school, n."suId")
        ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_supplement_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, jsonb_build_object(
      'lisId', new."lisId", 'lisName', new."lisName", 'lisType', new."lisType", 'lisStatus', new."lisStatus",
      'person', "outbox_person_of"(new."schoolId", new."suId")
    ))
  from (
    values
      ('supplement.submitted', new."lisStatus" = '1'),
      ('supplement.approved', old."lisStatus" in ('0', '1') and new."lisStatus" in ('2', '5')),
      ('supplement.refused', new."lisStatus" = '3')
  ) k(kind, applies)
  where k.applies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_takes_events(p_school text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  takes boolean;
begin
  select exists (
    select from "outboxDestination" where "schoolId" = p_school and "enable" = '1' and "eventKinds" <> '{}'
  ) into takes;
  return takes;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_takes_messages(p_school text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  takes boolean;
begin
  select exists (
    select from "outboxDestination" where "schoolId" = p_school and "enable" = '1' and "messageKinds" <> '{}'
  ) into takes;
  return takes;
end $function$;

CREATE OR REPLACE FUNCTION public."outbox_transcriptIssue"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    for n in select * from became where "schoolId" = school loop
      perform "outbox_put"(school, 'transcript.issued', jsonb_build_object(
          'tiId', n."tiId", 'serial', n."serial", 'tiStatus', n."tiStatus", 'person', "outbox_person_of"(school, n."suId")
        ));
    end loop;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."outbox_transcriptIssue_update"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, jsonb_build_object(
      'tiId', new."tiId", 'serial', new."serial", 'tiStatus', new."tiStatus", 'person', "outbox_person_of"(new."schoolId", new."suId")
    ))
  from (
    values
      ('transcript.revoked', new."tiStatus" = '3')
  ) k(kind, applies)
  where k.applies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public."person_studentChange"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_cause text := coalesce(nullif(current_setting('dekt.cause', true), ''), 'form');
  v_cause_id uuid := nullif(current_setting('dekt.cause_id', true), '')::uuid;
  v_operator text;
  v_was jsonb := jsonb_build_object(
      'status', old."suiStatus",
      'grade', old."suiGrade",
      'collegeId', old."suiCollegeId",
      'college', (
        select c."scName" from "college" c where c."schoolId" = old."schoolId" and c."scId" = old."suiCollegeId"
      ),
      'majorId', old."majorId",
      'major', (select m."smName" from "major" m where m."schoolId" = old."schoolId" and m."smId" = old."majorId"),
      'classId', old."scClassId",
      'class', (
        select c."scClassName" from "schoolClass" c
        where c."schoolId" = old."schoolId" and c."scClassId" = old."scClassId"
      )
    );
  v_new jsonb := jsonb_build_object(
      'status', new."suiStatus",
      'grade', new."suiGrade",
      'collegeId', new."suiCollegeId",
      'college', (
        select c."scName" from "college" c where c."schoolId" = new."schoolId" and c."scId" = new."suiCollegeId"
      ),
      'majorId', new."majorId",
      'major', (select m."smName" from "major" m where m."schoolId" = new."schoolId" and m."smId" = new."majorId"),
      'classId', new."scClassId",
      'class', (
        select c."scClassName" from "schoolClass" c
        where c."schoolId" = new."schoolId" and c."scClassId" = new."scClassId"
      )
    );
  v_kind text;
begin
  if v_cause = 'import' and exists (
    select from "importSourceRun" r where r."schoolId" = new."schoolId" and r."ibId" = v_cause_id
  ) then
    v_cause := 'source';
  end if;
  select p."suiName" into v_operator from "person" p
  where p."schoolId" = new."schoolId" and p."suId" = new."updateBy";
  for v_kind in
    select k.kind
    from (
      values
        (
          case new."suiStatus"
            when '2' then 'leave'
            when '3' then 'withdraw'
            when '4' then 'graduate'
            when '5' then 'delay'
            when '6' then 'retain'
            when '7' then 'enlist'
            else case when old."suiStatus" in ('3', '4', '5') then 'restore' else 'return' end
          end,
          new."suiStatus" <> old."suiStatus"
        ),
        (
          case
            when new."scClassId" is not distinct from old."scClassId" then 'reorganise'
            when new."suiCollegeId" is distinct from old."suiCollegeId" then 'transferCollege'
            when new."majorId" is distinct from old."majorId" then 'transferMajor'
            when new."suiGrade" is distinct from old."suiGrade" then 'transferGrade'
            else 'transferClass'
          end,
          (new."suiCollegeId", new."majorId", new."scClassId", new."suiGrade")
            is distinct from (old."suiCollegeId", old."majorId", old."scClassId", old."suiGrade")
        )
    ) k(kind, applies)
    where k.applies
  loop
    insert into "studentChange" (
      "schoolId", "chId", "suId", "changeKind", "changeCause", "causeId", "wasState", "newState", "operatorId",
      "operatorName", "createTime"
    ) values (
      new."schoolId", gen_random_uuid(), new."suId", case when v_cause = 'undo' then 'revoke' else v_kind end, v_cause,
      v_cause_id, v_was, v_new, new."updateBy", coalesce(v_operator, '系统'), new."updateTime"
    );
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  stack text;
begin
  if tg_op = 'DELETE' then
    get diagnostics stack = pg_context;
    if stack ~ E'\nPL/pgSQL function remove_archived_audit\\(text,integer\\) line '
      and old."logTime" < now() - interval '6 months'
      and exists (
        select from "auditArchive" a
        where a."schoolId" = old."schoolId" and old."logTime" < a."cutTime"
      )
    then
      return old;
    end if;
  end if;
  raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_issue_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if (old."serial", old."suId", old."tiScope", old."tiExtract", old."tiLang", old."proof"::text,
          old."digest", old."substance", old."skId", old."issueBy", old."issueName", old."issueTime")
        is distinct from
        (new."serial", new."suId", new."tiScope", new."tiExtract", new."tiLang", new."proof"::text,
          new."digest", new."substance", new."skId", new."issueBy", new."issueName", new."issueTime")
      then
        raise exception 'what a transcript issue says is fixed';
      end if;
      if old."content" <> new."content"
        and not (
          new."content" = ''
          and exists (
            select from "person" p
            where p."schoolId" = old."schoolId" and p."suId" = old."suId" and p."identityErased" is not null
          )
        )
      then
        raise exception 'what a transcript issue says is fixed';
      end if;
      if new."tiStatus" < old."tiStatus"
        or (
          old."tiStatus" = '3'
          and (old."endTime", old."revokeName", old."revokeReason")
            is distinct from (new."endTime", new."revokeName", new."revokeReason")
        )
      then
        raise exception 'how a transcript issue ended is fixed';
      end if;
      return new;
    end $function$;

CREATE OR REPLACE FUNCTION public.remove_archived_audit(p_school text, p_archive integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  a "auditArchive";
  n int;
begin
  select * into strict a
  from "auditArchive"
  where "schoolId" = p_school and "arcNo" = p_archive;
  delete from "auditLog" l
  using "auditSeal" s
  where s."schoolId" = p_school
    and s."sealNo" between a."fromSeal" and a."throughSeal"
    and l."schoolId" = p_school
    and l."logId" = any(s."logIds");
  get diagnostics n = row_count;
  if n <> a."rowCount" then
    raise exception 'archive % of % names % rows, % are there', p_archive, p_school, a."rowCount", n
      using errcode = '0A000';
  end if;
  return n;
end $function$;

CREATE OR REPLACE FUNCTION public.supplement_count_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", -count(*) n
    from was
    group by 1, 2, 3, 4, 5, 6, 7
  loop
    insert into "supplementCount"
      ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
    values
      (r."schoolId", r."delFlag", r."lisStatus", r."lisType", r."lisLevel", r."source", r."lsPath", r.n);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.supplement_count_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", count(*) n
    from became
    group by 1, 2, 3, 4, 5, 6, 7
  loop
    insert into "supplementCount"
      ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
    values
      (r."schoolId", r."delFlag", r."lisStatus", r."lisType", r."lisLevel", r."source", r."lsPath", r.n);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.supplement_count_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  for r in
    select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", sum(n) n
    from (
      select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", 1 n
      from became
      union all
      select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", -1
      from was
    ) c
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(n) <> 0
  loop
    insert into "supplementCount"
      ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
    values
      (r."schoolId", r."delFlag", r."lisStatus", r."lisType", r."lisLevel", r."source", r."lsPath", r.n);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.supplement_note_subject()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  people uuid[];
begin
  for r in
    select "schoolId", array_agg(distinct "bizId") keys
    from (
      select "schoolId", "lisId" "bizId", "lsPath", "lisLevel"
      from became
      except
      select "schoolId", "lisId" "bizId", "lsPath", "lisLevel"
      from was
    ) c
    group by 1
  loop
    select array_agg(distinct c."suId") into people
    from "creditLedger" c
    where c."schoolId" = r."schoolId" and c."bizId" = any(r.keys);
    perform "note_keys"(r."schoolId", 'P', people);
  end loop;
  return null;
end $function$;
