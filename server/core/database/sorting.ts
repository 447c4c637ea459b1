import { invalidInput } from '../../../contract/core/failure.ts'
import { sql, type RawBuilder } from 'kysely'

/**
 * The order of a list: by the column asked for, if it is one the list may be sorted by, else by the first of them.
 * @param columns name on the wire -> qualified column
 */
export function listOrder(
  { sort, order }: { sort?: string | undefined; order?: 'asc' | 'desc' | undefined },
  columns: Record<string, string>,
  fallback = order ?? 'asc',
): RawBuilder<unknown> {
  // every object has a `constructor`
  const named = sort !== undefined && Object.hasOwn(columns, sort) ? columns[sort] : undefined
  const column = sort === undefined ? Object.values(columns)[0] : named
  if (!column) throw invalidInput([{ field: 'sort', msg: '不能按该列排序' }])
  const direction = sort === undefined ? fallback : (order ?? 'asc')
  return direction === 'desc' ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)} asc`
}
