import { sql, type Kysely } from 'kysely'

/**
 * Seeing and exporting the matters of a queue, passing and refusing them have become rights of their own. Roles that could decide
 * keep all four; built-in roles get theirs at the start.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [kind, queue] of [
    ['publish', 'publishqueue'],
    ['result', 'resultqueue'],
    ['supplement', 'supqueue'],
    ['question', 'questionqueue'],
  ])
    await sql`
      update "role"
      set "permits" = array(
        select distinct unnest("permits" || ${[`${queue}:list`, `${queue}:export`, `approval:${kind}Refuse`]}::text[]) order by 1
      )
      where ${`approval:${kind}`} = any("permits")`.execute(db)
}
