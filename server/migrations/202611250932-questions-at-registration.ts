import { sql, type Kysely } from 'kysely'

/** Students register by themselves and answer what the organiser asks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "lesson" add column "applyQuestions" text not null default ''`.execute(db)
  await sql`comment on column "lesson"."applyQuestions" is 'asked of whoever registers, one a line'`.execute(db)
  await sql`alter table "registration" add column "applyAnswers" jsonb not null default '[]'`.execute(db)
  await sql`comment on column "registration"."applyAnswers" is '[{question, answer}], as it was asked then'`.execute(db)
}
