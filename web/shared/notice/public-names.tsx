import { Watermark } from 'antd'
import type { RowAction } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import type { List } from '../../core/list/use-list.ts'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useTab } from '../../core/service/tab.ts'
import { useTyped } from '../../core/service/use-typed.ts'
import './notice.css'

interface PublicNamesProps<R> {
  list: List<R>
  rowKey: keyof R & string
  columns: readonly Column<R>[]
  rowActions?: readonly RowAction<R>[]
  nameOf?: (row: R) => string
  empty: string
}

/**
 * A list as the public sees it: names and numbers masked, found by a whole number, and whoever looks at it behind them.
 */
export function PublicNames<R extends object>({ list, empty, ...table }: PublicNamesProps<R>) {
  const { userName } = useTab()
  const [typed, setTyped] = useTyped(list.state.filters['suiNumber'] ?? '')
  return (
    <>
      <div className="notice-tools">
        <SearchBox
          aria-label="按完整学号查找"
          placeholder="按完整学号查找"
          maxLength={32}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onSearch={(suiNumber) => list.setFilters({ suiNumber: suiNumber.trim() || undefined })}
        />
      </div>
      <Watermark content={userName} gap={[160, 120]} font={{ fontSize: 14 }}>
        <ListTable list={list} name="publicity" empty={{ text: empty }} {...table} />
      </Watermark>
    </>
  )
}
