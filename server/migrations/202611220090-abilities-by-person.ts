import { sql, type Kysely } from 'kysely'

/** What somebody has of each ability is read from the index alone: the means of a college are those of thousands of students. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index "statAbility_person"`.execute(db)
  await sql`create index "statAbility_person" on "statAbility" ("schoolId", "suId") include ("sqlId", "score")`.execute(
    db,
  )
}
