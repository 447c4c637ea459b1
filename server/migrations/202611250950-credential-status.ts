import { sql, type Kysely } from 'kysely'

/** The places of Open Badges and learner records in the public lists that tell which were revoked (decision 100). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "credentialStatus" (
  "schoolId" text not null references "school" ("schoolId"),
  "csNo" int not null,
  "suId" uuid not null,
  "tiId" uuid,
  "recId" uuid,
  "bizId" uuid,
  "moduleId" uuid,
  "substance" text not null default '',
  "createTime" timestamptz not null default now(),
  primary key ("schoolId", "csNo"),
  foreign key ("schoolId", "suId") references "person" ("schoolId", "suId"),
  foreign key ("schoolId", "tiId") references "transcriptIssue" ("schoolId", "tiId"),
  check (("tiId" is null) <> ("recId" is null))
);
comment on table "credentialStatus" is 'places of badges and learner records in the public status lists';
comment on column "credentialStatus"."csNo" is 'the place, counted from 0 through all lists of the school';
comment on column "credentialStatus"."tiId" is 'of a learner record: the transcript it was made of';
comment on column "credentialStatus"."recId" is 'of a badge: the record of the ledger, with bizId and moduleId';
comment on column "credentialStatus"."substance" is 'hours/credit/points the badge says, in hundredths';
create unique index "credentialStatus_issue" on "credentialStatus" ("schoolId", "tiId") where "tiId" is not null;
create unique index "credentialStatus_record" on "credentialStatus" ("schoolId", "recId", "substance")
  where "recId" is not null;
create index "credentialStatus_student" on "credentialStatus" ("schoolId", "suId");
`,
    )
    .execute(db)
}
