import { Table, type TableProps } from 'antd'
import { use, useEffect, useMemo, useRef, useState, type Key, type ReactNode } from 'react'
import { pageSizes } from '../../../contract/core/paging.ts'
import type { RowAction } from '../action/action.tsx'
import {
  actionsWidth,
  cellOf,
  checkWidths,
  chosenColumns,
  sortNameOf,
  tableColumn,
  widthOf,
  type Column,
  type ColumnChoice,
} from './columns.tsx'
import { EmptyState, NotRead } from '../parts/empty-state.tsx'
import { PhoneList } from './phone-list.tsx'
import { ListContext } from './list-context.ts'
import { countOf } from './list-total.tsx'
import { FilterBar, viewNow, Views, type MoreFilters, type View } from './list-filters.tsx'
import { ListTools, type Density } from './list-tools.tsx'
import { OrderSelect, ordersOf } from './order-select.tsx'
import { PaginationBar } from '../parts/pagination.tsx'
import { usePref } from '../service/prefs.ts'
import { BatchBar, RowActions } from '../action/row-actions.tsx'
import { SavedViews } from './saved-views.tsx'
import { hasPermission } from '../service/rights.ts'
import { TabContext } from '../service/tab.ts'
import type { List } from './use-list.ts'
import { useIsLaptop, useIsPhone } from '../parts/use-width.ts'
import { figure } from '../service/figure.ts'
import { formerClass } from '../parts/former.ts'

export interface ListTableProps<R> {
  list: List<R>
  rowKey: keyof R & string
  columns: readonly Column<R>[]
  /** The filters used most, at most four; the rest in `moreFilters` behind 更多筛选. */
  filters?: ReactNode
  moreFilters?: MoreFilters
  /** Sets of filters under a name: 全部, 待审核. */
  views?: readonly View[]
  /** The person may keep filters of their own as views, on the server. */
  keepsViews?: boolean
  /** Filters that such a view leaves out: those whose choices belong to the record at hand. */
  notKept?: readonly string[]
  rowActions?: readonly RowAction<R>[]
  batchActions?: readonly RowAction<R>[]
  /** What a row is called in questions; the first column's text unless given. */
  nameOf?: (row: R) => string
  /** What an empty list says and offers. */
  empty?: { text?: string; hint?: ReactNode; next?: ReactNode }
  /** What unfolds under a row. */
  expand?: (row: R) => ReactNode
  /** Page sizes to choose from, where the call takes fewer rows than others. */
  sizes?: readonly number[]
  /** Tells lists of one screen apart in the person's settings. */
  name?: string
}

const none: readonly string[] = []
const rowHeights: Record<Density, number> = { tight: 34, normal: 40, loose: 52 }
/** From so many rows on, only those in sight are drawn. */
const manyRows = 100

/** Filters, tools, table and pagination of a list; on a phone the rows are cards. */
export function ListTable<R extends object>({
  list,
  rowKey,
  columns,
  filters,
  moreFilters,
  views,
  keepsViews = false,
  notKept = none,
  rowActions: allRowActions = [],
  batchActions: allBatchActions = [],
  nameOf,
  empty,
  expand,
  sizes = pageSizes,
  name = 'list',
}: ListTableProps<R>) {
  const { path, scroller, elements } = use(TabContext)
  // where somebody has the right to none, there is neither a column of them nor anything to tick rows for
  const [rowActions, batchActions] = [allRowActions, allBatchActions].map((actions) =>
    actions.filter(({ call }) => hasPermission(elements, call.permit)),
  ) as [RowAction<R>[], RowAction<R>[]]
  const isPhone = useIsPhone()
  // what a row says comes before what can be done with it
  const isTight = useIsLaptop() && rowActions.length > 2
  const [choice, setChoice] = usePref<ColumnChoice | undefined>(`columns:${path}:${name}`, undefined)
  const [density, setDensity] = usePref<Density>(`density:${path}:${name}`, 'normal')
  const [unfolded, setUnfolded] = useState<readonly Key[]>([])
  const table = useRef<HTMLDivElement>(null)
  // a table wider than its card scrolls sideways, for those with a keyboard as well
  useEffect(() => table.current?.querySelector('.ant-table-body, .ant-table-content')?.setAttribute('tabindex', '0'))
  useMemo(() => checkWidths(columns), [columns.length])
  const shown = chosenColumns(columns, choice)
  const orders = ordersOf(columns)
  const first = columns[0]!
  const name1 = nameOf ?? ((row: R) => String(first.dataIndex ? row[first.dataIndex] : row[rowKey]))
  const tickedRows = list.rows.filter((row) => list.ticked.includes(row[rowKey] as Key))
  const isVirtual = list.rows.length >= manyRows
  const canTick = batchActions.length > 0

  const forActions = rowActions.length > 0 ? actionsWidth(rowActions, isTight) : 0
  const tableColumns = [
    ...shown.map((column) => tableColumn(column, list.state)),
    ...(rowActions.length > 0
      ? [
          {
            title: '操作',
            key: 'acts',
            width: forActions,
            fixed: 'end' as const,
            render: (_: unknown, row: R) => (
              <RowActions row={row} actions={rowActions} nameOf={name1} isTight={isTight} />
            ),
          },
        ]
      : []),
  ]
  const width = widthOf(shown, (canTick ? 48 : 0) + (expand ? 48 : 0) + forActions)
  const onChange: TableProps<R>['onChange'] = (_page, _filters, sorter) => {
    const one = Array.isArray(sorter) ? sorter[0] : sorter
    list.setSort(
      one?.order ? sortNameOf(columns, one.columnKey) : undefined,
      one?.order ? (one.order === 'ascend' ? 'asc' : 'desc') : undefined,
    )
  }
  const emptyState = list.failed ? (
    <NotRead onRetry={list.refresh} />
  ) : list.hasFilters ? (
    <EmptyState
      text="没有符合条件的数据"
      next={
        <button type="button" className="plain-button" onClick={list.clear}>
          清除筛选条件
        </button>
      }
    />
  ) : (
    <EmptyState {...empty} />
  )

  return (
    <ListContext value={list as List<unknown>}>
      <div className="card list-card" aria-busy={list.isLoading || list.isFormer}>
        {filters ? (
          <FilterBar
            more={moreFilters}
            view={views && viewNow(views, list)}
            orders={orders}
            list={list as List<unknown>}
          >
            {filters}
          </FilterBar>
        ) : (
          isPhone &&
          orders.length > 0 && (
            <div className="filters">
              <OrderSelect list={list as List<unknown>} orders={orders} />
            </div>
          )
        )}
        <div className="list-bar">
          {tickedRows.length > 0 ? (
            <BatchBar
              rows={tickedRows}
              actions={batchActions}
              nameOf={name1}
              list={list}
              onCancel={() => list.tick([])}
            />
          ) : views || keepsViews ? (
            <Views
              views={views ?? []}
              list={list as List<unknown>}
              saved={
                keepsViews && (
                  <SavedViews
                    list={list as List<unknown>}
                    listName={name === 'list' ? path : `${path}#${name}`}
                    notKept={notKept}
                  />
                )
              }
            />
          ) : (
            <span />
          )}
          <ListTools
            columns={columns}
            choice={choice}
            onChoice={setChoice}
            density={density}
            onDensity={setDensity}
            isFetching={list.isFetching}
            onRefresh={list.refresh}
          />
        </div>
        {isPhone ? (
          <div className={formerClass(list.isFormer)}>
            <PhoneList
              list={list}
              rowKey={rowKey}
              columns={shown}
              rowActions={rowActions}
              canTick={canTick}
              nameOf={name1}
              cell={cellOf}
              empty={emptyState}
              expand={expand}
            />
          </div>
        ) : (
          <div
            ref={table}
            style={{ '--row-height': `${rowHeights[density]}px` } as React.CSSProperties}
            className={formerClass(list.isFormer, 'list-table')}
          >
            <Table<R>
              size="small"
              rowKey={rowKey}
              columns={tableColumns as TableProps<R>['columns'] & object}
              dataSource={list.rows}
              loading={list.isLoading}
              pagination={false}
              virtual={isVirtual}
              scroll={isVirtual ? { x: width, y: 15 * rowHeights[density] } : { x: width }}
              {...(!isVirtual && { sticky: { getContainer: scroller } })}
              onChange={onChange}
              locale={{ emptyText: list.isLoading ? ' ' : emptyState }}
              {...(canTick && {
                rowSelection: {
                  columnWidth: 48,
                  fixed: true,
                  selectedRowKeys: [...list.ticked],
                  onChange: (keys: Key[]) => list.tick(keys),
                  getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }) as object,
                  getCheckboxProps: (row: R) => ({ 'aria-label': `选择${name1(row)}` }) as object,
                },
              })}
              {...(expand && {
                expandable: {
                  expandedRowRender: expand,
                  expandedRowKeys: unfolded,
                  onExpandedRowsChange: (keys: readonly Key[]) => setUnfolded(keys),
                  columnWidth: 48,
                },
              })}
            />
          </div>
        )}
        {list.total > 0 && (
          <PaginationBar
            className={formerClass(list.isFormer, 'list-pages')}
            size={isPhone ? 'small' : 'medium'}
            current={list.state.current}
            pageSize={list.state.pageSize}
            total={list.total}
            showTotal={(total, [from, to]) =>
              `${isPhone ? '' : `第 ${figure(from)}-${figure(to)} 条，`}共 ${countOf(total, list.isCapped)} 条`
            }
            showSizeChanger
            pageSizeOptions={[...sizes]}
            isNarrow={isPhone}
            onChange={(current, size) => {
              list.setPage(size === list.state.pageSize ? current : 1, size === list.state.pageSize ? undefined : size)
              scroller().scrollTo({ top: 0 })
            }}
          />
        )}
        {list.isCapped && <p className="list-cap">仅列出前 {figure(list.total)} 条，请用时间或其他条件缩小范围。</p>}
      </div>
    </ListContext>
  )
}
