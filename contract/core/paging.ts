import { z } from 'zod'

/** Page sizes a list offers; 200 is the most a list answers. */
export const pageSizes = [10, 20, 50, 100, 200] as const

/** What every list says of a column that it cannot be sorted by. */
export const unknownSort = '不能按该列排序'

/** Which page of a list is wanted. `currentPageNum` and `page` are taken for `current` before this is read. */
export const paging = z.object({
  current: z.coerce.number('页码不正确').int('页码不正确').min(1, '页码不正确').max(1_000_000, '页码不正确').default(1),
  pageSize: z.coerce
    .number('每页条数不正确')
    .int('每页条数不正确')
    .min(1, '每页条数不正确')
    .max(200, '每页最多 200 条')
    .default(10),
  /**
   * A list has its own order unless it names columns: {@link sortedBy}, or {@link sortedPaging} where it knows them.
   */
  sort: z.never(unknownSort).optional(),
  order: z.enum(['asc', 'desc']).optional(),
})

/**
 * The paging that is meant by whoever knows of none (`whenLeftOut`), of a list that the specification answers whole: as
 * much as a page can hold.
 */
export const wholeList = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  'current' in given ? {} : { pageSize: pageSizes.at(-1) }

/** The columns that a list may be sorted by. */
export const sortedBy = <const C extends readonly [string, ...string[]]>(...columns: C) => ({
  sort: z.enum(columns, unknownSort).optional(),
})

/** The same for a list whose queries know the columns and refuse the others (`listOrder`). */
export const sortedPaging = paging.extend({ sort: z.string().max(40, unknownSort).optional() })

/** What a list answers. `total` is exact; `pages` is at least 1. */
export const paged = <R extends z.ZodType>(row: R) =>
  z.object({
    records: z.array(row),
    total: z.number(),
    current: z.number(),
    pageSize: z.number(),
    pages: z.number(),
  })

/** Whether a call answers a page of a list. */
export const isPaged = ({ output }: { output: z.ZodType }): boolean =>
  output instanceof z.ZodObject && 'records' in output.shape && 'total' in output.shape

/** A long list counts so far and no further: beyond it, filters are what a person needs. */
export const countedRows = 10_000

/**
 * What a list of perhaps a million rows answers: `total` is exact unless `isCapped` says that there are more than the
 * {@link countedRows} it tells.
 */
export const pagedUpTo = <R extends z.ZodType>(row: R) => paged(row).extend({ isCapped: z.boolean() })

export interface Page<R> {
  records: R[]
  total: number
  current: number
  pageSize: number
  pages: number
}
