import pg from 'pg'
import { StartFault } from '../../core/base/start-fault.ts'
import { withCopyConnection } from '../../core/backup/snapshot.ts'
import { openDatabase, type Db } from '../../core/database/pool.ts'
import type { Connection } from '../../core/database/connection.ts'

/**
 * Runs `work` on a connection of the owner of the tables.
 * @throws StartFault where the role is another, or where no program was ever started on the database
 */
export const withOwner = <R>(connection: Connection, work: (client: pg.Client) => Promise<R>): Promise<R> =>
  withCopyConnection(connection, async (client) => {
    const { rows } = await client.query<{ who: string; count: number; isOwner: boolean }>(
      `select current_user "who", count(*)::int "count", coalesce(bool_and(pg_has_role(relowner, 'usage')), true) "isOwner"
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
    )
    const { who, count, isOwner } = rows[0]!
    if (count === 0) throw new StartFault('数据库是空的：请先启动一次程序。')
    if (!isOwner)
      throw new StartFault(
        `权限不足：数据库角色 ${who} 不是数据表的所有者。请用 MIGRATION_DATABASE_URL 指定所有者（参见 docs/operations.md“外部 PostgreSQL”）。`,
      )
    return work(client)
  })

/** The same with a database of the builder. */
export const withOwnerDatabase = <R>(connection: Connection, work: (db: Db) => Promise<R>): Promise<R> =>
  withOwner(connection, async () => {
    const { db, close } = openDatabase(connection, { max: 1 })
    return work(db).finally(close)
  })

/** Tables so that each comes after those that it refers to. */
export async function inOrderOfReference(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; refersTo: string }>(
    `select c.relname "table", f.relname "refersTo"
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace and k.conrelid <> k.confrelid`,
  )
  const left = new Set(names)
  const order: string[] = []
  while (left.size > 0) {
    const next = [...left].filter((name) => !rows.some((one) => one.table === name && left.has(one.refersTo)))
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left].join(', ')}`)
    for (const name of next) {
      order.push(name)
      left.delete(name)
    }
  }
  return order
}

/**
 * Runs `work` in one transaction in which the triggers of these tables are off: what they note is moved with the rest,
 * and the append-only ones must let a whole school come or go. Others read meanwhile, and wait to write.
 */
export async function withoutTriggers(
  client: pg.Client,
  names: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const tables = names.map((name) => pg.escapeIdentifier(name))
  await client.query('begin')
  try {
    await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    await work()
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
