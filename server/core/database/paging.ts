import { sql, type ReferenceExpression, type SelectQueryBuilder } from 'kysely'
import { countedRows, type Page } from '../../../contract/core/paging.ts'
import type { Db, Tables } from './pool.ts'

/** Text for LIKE that matches exactly what was typed: the wildcards lose their meaning. */
export const likeText = (needle: string): string => `%${needle.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/**
 * A substring condition that the index over the column's distinct characters can answer (see decision 004): the row
 * must hold all characters of the needle, and then the needle itself.
 * @param column qualified column, e.g. `'lesson.liName'`
 */
export function contains<T extends keyof Tables>(column: ReferenceExpression<Tables, T>, needle: string) {
  const ref = sql.ref(column as string)
  return sql<boolean>`(chars(${ref}) @> chars(${needle}) and ${ref} like ${likeText(needle)})`
}

/** Offset and limit of a page. */
export const offsetOf = ({ current, pageSize }: { current: number; pageSize: number }): number =>
  (current - 1) * pageSize

/** Wraps rows and their exact total as the list answer. */
export function asPage<R>(
  records: R[],
  total: number,
  { current, pageSize }: { current: number; pageSize: number },
): Page<R> {
  return { records, total, current, pageSize, pages: Math.max(1, Math.ceil(total / pageSize)) }
}

/** The exact number of rows of a query that has its conditions but no selection yet. */
export async function countOf<DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>): Promise<number> {
  const row = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return (row as unknown as { total: number }).total
}

/**
 * The number of rows of a query that has its conditions but no selection yet, counted up to {@link countedRows};
 * `isCapped` where there are more.
 */
export async function countUpTo<DB, T extends keyof DB, O>(
  db: Db,
  query: SelectQueryBuilder<DB, T, O>,
): Promise<{ total: number; isCapped: boolean }> {
  const some = query
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('one'))
    .limit(countedRows + 1)
  const { rows } = await sql<{ n: number }>`select count(*)::int "n" from (${some}) s`.execute(db)
  const { n } = rows[0]!
  return { total: Math.min(n, countedRows), isCapped: n > countedRows }
}
