import { editedColumns } from './edited.columns.ts'

/** Accounts, sessions, roles and what each role covers; what a person set for themselves. */
export const access = `
-- What a person signs in with.
create table "account" (
  "schoolId" text not null,
  "suId" uuid not null,
  "suLoginName" text not null, -- folded (NFKC, lower case), so that variants of a name are one account
  "suNickname" text not null,
  "suType" text not null,
  "suStatus" text not null default '1', -- account_status
  "passwordHash" text not null, -- Argon2id with the pepper of the installation
  "mustChangePwd" boolean not null default true,
  "policyUnverified" boolean not null default false,
  "initialUntil" timestamptz, -- until when a password that was given may be used
  "pwdUpdateTime" timestamptz,
  "lastLoginTime" timestamptz,
  "lastLoginIp" text,
  "totpSecret" text,
  "noticeVersion" int,
  "createTime" timestamptz not null default now(),
  "updateTime" timestamptz not null default now(),
  primary key ("schoolId", "suId"),
  unique ("schoolId", "suLoginName"),
  foreign key ("schoolId", "suId") references "person" on delete cascade
);

-- Earlier passwords of an account, which a new one must differ from.
create table "passwordHistory" (
  "schoolId" text not null,
  "suId" uuid not null,
  "passwordHash" text not null,
  "setTime" timestamptz not null default now(),
  foreign key ("schoolId", "suId") references "account" on delete cascade
);
-- the latest passwords of an account
create index on "passwordHistory" ("schoolId", "suId", "setTime");

-- Opaque tokens. Only their SHA-256 is kept, so a copy of this table signs nobody in.
create table "session" (
  "sessionId" uuid primary key,
  "schoolId" text not null,
  "suId" uuid not null,
  "accessHash" bytea not null unique,
  "refreshHash" bytea unique,
  "usedRefreshHash" bytea, -- the refresh token before this one: used again, it ends the session
  "refreshedTime" timestamptz,
  "createTime" timestamptz not null,
  "lastSeen" timestamptz not null,
  "absoluteExpiry" timestamptz not null,
  "ip" text not null,
  "agent" text not null,
  foreign key ("schoolId", "suId") references "account" on delete cascade
);
-- the sessions of a person, oldest first
create index on "session" ("schoolId", "suId", "createTime");
-- removing what has expired
create index on "session" ("absoluteExpiry");
-- a refresh token that was used before
create index on "session" ("usedRefreshHash")
  where "usedRefreshHash" is not null;

-- Failed tries to sign in, counted for known and unknown names alike.
create table "loginCounter" (
  "counterKey" text primary key,
  "failures" int not null,
  "windowStart" timestamptz not null,
  "lockedUntil" timestamptz,
  "locks" int not null default 0
);

-- Codes for recovering a password.
create table "resetRequest" (
  "rqId" uuid primary key,
  "schoolId" text not null,
  "suId" uuid not null,
  "codeHash" bytea not null,
  "tries" int not null default 0,
  "expireTime" timestamptz not null,
  "usedTime" timestamptz,
  "createTime" timestamptz not null,
  foreign key ("schoolId", "suId") references "account" on delete cascade
);
-- the latest request of a person
create index on "resetRequest" ("schoolId", "suId", "createTime");

-- Keys of writing requests, so that one sent twice takes effect once (decision 014).
create table "requestKey" (
  "schoolId" text not null,
  "suId" uuid not null,
  "key" text not null,
  "inputHash" bytea not null, -- SHA-256 of the call and its input
  "answer" bytea, -- sealed JSON; null while the request runs
  "createTime" timestamptz not null,
  primary key ("schoolId", "suId", "key")
);
-- removing old keys
create index on "requestKey" ("createTime");

-- Roles: rights, and over which part of the school they hold.
create table "role" (
  "schoolId" text not null references "school",
  "srId" uuid not null,
  "srName" text not null,
  "srCode" text not null,
  "srType" text not null default '2', -- role_type
  "srDesc" text not null default '',
  "srSort" int not null default 0,
  "enable" text not null default '1',
  "dataScope" text not null default '9', -- data_scope
  "permits" text[] not null default '{}', -- rights, contract/school/roles
  ${editedColumns},
  primary key ("schoolId", "srId"),
  unique ("schoolId", "srCode"),
  unique ("schoolId", "srName")
);

-- Who has which role.
create table "roleUser" (
  "schoolId" text not null,
  "srId" uuid not null,
  "suId" uuid not null,
  "grantedBy" uuid,
  "grantTime" timestamptz not null default now(),
  "endDate" date, -- the last day on which the role holds; null: until it is taken back
  "importBatchId" uuid,
  primary key ("schoolId", "srId", "suId"),
  foreign key ("schoolId", "srId") references "role",
  foreign key ("schoolId", "suId") references "account" on delete cascade
);
-- the roles of a person, at every request
create index on "roleUser" ("schoolId", "suId");
-- the job that ends memberships
create index "roleUser_end" on "roleUser" ("endDate")
  where "endDate" is not null;

-- The control area of a member of a role, one target a row.
create table "controlArea" (
  "schoolId" text not null,
  "srId" uuid not null,
  "suId" uuid not null,
  "caType" text not null, -- college, major, class, grade, curriculum, department
  "caTarget" text not null,
  primary key ("schoolId", "srId", "suId", "caType", "caTarget"),
  foreign key ("schoolId", "srId", "suId") references "roleUser" on delete cascade
);
-- who has a class, a college or a department in their area
create index "controlArea_target" on "controlArea" ("schoolId", "caType", "caTarget");

-- What a person set for themselves: columns, density, groups of receivers.
create table "preference" (
  "schoolId" text not null,
  "suId" uuid not null,
  "pfKey" text not null,
  "pfValue" jsonb not null,
  "updateTime" timestamptz not null default now(),
  primary key ("schoolId", "suId", "pfKey"),
  foreign key ("schoolId", "suId") references "account" on delete cascade
);

-- Filters of a list that a person keeps under a name.
create table "savedView" (
  "schoolId" text not null,
  "suId" uuid not null,
  "svId" uuid not null,
  "listName" text not null, -- the path of the screen
  "svTitle" text not null,
  "svQuery" jsonb not null, -- filters and order as the address bar has them
  "createTime" timestamptz not null,
  primary key ("schoolId", "suId", "svId"),
  unique ("schoolId", "suId", "listName", "svTitle"),
  foreign key ("schoolId", "suId") references "person" on delete cascade
);
`
