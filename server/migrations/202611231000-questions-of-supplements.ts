import { sql, type Kysely } from 'kysely'

/** A question is about a course or about a supplement record: exactly one of the two. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "question"
      alter column "liId" drop not null,
      add column "lisId" uuid,
      add foreign key ("schoolId", "lisId") references "supplement",
      add constraint "question_matter" check (num_nonnulls("liId", "lisId") = 1),
      -- a record is one student's: whoever questions it means them
      add constraint "question_student" check ("lisId" is null or "targetSuId" is not null)`.execute(db)
  // one open question about a supplement record, as there is one about a student's place in a course
  await sql`
    create unique index "question_supplement_open" on "question" ("schoolId", "lisId")
    where "lisId" is not null
      and "delFlag" = '0'
      and ("qStatus" in ('0', '1', '5') or ("qStatus" = '2' and "qOutcome" is null))`.execute(db)
  // the questions about a supplement record
  await sql`
    create index "question_supplement" on "question" ("schoolId", "lisId", "qStatus")
    where "lisId" is not null`.execute(db)
}
