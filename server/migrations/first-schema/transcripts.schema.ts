/** Transcripts as papers: the keys they are signed with, each issue, every print, and batches. */
export const transcripts = `
-- The Ed25519 keys that a school signs its transcripts with.
create table "signingKey" (
  "schoolId" text not null references "school",
  "skId" uuid not null,
  "publicKey" bytea not null, -- its 32 bytes
  "sealedKey" bytea, -- the private key, sealed; removed when the key is retired
  "skStatus" text not null default '1', -- 1 signs, 0 only verifies
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "retireTime" timestamptz,
  "retireName" text not null default '',
  "retireReason" text not null default '',
  primary key ("schoolId", "skId")
);
-- one key signs
create unique index "signingKey_active" on "signingKey" ("schoolId")
  where "skStatus" = '1';

-- Transcripts as papers: each issue with what it says. What it says never changes, only how it stands (decision 020).
create table "transcriptIssue" (
  "schoolId" text not null,
  "tiId" uuid not null,
  "serial" text not null unique,
  "suId" uuid not null,
  "tiScope" text not null default '', -- empty: the whole transcript, else which part
  "tiExtract" text not null default '',
  "tiLang" text not null default 'zh',
  "content" text not null, -- the signed credential as canonical JSON
  "proof" jsonb not null,
  "digest" bytea not null,
  "substance" bytea not null, -- hash of what it says of the student, by which an unchanged transcript is known again
  "skId" uuid not null,
  "tiStatus" text not null default '1', -- 1 valid, 2 superseded by a newer one, 3 revoked
  "issueBy" uuid,
  "issueName" text not null default '',
  "issueTime" timestamptz not null default now(),
  "printCount" int not null default 0,
  "lastPrintTime" timestamptz,
  "endTime" timestamptz,
  "revokeName" text not null default '',
  "revokeReason" text not null default '',
  primary key ("schoolId", "tiId"),
  foreign key ("schoolId", "suId") references "person",
  foreign key ("schoolId", "skId") references "signingKey"
);
-- one valid issue a student, part and language
create unique index "transcriptIssue_valid" on "transcriptIssue" ("schoolId", "suId", "tiScope", "tiLang")
  where "tiStatus" = '1';
-- the list
create index "transcriptIssue_list" on "transcriptIssue" ("schoolId", "issueTime" desc, "tiId");

-- What an issue says never changes. How it stands goes from valid to superseded or revoked, from superseded to revoked,
-- and no way back.
create function refuse_issue_change() returns trigger language plpgsql as $$
begin
  if (old."serial", old."suId", old."tiScope", old."tiExtract", old."tiLang", old."content", old."proof"::text,
      old."digest", old."substance", old."skId", old."issueBy", old."issueName", old."issueTime")
    is distinct from
    (new."serial", new."suId", new."tiScope", new."tiExtract", new."tiLang", new."content", new."proof"::text,
      new."digest", new."substance", new."skId", new."issueBy", new."issueName", new."issueTime")
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
end $$;
create trigger "transcriptIssue_fixed" before update on "transcriptIssue"
  for each row execute function refuse_issue_change();

-- Every print of an issue.
create table "transcriptPrint" (
  "schoolId" text not null,
  "tpId" uuid not null,
  "tiId" uuid not null,
  "printWay" text not null default '1', -- 1 one student, 2 several at once, 3 a batch
  "tbId" uuid,
  "printBy" uuid,
  "printName" text not null default '',
  "printTime" timestamptz not null default now(),
  primary key ("schoolId", "tpId"),
  foreign key ("schoolId", "tiId") references "transcriptIssue"
);
-- the prints of an issue
create index "transcriptPrint_issue" on "transcriptPrint" ("schoolId", "tiId", "printTime" desc);

-- Transcripts of many students, printed in the background.
create table "transcriptBatch" (
  "schoolId" text not null references "school",
  "tbId" uuid not null,
  "tbTitle" text not null,
  "tbFormat" text not null,
  "tbOptions" jsonb not null,
  "suIds" uuid[] not null,
  "tiIds" uuid[] not null default '{}', -- the issues whose papers are in the file
  "tbStatus" text not null default '0', -- 0 waiting, 1 running, 2 done, 3 failed, 4 cancelled, 5 file removed
  "jobId" uuid,
  "doneCount" int not null default 0,
  "faults" jsonb not null default '[]',
  "storeKey" text,
  "fileSize" bigint,
  "createBy" uuid not null,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "endTime" timestamptz,
  primary key ("schoolId", "tbId")
);
-- the batches a person made
create index "transcriptBatch_own" on "transcriptBatch" ("schoolId", "createBy", "createTime" desc);
-- the job that removes files of batches that ended without one
create index "transcriptBatch_stored" on "transcriptBatch" ("storeKey")
  where "storeKey" is not null;
`
