import { sql, type Kysely } from 'kysely'

/**
 * What the service's own role, which owns nothing, needs the owner for (decision 041): the one way by which rows leave
 * the audit trail, and telling the planner how full tables have become. A function that acts for the owner looks names
 * up in our schema alone, so that nobody can put a table of their own before it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() "schema"`.execute(db)
  const path = sql`${sql.id(rows[0]!.schema)}, pg_temp`
  await sql`
    alter function remove_archived_audit(text, int) security definer set search_path = ${path}`.execute(db)
  await sql`
    create function analyze_table(p_table text) returns void language plpgsql security definer
    set search_path = ${path} as $$
    begin
      execute format('analyze (skip_locked) %I.%I', current_schema(), p_table);
    end $$`.execute(db)
}
