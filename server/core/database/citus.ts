import type pg from 'pg'
import { StartFault } from '../base/start-fault.ts'
import type { Connection } from './connection.ts'
import { withOwnClient } from './own-client.ts'
import { tablesOf, type TableKind } from './table-kinds.ts'

/** What the schema and the rows are kept by: PostgreSQL alone, or Citus, which keeps schools on several machines. */
export type DatabaseEngine = 'postgresql' | 'citus'

/**
 * Settings of the sessions in which the owner changes the schema of a divided database: triggers that keep to the
 * school of their row are safe there, and what follows a foreign key waits for what was done before.
 */
export const citusOptions = '-c citus.enable_unsafe_triggers=on -c citus.multi_shard_modify_mode=sequential'

const stateQuery = `
  select
    exists (select from pg_extension where extname = 'citus') "isThere",
    exists (select from pg_available_extensions where name = 'citus') "isAvailable"`

const nodesQuery = `
  select citus_is_coordinator() "isCoordinator",
    (select count(*)::int from pg_dist_node where groupid = 0) "coordinators",
    (select count(*)::int from pg_dist_node where noderole = 'primary' and shouldhaveshards and isactive) "workers"`

/**
 * Compares what the setting says with what the server is, before anything is changed.
 * @throws StartFault in words of what is to be done
 */
export async function checkEngine(connection: Connection, engine: DatabaseEngine): Promise<void> {
  await withOwnClient(connection, async (client) => {
    const { isThere, isAvailable } = (await client.query<{ isThere: boolean; isAvailable: boolean }>(stateQuery))
      .rows[0]!
    if (engine === 'postgresql') {
      if (isThere && (await dividedTables(client)).size > 0)
        throw new StartFault('这个数据库已按学校分布在 Citus 的各节点上：请设 DATABASE_ENGINE=citus 再启动。')
      return
    }
    if (!isAvailable && !isThere)
      throw new StartFault(
        'DATABASE_ENGINE=citus：DATABASE_URL 指向的服务器没有安装 Citus。请改用 Citus 的协调节点，或去掉 DATABASE_ENGINE。',
      )
    if (!isThere)
      throw new StartFault(
        'DATABASE_ENGINE=citus：数据库中还没有 citus 扩展。请数据库管理员在协调节点和每个工作节点的同名数据库中执行 create extension citus。',
      )
    const nodes = (await client.query<{ isCoordinator: boolean; coordinators: number; workers: number }>(nodesQuery))
      .rows[0]!
    if (nodes.workers === 0 || nodes.coordinators === 0)
      throw new StartFault(
        "DATABASE_ENGINE=citus：协调节点还不认识工作节点。请在协调节点执行 citus_set_coordinator_host('本机地址')，再对每个工作节点执行 citus_add_node('地址', 端口)。",
      )
    if (!nodes.isCoordinator)
      throw new StartFault('DATABASE_ENGINE=citus：DATABASE_URL 须指向协调节点，现在指向的是工作节点。')
  })
}

/** The tables that the engine already keeps, by how it keeps them. */
async function dividedTables(client: pg.ClientBase): Promise<ReadonlyMap<string, TableKind>> {
  const { rows } = await client.query<{ table: string; kind: TableKind }>(`
    select c.relname::text "table", case p.partmethod when 'h' then 'divided' when 'n' then 'shared' end "kind"
    from pg_dist_partition p
    join pg_class c on c.oid = p.logicalrelid and c.relnamespace = current_schema()::regnamespace`)
  return new Map(rows.map(({ table, kind }) => [table, kind]))
}

/**
 * Gives every table its place, those that a migration has added as well; does nothing where all have it. One
 * transaction: foreign keys and triggers of the tables that move go first and are back at its end.
 * @param owner with {@link citusOptions}
 * @param print told, in Chinese, that it takes a while
 */
export async function distributeTables(owner: pg.ClientBase, print: (text: string) => void): Promise<void> {
  const placed = await dividedTables(owner)
  const moving = (['shared', 'divided'] as const).flatMap((kind) =>
    tablesOf(kind)
      .filter((table) => placed.get(table) !== kind)
      .map((table) => ({ table, kind })),
  )
  if (moving.length === 0) return
  print(`正在把 ${moving.length} 张表分布到 Citus 的各节点，数据多时需要较长时间……`)
  const tables = moving.map(({ table }) => table)
  const name = (table: string) => owner.escapeIdentifier(table)
  await owner.query('begin')
  try {
    const { rows: keys } = await owner.query<Definition>(foreignKeysQuery, [tables])
    const { rows: triggers } = await owner.query<Definition>(triggersQuery, [tables])
    for (const one of keys) await owner.query(`alter table ${name(one.table)} drop constraint ${name(one.name)}`)
    for (const one of triggers) await owner.query(`drop trigger ${name(one.name)} on ${name(one.table)}`)
    await owner.query(functionsOfSharedTables)
    const { rows: functions } = await owner.query<{ name: string }>(functionsQuery)
    for (const one of functions) await owner.query('select create_distributed_function($1::regprocedure)', [one.name])
    for (const { table, kind } of moving)
      await (kind === 'shared'
        ? owner.query('select create_reference_table($1::regclass)', [name(table)])
        : owner.query(`select create_distributed_table($1::regclass, 'schoolId', colocate_with := $2)`, [
            name(table),
            table === first ? 'none' : name(first),
          ]))
    for (const one of keys)
      await owner.query(`alter table ${name(one.table)} add constraint ${name(one.name)} ${one.definition}`)
    for (const one of triggers) await owner.query(one.definition)
    // whoever runs it is sent to where the school is, and the rows are removed by it alone
    await owner.query(
      `select create_distributed_function('remove_archived_audit(text, integer)', 'p_school', colocate_with := '"auditLog"')`,
    )
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

/** The table with which all others lie together. */
const first = tablesOf('divided')[0]!

type Definition = { table: string; name: string; definition: string }

const foreignKeysQuery = `
  select c.relname::text "table", k.conname::text "name", pg_get_constraintdef(k.oid) "definition"
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_class r on r.oid = k.confrelid
  where k.contype = 'f'
    and c.relnamespace = current_schema()::regnamespace
    and (c.relname = any($1) or r.relname = any($1))
  order by 1, 2`

const triggersQuery = `
  select c.relname::text "table", t.tgname::text "name", pg_get_triggerdef(t.oid) "definition"
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace and c.relname = any($1)
  order by 1, 2`

/** Functions of ours that the machines do not know yet. */
const functionsQuery = `
  select p.oid::regprocedure::text "name"
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace
    and p.prokind = 'f'
    and p.proname <> 'remove_archived_audit'
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    and not exists (
      select from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid
    )
  order by 1`

/**
 * The triggers of "school" run on every machine, for each holds it whole. What they write belongs to the one that keeps
 * the school. Statements of local tables ask for suspended schools by a function, so that PostgreSQL plans them itself.
 */
const functionsOfSharedTables = `
create or replace function "keeps_school"(p_school text) returns boolean language sql stable as $$
  select exists (
    select
    from pg_dist_placement p
    join pg_dist_local_group g on g.groupid = p.groupid
    where p.shardid = get_shard_id_for_distribution_column('public."configuration"', p_school)
  )
$$;

create or replace function "is_suspended"(p_school text) returns boolean language plpgsql stable as $$
begin
  return exists (select from "school" where "schoolId" = p_school and "suspendedTime" is not null);
end $$;

create or replace function "configuration_changed_settings"() returns trigger language plpgsql as $$
begin
  if "keeps_school"(new."schoolId") then
    insert into "configuration" ("schoolId", "version")
    values (new."schoolId", gen_random_uuid())
    on conflict ("schoolId") do update set "version" = excluded."version";
  end if;
  return null;
end $$;

create or replace function "note_school"() returns trigger language plpgsql as $$
begin
  if "keeps_school"(new."schoolId") then
    insert into "statChange" ("schoolId", "scKind")
    values (new."schoolId", 'A');
  end if;
  return null;
end $$;`
