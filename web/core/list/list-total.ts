import type { List } from './use-list.ts'
import { figure } from '../service/figure.ts'

/**
 * How many rows a list has, as its head says it; nothing before that is known. The service counts no further than some
 * thousands where counting took longer than reading (decision 004).
 */
export const totalOf = (
  { isLoading, failed, total, isCapped }: Pick<List<unknown>, 'isLoading' | 'failed' | 'total' | 'isCapped'>,
  unit = '条',
): string => (isLoading || failed ? '' : `共 ${countOf(total, isCapped)} ${unit}`)

/** A number of rows, and that there are more where they are not counted further. */
export const countOf = (total: number, isCapped: boolean): string => `${figure(total)}${isCapped ? '+' : ''}`
