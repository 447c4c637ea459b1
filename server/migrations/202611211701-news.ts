import { sql, type Kysely } from 'kysely'

/** News and its types. niDetail is HTML as the service cleaned it; niCollegeId says whose it is, null: the school's. Statuses: DOMAIN 1.2 J. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const edited = `
  "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
  "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0`

const statements = [
  `create table "newsType" ("schoolId" text not null references "school", "ntId" uuid not null, "ntName" text not null, "ntSort" int not null default 0, ${edited}, primary key ("schoolId", "ntId"), unique ("schoolId", "ntName"))`,
  `insert into "newsType" ("schoolId", "ntId", "ntName", "ntSort") select s."schoolId", gen_random_uuid(), k."name", k."at" - 1 from "school" s cross join unnest(array['校园新闻', '通知公告', '活动风采']) with ordinality k("name", "at")`,
  `create table "news" ("schoolId" text not null references "school", "niId" uuid not null, "ntId" uuid not null, "niTitle" text not null, "niSubtitle" text not null default '', "niClass" text not null default '1', "niDetail" text not null default '', "niLink" text not null default '',
     "niCover" uuid, "imgList" uuid[] not null default '{}', "attachments" uuid[] not null default '{}', "relIds" uuid[] not null default '{}', "niSource" text not null default '', "niAuthor" text not null default '', "niCollegeId" uuid,
     "niTop" text not null default '0', "niIsShow" text not null default '1', "niStatus" text not null default '0', "publishTime" timestamptz, "cancelReason" text not null default '', "readCount" int not null default 0, "delFlag" text not null default '0', ${edited},
     primary key ("schoolId", "niId"), foreign key ("schoolId", "ntId") references "newsType", foreign key ("schoolId", "niCollegeId") references "college")`,
  `create index "news_list" on "news" ("schoolId", "createTime" desc, "niId") where "delFlag" = '0'`,
  `create index "news_type" on "news" ("schoolId", "ntId")`,
]
