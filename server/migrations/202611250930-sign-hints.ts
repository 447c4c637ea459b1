import { sql, type Kysely } from 'kysely'

/** Students sign in on their own phones: on which browser, and what people should look into. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "sessionSign" add column "deviceHash" bytea`.execute(db)
  await sql`
    comment on column "sessionSign"."deviceHash" is
      'the browser, recognisable within its course only; emptied by the terms of keeping'`.execute(db)
  await sql`
    create table "signHint" (
      "schoolId" text not null,
      "laId" uuid not null,
      "lseNo" int not null,
      "kind" text not null,
      "amount" int not null,
      "hintTime" timestamptz not null,
      primary key ("schoolId", "laId", "lseNo", "kind"),
      foreign key ("schoolId", "laId") references "registration" on delete cascade
    )`.execute(db)
  await sql`
    comment on table "signHint" is 'What was noticed at a sign-in and left to people to look into.'`.execute(db)
  await sql`
    comment on column "signHint"."amount" is 'others on the same device, seconds or metres, by its kind'`.execute(db)
}
