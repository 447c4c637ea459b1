import { sql, type Kysely } from 'kysely'

/** Transcripts as papers: the keys they are signed with, each issue with what it says, every print of it, and the batches that are printed in the background. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Ed25519. publicKey: its 32 bytes; sealedKey: the private one, sealed with the service's field key and removed when the key is retired. skStatus 1 signs, 0 only verifies
  `create table "signingKey" ("schoolId" text not null references "school", "skId" uuid not null, "publicKey" bytea not null, "sealedKey" bytea, "skStatus" text not null default '1',
     "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "retireTime" timestamptz, "retireName" text not null default '', "retireReason" text not null default '', primary key ("schoolId", "skId"))`,
  `create unique index "signingKey_active" on "signingKey" ("schoolId") where "skStatus" = '1'`,

  // content: the signed credential as canonical JSON; substance: the hash of what it says of the student, without serial and time, by which an unchanged transcript is known again.
  // tiScope: '' the whole transcript, else which part. tiStatus 1 valid, 2 superseded by a newer one, 3 revoked
  `create table "transcriptIssue" ("schoolId" text not null, "tiId" uuid not null, "serial" text not null unique, "suId" uuid not null, "tiScope" text not null default '', "tiExtract" text not null default '', "tiLang" text not null default 'zh', "content" text not null, "proof" jsonb not null,
     "digest" bytea not null, "substance" bytea not null, "skId" uuid not null, "tiStatus" text not null default '1', "issueBy" uuid, "issueName" text not null default '', "issueTime" timestamptz not null default now(), "printCount" int not null default 0, "lastPrintTime" timestamptz,
     "endTime" timestamptz, "revokeName" text not null default '', "revokeReason" text not null default '', primary key ("schoolId", "tiId"), foreign key ("schoolId", "suId") references "person", foreign key ("schoolId", "skId") references "signingKey")`,
  `create unique index "transcriptIssue_valid" on "transcriptIssue" ("schoolId", "suId", "tiScope", "tiLang") where "tiStatus" = '1'`,
  `create index "transcriptIssue_list" on "transcriptIssue" ("schoolId", "issueTime" desc, "tiId")`,
  // what an issue says never changes; only how it stands does
  `create function refuse_issue_change() returns trigger language plpgsql as $$ begin
     if (old."serial", old."suId", old."content", old."proof"::text, old."digest", old."substance", old."skId", old."issueTime") is distinct from (new."serial", new."suId", new."content", new."proof"::text, new."digest", new."substance", new."skId", new."issueTime") then
       raise exception 'what a transcript issue says is fixed'; end if; return new; end $$`,
  `create trigger "transcriptIssue_fixed" before update on "transcriptIssue" for each row execute function refuse_issue_change()`,

  // printWay 1 one student, 2 several at once, 3 a batch
  `create table "transcriptPrint" ("schoolId" text not null, "tpId" uuid not null, "tiId" uuid not null, "printWay" text not null default '1', "tbId" uuid, "printBy" uuid, "printName" text not null default '', "printTime" timestamptz not null default now(), primary key ("schoolId", "tpId"),
     foreign key ("schoolId", "tiId") references "transcriptIssue")`,
  `create index "transcriptPrint_issue" on "transcriptPrint" ("schoolId", "tiId", "printTime" desc)`,

  // tbStatus 0 waiting, 1 running, 2 done, 3 failed, 4 cancelled, 5 file removed
  `create table "transcriptBatch" ("schoolId" text not null references "school", "tbId" uuid not null, "tbTitle" text not null, "tbFormat" text not null, "tbOptions" jsonb not null, "suIds" uuid[] not null, "tbStatus" text not null default '0', "jobId" uuid, "doneCount" int not null default 0,
     "faults" jsonb not null default '[]', "storeKey" text, "fileSize" bigint, "createBy" uuid not null, "createName" text not null default '', "createTime" timestamptz not null default now(), "endTime" timestamptz, primary key ("schoolId", "tbId"))`,
  `create index "transcriptBatch_own" on "transcriptBatch" ("schoolId", "createBy", "createTime" desc)`,
]
