import { sql, type Kysely } from 'kysely'

/** A loss of credibility is restored at most once, and the losses that a course caused are found without reading the whole log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index "credibilityLog_restored" on "credibilityLog" ("schoolId", "restoreOf") where "restoreOf" is not null`.execute(
    db,
  )
  await sql`create index "credibilityLog_lesson" on "credibilityLog" ("schoolId", "liId") where "liId" is not null`.execute(
    db,
  )
}
