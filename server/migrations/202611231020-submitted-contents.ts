import { sql, type Kysely } from 'kysely'

/**
 * What a record said when it was submitted, so that the next submission can tell its reviewers what has changed since:
 * apart from the approvals, which lists read, for the result of a large course says something of everybody.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "approvalContent" (
      "schoolId" text not null,
      "insId" uuid not null,
      "content" jsonb not null,
      primary key ("schoolId", "insId"),
      foreign key ("schoolId", "insId") references "approval" ("schoolId", "insId")
    )`.execute(db)
  await sql`
    alter table "circleApply"
    add column "content" jsonb,
    add column "differences" jsonb not null default '[]'`.execute(db)
}
