import { sql, type Expression } from 'kysely'
import { offsetOf } from './paging.ts'
import type { Db } from './pool.ts'

interface GatherOptions {
  /** The order of the keys, and of the ids where keys agree. */
  direction: 'asc' | 'desc'
  ties?: 'asc' | 'desc'
  /** Rows looked at; of more, no ids are told. */
  most?: number
}

/** The ids of a page in its order, and how many rows there are; `isCapped` where there are more than that. */
export interface Gathered {
  ids: string[]
  total: number
  isCapped: boolean
}

/**
 * Finds, counts and sorts in one pass, by one statement: for lists whose order no index has under the filters asked
 * for.
 * @param parts queries of `id` and `key` (what is sorted by) that have no row in common
 */
export async function gather(
  db: Db,
  parts: readonly Expression<{ id: string; key: unknown }>[],
  page: { current: number; pageSize: number },
  { direction, ties = direction, most }: GatherOptions,
): Promise<Gathered> {
  const limit = most === undefined ? sql`` : sql`limit ${sql.lit(most + 1)}`
  const isWithin = most === undefined ? sql`true` : sql`(select count(*) from found) <= ${sql.lit(most)}`
  const { rows } = await sql<{ total: number; ids: string[] | null }>`
      with found as materialized (
        select *
        from (${sql.join(parts, sql` union all `)}) part
        ${limit}
      )
      select
        (select count(*) from found)::int "total",
        case when ${isWithin} then array(
          select "id"
          from found
          order by "key" ${sql.raw(direction)}, "id" ${sql.raw(ties)}
          limit ${page.pageSize}
          offset ${offsetOf(page)}
        ) end "ids"`.execute(db)
  const { total, ids } = rows[0]!
  return { ids: ids ?? [], total: Math.min(total, most ?? total), isCapped: ids === null }
}
