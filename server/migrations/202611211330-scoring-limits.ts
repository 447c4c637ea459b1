import { sql, type Kysely } from 'kysely'

/**
 * What a scoring rule says beyond one participation: shares within a team (teamRules [{size, ratios}], hundredths by rank), groups of which
 * only the best counts, and the most hours of a school year.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "evaluation" add column "teamRules" jsonb not null default '[]', add column "bestOnlyGroup" text not null default '', add column "yearCap" int`.execute(
    db,
  )
  // what a student already has in a group, found by his own rows
  await sql`create index "creditLedger_group" on "creditLedger" ("schoolId", "suId", (("explain" ->> 'bestGroup'))) where "explain" ->> 'bestGroup' is not null`.execute(
    db,
  )
}
