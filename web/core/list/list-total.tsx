import { formerClass } from '../parts/former.ts'
import { figure } from '../service/figure.ts'
import type { List } from './use-list.ts'

type Counted = Pick<List<unknown>, 'isLoading' | 'failed' | 'isFormer' | 'total' | 'isCapped'>

/** Whether it is known how many rows a list has. */
export const isCounted = ({ isLoading, failed }: Pick<Counted, 'isLoading' | 'failed'>): boolean =>
  !isLoading && !failed

/**
 * How many rows a list has, as its head says it; nothing before that is known, and dimmed while it is the number of
 * former filters. The service counts no further than some thousands where counting took longer than reading
 * (decision 004).
 */
export function ListTotal({ list, unit = '条' }: { list: Counted; unit?: string }) {
  if (!isCounted(list)) return null
  return (
    <span className={formerClass(list.isFormer)}>
      共 {countOf(list.total, list.isCapped)} {unit}
    </span>
  )
}

/** A number of rows, and that there are more where they are not counted further. */
export const countOf = (total: number, isCapped: boolean): string => `${figure(total)}${isCapped ? '+' : ''}`
