import { editedColumns } from './edited.columns.ts'

/** Messages and news. */
export const messages = `
-- Messages as they were sent.
create table "information" (
  "schoolId" text not null,
  "iiId" uuid not null,
  "iiTitle" text not null,
  "iiContent" text not null,
  "iiType" text not null default '1', -- msg_type
  "bizType" text not null default '',
  "bizId" text not null default '',
  "link" text not null default '',
  "createBy" uuid,
  "createName" text not null,
  "sendTime" timestamptz not null default now(),
  "outboxDeleted" text not null default '0',
  "recalled" text not null default '0',
  primary key ("schoolId", "iiId")
);
-- the outbox; messages of the system are in nobody’s
create index "information_outbox" on "information" ("schoolId", "createBy", "sendTime")
  where "createBy" is not null and "outboxDeleted" = '0';

-- Each receiver of a message.
create table "informationReceiver" (
  "schoolId" text not null,
  "iurId" uuid not null,
  "iiId" uuid not null,
  "suId" uuid not null,
  "isRead" text not null default '0',
  "readTime" timestamptz,
  "inboxDeleted" text not null default '0',
  primary key ("schoolId", "iurId"),
  unique ("schoolId", "iiId", "suId"),
  foreign key ("schoolId", "iiId") references "information" on delete cascade,
  foreign key ("schoolId", "suId") references "person"
);
-- the inbox and its count of unread messages
create index "informationReceiver_inbox" on "informationReceiver" ("schoolId", "suId", "isRead")
  where "inboxDeleted" = '0';

-- Kinds of news.
create table "newsType" (
  "schoolId" text not null references "school",
  "ntId" uuid not null,
  "ntName" text not null,
  "ntSort" int not null default 0,
  ${editedColumns},
  primary key ("schoolId", "ntId"),
  unique ("schoolId", "ntName")
);

-- News. "niDetail" is HTML as the service cleaned it (decision 019).
create table "news" (
  "schoolId" text not null references "school",
  "niId" uuid not null,
  "ntId" uuid not null,
  "niTitle" text not null,
  "niSubtitle" text not null default '',
  "niClass" text not null default '1', -- news_class
  "niDetail" text not null default '',
  "niLink" text not null default '',
  "niCover" uuid,
  "imgList" uuid[] not null default '{}',
  "attachments" uuid[] not null default '{}',
  "relIds" uuid[] not null default '{}',
  "niSource" text not null default '',
  "niAuthor" text not null default '',
  "niCollegeId" uuid, -- whose it is; null: the school’s
  "niTop" text not null default '0',
  "niIsShow" text not null default '1',
  "niStatus" text not null default '0', -- news_status
  "publishTime" timestamptz,
  "cancelReason" text not null default '',
  "readCount" int not null default 0,
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "niId"),
  foreign key ("schoolId", "ntId") references "newsType",
  foreign key ("schoolId", "niCollegeId") references "college"
);
-- the list
create index "news_list" on "news" ("schoolId", "createTime" desc, "niId")
  where "delFlag" = '0';
-- whether a kind is in use
create index "news_type" on "news" ("schoolId", "ntId");
`
