import { sql, type Kysely } from 'kysely'

/**
 * Jobs are taken school by school: the first that are due of each are found without those of a school that has many.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "job_schoolDue" on "job" ("schoolId", "runAt") where "jobStatus" = '0'`.execute(db)
}
