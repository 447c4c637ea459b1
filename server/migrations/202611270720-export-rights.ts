import { sql, type Kysely } from 'kysely'

/**
 * Exporting lists of people and what they did has become a right of its own. Roles that could see a list keep its
 * export; built-in roles get theirs at the start. A program of the version before passes over rights it does not know.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const nouns = ['student', 'teacher', 'department', 'role', 'audit', 'circle', 'question', 'threshold']
  const statistics = ['login', 'lesson', 'sup', 'ability', 'circle', 'student', 'teacher'].map((kind) => `${kind}stat`)
  for (const [seeing, exporting] of [
    ...[...nouns, ...statistics].map((noun) => [`${noun}:list`, `${noun}:export`] as const),
    ['transcript:list', 'transcript:exportIssues'] as const,
  ])
    await sql`
      update "role"
      set "permits" = array(select distinct unnest("permits" || ${[exporting]}::text[]) order by 1)
      where ${seeing} = any("permits")
        and not ${exporting} = any("permits")`.execute(db)
}
