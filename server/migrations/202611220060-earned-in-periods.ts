import { sql, type Kysely } from 'kysely'

/** What students earned in a period is read from the index alone; corrections, which are few, are found by themselves (decision 022). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "creditLedger_earned" on "creditLedger" ("schoolId", "occurTime") include ("suId", "bizId", "moduleId", "clType", "clValue", "source") where "clType" in ('1', '2', '3') and "reverseOf" is null`.execute(
    db,
  )
  await sql`create index "creditLedger_corrections" on "creditLedger" ("schoolId", "reverseOf") where "reverseOf" is not null`.execute(
    db,
  )
}
