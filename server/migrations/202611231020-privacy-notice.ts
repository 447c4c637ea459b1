import { sql, type Kysely } from 'kysely'

/** What a school tells people about their data, in versions, and since when each person has agreed to one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "privacyNotice" (
      "schoolId" text not null references "school",
      "version" int not null,
      "content" text not null,
      "publishTime" timestamptz not null,
      "publishBy" uuid not null,
      "publishName" text not null,
      primary key ("schoolId", "version")
    )`.execute(db)
  await sql`comment on table "privacyNotice" is 'Privacy notices as published; version 1 is the text of the program.'`.execute(
    db,
  )
  await sql`alter table "account" add column "noticeTime" timestamptz`.execute(db)
  await sql`comment on column "account"."noticeVersion" is 'the privacy notice agreed to last'`.execute(db)
  await sql`comment on column "account"."noticeTime" is 'when it was agreed to'`.execute(db)
}
