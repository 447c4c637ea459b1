import { type ReactNode } from 'react'
import { ListTable, type ListTableProps } from './list-table.tsx'
import { isCounted, ListTotal } from './list-total.tsx'
import { PageHead } from '../screen/page-head.tsx'

interface ListPageProps<R> extends ListTableProps<R> {
  title: ReactNode
  /** A sentence of facts beside the total; `共 n 条` stands alone without it. */
  facts?: ReactNode
  status?: ReactNode
  tools?: ReactNode
  /** Between the title and the list: counts, hints. */
  before?: ReactNode
}

/** A list screen: what it is, what can be done, and the list. */
export function ListPage<R extends object>({ title, facts, status, tools, before, ...card }: ListPageProps<R>) {
  const { list } = card
  return (
    <div className="page list-page">
      <PageHead
        title={title}
        status={status}
        tools={tools}
        facts={
          <>
            <ListTotal list={list} />
            {facts && isCounted(list) && '，'}
            {facts}
          </>
        }
      />
      {before}
      <ListTable {...card} />
    </div>
  )
}
