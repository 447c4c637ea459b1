import { sql, type Kysely } from 'kysely'

/**
 * What the page of the school edits: the picture behind the sign-in, the version of its settings (the profile has its own), terms that
 * tell who changed them, and files that not everybody of the school may see, such as its seal.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "school" add column "loginBgFileId" uuid, add column "settingsVersion" int not null default 0`.execute(db)
  await sql`alter table "term" add column "createBy" uuid, add column "createName" text not null default '', add column "createTime" timestamptz not null default now(),
    add column "updateBy" uuid, add column "updateTime" timestamptz not null default now(), add column "version" int not null default 0`.execute(db)
  // the history of terms is read without reading the whole trail of the school
  await sql`create index "auditLog_term" on "auditLog" ("schoolId", "logTime") where "bizType" = 'term'`.execute(db)
  // the right without which a stored file is not shown; empty: everybody of the school
  await sql`alter table "file" add column "viewPermit" text not null default ''`.execute(db)
}
