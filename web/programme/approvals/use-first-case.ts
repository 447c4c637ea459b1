import { useState } from 'react'
import type { TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import type { List } from '../../core/list/use-list.ts'

/**
 * The case beside a list in which none was chosen: the first, and that one still when the list is read again. A
 * colleague who decides it meanwhile must not put another case under the reviewer's hand. Nothing is shown first where
 * `isOff`; the case is let go where one `isChosen`.
 */
export function useFirstCase(
  { rows, state, isFetching }: List<TaskRow>,
  { isOff, isChosen }: { isOff: boolean; isChosen: boolean },
): [first: string | undefined, leave: (bizId: string) => void] {
  const [pin, setPin] = useState<{ of: string; bizId: string }>()
  const [left, setLeft] = useState<string>()
  const asked = JSON.stringify(state)
  const stays = pin && pin.bizId !== left && (pin.of === asked || rows.some(({ bizId }) => bizId === pin.bizId))
  const first = stays ? pin.bizId : rows.find(({ bizId }) => bizId !== left)?.bizId
  if (isChosen && pin) setPin(undefined)
  // rows that are being fetched may still be those of other filters
  if (!isChosen && !isOff && !isFetching && first && (pin?.bizId !== first || pin.of !== asked))
    setPin({ of: asked, bizId: first })
  return [isOff ? undefined : first, setLeft]
}
