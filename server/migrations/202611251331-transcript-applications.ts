import { sql, type Kysely } from 'kysely'

/** Students' applications for a signed transcript (decision 110). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "transcriptApplication" (
  "schoolId" text not null,
  "taId" uuid not null,
  "suId" uuid not null,
  "taLang" text not null,
  "taPurpose" text not null,
  "taCopies" int not null,
  "taStatus" text not null default '0',
  "createTime" timestamptz not null,
  "decideBy" uuid,
  "decideName" text not null default '',
  "decideTime" timestamptz,
  "decideReason" text not null default '',
  "tiId" uuid,
  primary key ("schoolId", "taId"),
  foreign key ("schoolId", "suId") references "person" ("schoolId", "suId"),
  foreign key ("schoolId", "tiId") references "transcriptIssue" ("schoolId", "tiId"),
  check (("taStatus" = '1') = ("tiId" is not null))
);
comment on table "transcriptApplication" is 'students'' applications for a signed transcript';
comment on column "transcriptApplication"."taCopies" is 'how many on paper; 0 for the file alone';
comment on column "transcriptApplication"."decideTime" is 'when it was accepted, refused or withdrawn; null while it is open';
comment on column "transcriptApplication"."tiId" is 'what was issued upon it';
create unique index "transcriptApplication_open" on "transcriptApplication" ("schoolId", "suId") where "taStatus" = '0';
create index "transcriptApplication_list" on "transcriptApplication" ("schoolId", "createTime" desc, "taId");
create index "transcriptApplication_student" on "transcriptApplication" ("schoolId", "suId", "createTime" desc);
create index "transcriptApplication_issue" on "transcriptApplication" ("schoolId", "tiId") where "tiId" is not null;
`,
    )
    .execute(db)
}
