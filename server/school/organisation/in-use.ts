import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../../core/request/context.ts'

interface Kept<N extends string, C extends string> {
  table: string
  id: string
  /** The column that tells people which record is meant. */
  name: N
  order: string
  /** Numbers of what hangs on a record, by {@link rowsOf} and {@link controllersOf}. */
  counts: Record<C, RawBuilder<number>>
}

/**
 * How many rows of a table name a record in a column. @param owner the record's id, such as `college.scId`, or `o.scId`
 * in the counts of {@link inUse} @param which a condition on `x`, the row
 */
export function rowsOf(table: string, column: string, owner: string, which = sql`true`): RawBuilder<number> {
  const [of] = owner.split('.')
  return sql`(
    select count(*)::int
    from ${sql.table(table)} x
    where x."schoolId" = ${sql.ref(`${of}.schoolId`)} and x.${sql.ref(column)} = ${sql.ref(owner)} and ${which}
  )`
}

/** The people whose control area names a record. */
export const controllersOf = (caType: string, id: string): RawBuilder<number> =>
  sql`(
    select count(distinct x."suId")::int
    from "controlArea" x
    where x."schoolId" = o."schoolId" and x."caType" = ${caType} and x."caTarget" = o.${sql.ref(id)}::text
  )`

/** What still hangs on records, for those on which anything does; one statement whatever their number. */
export const inUse =
  <N extends string, C extends string>({ table, id, name, order, counts }: Kept<N, C>) =>
  async ({ db, actor }: Pick<Context, 'db' | 'actor'>, ids: string[]) => {
    const columns = Object.entries<RawBuilder<number>>(counts).map(([as, count]) => sql`${count} ${sql.ref(as)}`)
    const sum = sql.join(
      Object.keys(counts).map((as) => sql.ref(as)),
      sql` + `,
    )
    const { rows } = await sql<Record<N, string> & Record<C, number>>`
      select *
      from (
        select o.${sql.ref(name)}, ${sql.join(columns)}
        from ${sql.table(table)} o
        where o."schoolId" = ${actor.schoolId} and o.${sql.ref(id)} = any(${ids}::uuid[])
        order by o.${sql.ref(order)}, o.${sql.ref(id)}
      ) used
      where ${sum} > 0`.execute(db)
    return rows
  }
