import { Failure } from '../../../contract/core/failure.ts'
import type { BatchResult, RefusedItem } from '../../../contract/core/batch-result.ts'

/**
 * Collects what the rules refuse of a call on several records, for its answer. Of a call on one record the refusal is
 * thrown, as of any other call.
 * @param asked how many records the call names
 * @param listsSingle the refusal of the only record stands in the answer too
 */
export function collectRefusals(asked: number, { listsSingle = false } = {}) {
  const failed: RefusedItem[] = []
  const refuse = (id: string, name: string, failure: Failure): void => {
    if (asked === 1 && !listsSingle) throw failure
    failed.push({ id, name, msg: failure.msg })
  }
  return { failed, refuse }
}

/**
 * The same action on several records, one after another and each by itself: what the rules refuse for one does not hold
 * up the others. An error of ours ends the whole call.
 * @param nameOf what a refused record is called in the answer; asked after the refusal
 * @param options as of `collectRefusals`
 */
export async function forEachItem(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  nameOf: (id: string) => string | Promise<string>,
  options?: Parameters<typeof collectRefusals>[1],
): Promise<BatchResult> {
  const { failed, refuse } = collectRefusals(ids.length, options)
  for (const id of ids) {
    try {
      await act(id)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refuse(id, await nameOf(id), error)
    }
  }
  return { affected: ids.length - failed.length, failed }
}
