import { offsetOf } from '../../core/database/paging.ts'
import { sortOf } from '../../core/database/sorting.ts'

type Value = string | number | null
type PageInput = { current: number; pageSize: number; sort?: string | undefined; order?: 'asc' | 'desc' | undefined }

/**
 * A page of rows at hand, in the order asked for: rows without a value come last.
 * @param columns what they may be ordered by; the first one if nothing is asked for
 * @param fallback the direction where no column is asked for
 * @param among what equal ones are ordered by
 */
export function pageOf<R extends { id: string }>(
  rows: readonly R[],
  input: PageInput,
  columns: Record<string, (row: R) => Value>,
  fallback?: 'asc' | 'desc',
  among: (row: R) => string | number = ({ id }) => id,
): R[] {
  const names = Object.fromEntries(Object.keys(columns).map((name) => [name, name]))
  const { column, direction } = sortOf(input, names, fallback)
  const valueOf = columns[column]!
  const way = direction === 'desc' ? -1 : 1
  const keyed = rows.map((row) => ({ row, value: valueOf(row) }))
  keyed.sort((a, b) => way * compared(a.value, b.value, way) || (among(a.row) < among(b.row) ? -1 : 1))
  const offset = offsetOf(input)
  return keyed.slice(offset, offset + input.pageSize).map(({ row }) => row)
}

/** The order of two values; one that is not there comes last whichever way (1, -1) is asked for. */
export function compared(a: Value, b: Value, way: number): number {
  if (a === b) return 0
  if (a === null) return way
  if (b === null) return -way
  return a < b ? -1 : 1
}
