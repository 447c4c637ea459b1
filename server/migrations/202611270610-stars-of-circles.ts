import { sql, type Kysely } from 'kysely'

/** The yearly review of a circle gives it stars. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['circleApply', 'circleReview']) {
    await sql`alter table ${sql.table(table)} add column "crStar" text`.execute(db)
    await sql`comment on column ${sql.table(table)}."crStar" is 'circle_star'`.execute(db)
  }
}
