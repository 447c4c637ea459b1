import { editedColumns } from './edited.columns.ts'

/** The school and its calendar. */
export const school = `
-- The tenant. Everything below belongs to exactly one school.
create table "school" (
  "schoolId" text primary key check ("schoolId" ~ '^[a-zA-Z0-9_-]{1,32}$'),
  "schName" text not null,
  "schCode" text not null default '', -- five digits, part of a transcript’s serial
  "schMotto" text not null default '',
  "address" text not null default '',
  "phone" text not null default '',
  "logoFileId" uuid,
  "badgeFileId" uuid,
  "sealFileId" uuid,
  "loginBgFileId" uuid,
  "features" jsonb not null default '{}', -- switches of whole parts of the console
  "settings" jsonb not null default '{}', -- what the school set otherwise than contract/school/school/settings.ts
  "settingsVersion" int not null default 0, -- of the settings; the profile has its own
  "dictVersion" int not null default 1, -- rises when a dictionary of the school changes
  ${editedColumns}
);

-- Terms, by which statistics, caps and transcripts count.
create table "term" (
  "schoolId" text not null references "school",
  "tmId" uuid not null,
  "tmName" text not null,
  "tmStart" date not null,
  "tmEnd" date not null,
  ${editedColumns},
  primary key ("schoolId", "tmId"),
  unique ("schoolId", "tmName"),
  check ("tmEnd" > "tmStart")
);

-- Days on which the working week and the calendar differ; public notices and approval deadlines count working days.
create table "holiday" (
  "schoolId" text not null references "school",
  "hdDate" date not null,
  "hdName" text not null,
  "hdKind" text not null default '0', -- 0 a weekday off, 1 a weekend day at work
  primary key ("schoolId", "hdDate")
);

-- Facts about this installation rather than a school, such as the fingerprint of its secrets.
create table "installation" (
  "inKey" text primary key,
  "inValue" text not null,
  "createTime" timestamptz not null default now()
);
`
