import { sql, type ReferenceExpression, type SelectQueryBuilder } from 'kysely'
import { countedRows, type Page } from '../../../contract/core/paging.ts'
import { plannedByValue, type Db, type Tables } from './pool.ts'

/** Text for LIKE that matches exactly what was typed: the wildcards lose their meaning. */
export const likeText = (needle: string): string => `%${needle.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/**
 * A substring condition on a name or number that the index over the column's distinct characters can answer (see
 * decision 004): the row must hold all characters of the needle, and then the needle itself.
 * @param column qualified column, e.g. `'person.suiName'`
 */
export function contains<T extends keyof Tables>(column: ReferenceExpression<Tables, T>, needle: string) {
  const ref = sql.ref(column as string)
  return sql<boolean>`(chars(${ref}) @> chars(${needle}) and ${ref} like ${likeText(needle)})`
}

/**
 * A substring condition on a title, a text of many characters, that the index over its pairs of characters can answer
 * (see decision 004): the row must hold all pairs of the needle, and then the needle itself. The second stands in a
 * case: of the first the planner knows how many rows fit, and it would multiply the two.
 * @param column qualified column, e.g. `'lesson.liName'`
 */
export function titleContains<T extends keyof Tables>(column: ReferenceExpression<Tables, T>, needle: string) {
  const ref = sql.ref(column as string)
  // grams() divides pairs by this sign
  if (needle.includes('\u0001')) return titleHolds(column, needle)
  return sql<boolean>`(${sql.raw(plannedByValue)} grams(${ref}) @> grams_within(${needle})
      and case when ${ref} like ${likeText(needle)} then true else false end)`
}

/** The same substring condition read from the title alone, for words that so many rows hold that no index helps. */
export function titleHolds<T extends keyof Tables>(column: ReferenceExpression<Tables, T>, needle: string) {
  return sql<boolean>`${sql.ref(column as string)} like ${likeText(needle)}`
}

/** Offset and limit of a page. */
export const offsetOf = ({ current, pageSize }: { current: number; pageSize: number }): number =>
  (current - 1) * pageSize

/** Which rows to read for a page: from the start of the list, or from its end where that is nearer. */
export interface Stretch {
  offset: number
  limit: number
  /** Whether the rows are to be read in the opposite order, and turned round. */
  isReversed: boolean
}

/**
 * The rows of a page of a list of so many rows, counted from the nearer end: the last page costs what the first does.
 */
export function nearerStretch(page: { current: number; pageSize: number }, total: number): Stretch {
  const offset = offsetOf(page)
  const limit = Math.max(0, Math.min(page.pageSize, total - offset))
  const beyond = Math.max(0, total - offset - limit)
  return beyond < offset ? { offset: beyond, limit, isReversed: true } : { offset, limit, isReversed: false }
}

/** Wraps rows and their exact total as the list answer. */
export function asPage<R>(
  records: R[],
  total: number,
  { current, pageSize }: { current: number; pageSize: number },
): Page<R> {
  return { records, total, current, pageSize, pages: Math.max(1, Math.ceil(total / pageSize)) }
}

/** The query that counts the rows of one that has its conditions but no selection yet. */
export const counting = <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) =>
  query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)::int`.as('total'))

/** The exact number of rows of a query that has its conditions but no selection yet. */
export async function countOf<DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>): Promise<number> {
  const row = await counting(query).executeTakeFirstOrThrow()
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
