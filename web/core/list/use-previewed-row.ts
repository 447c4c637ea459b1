import { useEffect } from 'react'
import { usePreview } from '../screen/use-address.ts'
import { notify } from '../service/notice.tsx'
import type { List } from './use-list.ts'

/**
 * The row of a list that is looked at beside it, by its id in the address. Where the list has come without it, that is
 * told, and the address no longer names it.
 */
export function usePreviewedRow<R>(
  { rows, isLoading, isFormer, failed }: List<R>,
  idOf: (row: R) => string,
  name?: string,
): [row: R | undefined, show: (id: string | undefined) => void] {
  const [id, show] = usePreview(name)
  const row = rows.find((one) => idOf(one) === id)
  const isMissing = id !== undefined && row === undefined && !isLoading && !isFormer && !failed
  useEffect(() => {
    if (!isMissing) return
    notify('info', '要查看的记录不在当前列表中，可能在其他页，或不符合筛选条件')
    show(undefined)
    // once for each record that is missing
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isMissing])
  return [row, show]
}
