import { sql, type Kysely } from 'kysely'

/**
 * Schools say how long messages, traces of sign-ins and imports are kept. Old messages are found by their time; and
 * taking the address and browser from a sign-in changes no figure, so statistics are not told of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "information_sent" on "information" ("schoolId", "sendTime")`.execute(db)
  await sql`
    create function "note_loginDay_update"() returns trigger language plpgsql as $$
    begin
      insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
      select t."schoolId", 'G', t."suId", t."logDay"
      from touched t
      join former f on f."schoolId" = t."schoolId" and f."logDay" = t."logDay" and f."suId" = t."suId"
      where t."times" <> f."times" or t."hours" <> f."hours";
      return null;
    end $$`.execute(db)
  await sql`
    alter table "school"
      add column "tracesGoneBefore" date not null default '0001-01-01'`.execute(db)
  await sql`
    comment on column "school"."tracesGoneBefore"
      is 'sign-ins before this day have lost their address and browser'`.execute(db)
  await sql`drop trigger "loginDay_note_update" on "loginDay"`.execute(db)
  await sql`
    create trigger "loginDay_note_update" after update on "loginDay"
      referencing old table as former new table as touched
      for each statement execute function "note_loginDay_update"()`.execute(db)
}
