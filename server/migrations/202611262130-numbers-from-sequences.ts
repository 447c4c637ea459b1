import { sql, type Kysely } from 'kysely'

/**
 * Numbers of places and items come from plain sequences: an engine that keeps schools on several machines takes no
 * identity of the type int (decision 123). They go on where they were.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['statPlace', 'plId'],
    ['statItem', 'itId'],
  ] as const)
    await sql
      .raw(
        `
do $$
declare
  next bigint;
begin
  lock table "${table}";
  next := nextval(pg_get_serial_sequence('"${table}"', '${column}'));
  alter table "${table}" alter "${column}" drop identity;
  create sequence "${table}_${column}_seq" as integer owned by "${table}"."${column}";
  perform setval('"${table}_${column}_seq"', next, false);
  alter table "${table}" alter "${column}" set default nextval('"${table}_${column}_seq"');
end $$`,
      )
      .execute(db)
}
