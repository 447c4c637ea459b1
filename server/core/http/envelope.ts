import type { BatchResult } from '../../../contract/core/batch-result.ts'
import { figure } from '../../../contract/core/figure.ts'
import { epochOf, type Clock } from '../base/clock.ts'
import type { Origin } from '../request/context.ts'

/** What a call answered, as it goes out: with the fields that a plain caller knows besides (decision 034). */
export const envelopeOf = (data: unknown, { isStrict }: Origin, clock: Clock) =>
  isStrict
    ? { code: 200, msg: done, data, success: true }
    : { ...outcomeOf(data), data: asSpecified(data), timestamp: epochOf(clock.now()) }

const done = '操作成功'

/** How many different reasons the sentence of a batch tells; each item's own stands in the data. */
const maxReasons = 3

/**
 * What came of a call in a code and a sentence, for those who look no further: of one on several records of which all
 * were refused as of any refusal; of some, how many there were.
 */
function outcomeOf(data: unknown): { code: number; msg: string; success: boolean } {
  const { affected, failed } = (data ?? {}) as Partial<BatchResult>
  if (typeof affected !== 'number' || !Array.isArray(failed) || failed.length === 0)
    return { code: 200, msg: done, success: true }
  const why = [...new Set(failed.map(({ msg }) => msg))].slice(0, maxReasons).join('；')
  return affected === 0
    ? { code: 300, msg: why, success: false }
    : { code: 200, msg: `已完成 ${figure(affected)} 条，${figure(failed.length)} 条未完成：${why}`, success: true }
}

/** A page under the names that the specification's clients know as well: `size` and `list`. */
const asSpecified = (data: unknown): unknown =>
  data !== null && typeof data === 'object' && 'records' in data && 'pageSize' in data
    ? { ...data, size: data.pageSize, list: data.records }
    : data
