import { sql, type Kysely } from 'kysely'

/**
 * What is forgotten of graduates (decision 042): when contacts and identity of a person were erased, who must be kept
 * as they are, and what has been announced. The text of a transcript issue may be emptied, and in no other way changed,
 * once its person is anonymous: whoever holds the signed paper can still have it checked against its digest.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "person"
      add column "contactsErased" timestamptz,
      add column "identityErased" timestamptz,
      add column "holdReason" text not null default ''`.execute(db)
  await sql`comment on column "person"."contactsErased" is 'when what a graduate could be reached by was erased'`.execute(
    db,
  )
  await sql`comment on column "person"."identityErased" is 'when name and number became pseudonyms'`.execute(db)
  await sql`comment on column "person"."holdReason" is 'why nothing of a graduate may be erased; empty: nothing speaks against it'`.execute(
    db,
  )
  // those that may be due; hardly anybody once a year has been worked off
  await sql`
    create index "person_graduates" on "person" ("schoolId", "suId")
      where "suiType" = '1' and "suiStatus" = '4' and "delFlag" = '0' and "identityErased" is null`.execute(db)
  await sql`
    create table "erasure" (
      "schoolId" text not null references "school",
      "erId" uuid not null,
      "erKind" text not null,
      "announceTime" timestamptz not null,
      "dueTime" timestamptz not null,
      "announced" int not null,
      "erased" int not null default 0,
      "doneTime" timestamptz,
      primary key ("schoolId", "erId")
    )`.execute(db)
  await sql`comment on table "erasure" is 'Erasures of graduates’ data, each announced before it is carried out.'`.execute(
    db,
  )
  await sql`comment on column "erasure"."erKind" is 'erasure_kind'`.execute(db)
  await sql`create unique index "erasure_open" on "erasure" ("schoolId", "erKind") where "doneTime" is null`.execute(db)
  await sql`
    create or replace function refuse_issue_change() returns trigger language plpgsql as $$
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
    end $$`.execute(db)
}
