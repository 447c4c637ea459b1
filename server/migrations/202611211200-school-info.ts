import { sql, type Kysely } from 'kysely'

/**
 * What the page of the school edits: the picture behind the sign-in, the version of its settings (the profile has its own), and terms that
 * tell who changed them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "school" add column "loginBgFileId" uuid, add column "settingsVersion" int not null default 0`.execute(
    db,
  )
  await sql`alter table "term" add column "createBy" uuid, add column "createName" text not null default '', add column "createTime" timestamptz not null default now(),
    add column "updateBy" uuid, add column "updateTime" timestamptz not null default now(), add column "version" int not null default 0`.execute(
    db,
  )
}
