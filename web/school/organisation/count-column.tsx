import { Link } from 'react-router'
import type { Column } from '../../core/list/columns.tsx'
import { figure } from '../../core/service/figure.ts'

interface CountColumn<R> {
  title: string
  dataIndex: keyof R & string
  width: number
  /** The list of what is counted, and its filters for a row. */
  list: string
  filters: (row: R) => Record<string, string>
  /** Whose are counted: the name of the row. */
  of: (row: R) => string
}

/** A column of numbers that lead to the list of what they count; nothing to count leads nowhere. */
export const countColumn = <R,>({ title, dataIndex, width, list, filters, of }: CountColumn<R>): Column<R> => ({
  title,
  dataIndex,
  width,
  number: true,
  render: (count: number, row) =>
    count === 0 ? (
      0
    ) : (
      <Link to={`${list}?${new URLSearchParams(filters(row))}`} aria-label={`${of(row)}的${title}，${figure(count)}`}>
        {figure(count)}
      </Link>
    ),
})
