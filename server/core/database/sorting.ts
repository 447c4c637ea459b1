import { invalidInput } from '../../../contract/core/failure.ts'
import { sql, type RawBuilder } from 'kysely'

interface SortInput {
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}

/**
 * What a list is sorted by: the column asked for, if it is one the list may be sorted by, else the first of them.
 * @param columns name on the wire -> qualified column
 * @param fallback the direction where no column is asked for
 */
export function sortOf(
  { sort, order }: SortInput,
  columns: Record<string, string>,
  fallback = order ?? 'asc',
): { column: string; direction: 'asc' | 'desc' } {
  // every object has a `constructor`
  const named = sort !== undefined && Object.hasOwn(columns, sort) ? columns[sort] : undefined
  const column = sort === undefined ? Object.values(columns)[0] : named
  if (!column) throw invalidInput([{ field: 'sort', msg: '不能按该列排序' }])
  return { column, direction: sort === undefined ? fallback : (order ?? 'asc') }
}

/** The same as the order of a statement. */
export function listOrder(
  asked: SortInput,
  columns: Record<string, string>,
  fallback?: 'asc' | 'desc',
): RawBuilder<unknown> {
  const { column, direction } = sortOf(asked, columns, fallback)
  return direction === 'desc' ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)} asc`
}
