import { sql, type Kysely } from 'kysely'

/** Which papers are in the file of a batch, and that a revoked paper stays revoked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // tiIds: the issues whose papers are in the file
  `alter table "transcriptBatch" add column "tiIds" uuid[] not null default '{}'`,
  `update "transcriptBatch" b set "tiIds" = p."tiIds" from (select "schoolId", "tbId", array_agg(distinct "tiId") "tiIds" from "transcriptPrint" where "tbId" is not null group by 1, 2) p
     where b."schoolId" = p."schoolId" and b."tbId" = p."tbId" and b."tbStatus" = '2'`,
  // whose storeKey is set has a content in the store, or may have one: a batch that ended without a file gives it up when the content is gone
  `create index "transcriptBatch_stored" on "transcriptBatch" ("storeKey") where "storeKey" is not null`,

  // what an issue says never changes; how it stands goes from valid to superseded or revoked, from superseded to revoked, and no way back
  `create or replace function refuse_issue_change() returns trigger language plpgsql as $$ begin
     if (old."serial", old."suId", old."tiScope", old."tiExtract", old."tiLang", old."content", old."proof"::text, old."digest", old."substance", old."skId", old."issueBy", old."issueName", old."issueTime")
       is distinct from (new."serial", new."suId", new."tiScope", new."tiExtract", new."tiLang", new."content", new."proof"::text, new."digest", new."substance", new."skId", new."issueBy", new."issueName", new."issueTime") then
       raise exception 'what a transcript issue says is fixed'; end if;
     if new."tiStatus" < old."tiStatus" or (old."tiStatus" = '3' and (old."endTime", old."revokeName", old."revokeReason") is distinct from (new."endTime", new."revokeName", new."revokeReason")) then
       raise exception 'how a transcript issue ended is fixed'; end if;
     return new; end $$`,
]
