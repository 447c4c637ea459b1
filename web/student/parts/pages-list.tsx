import type { ReactNode } from 'react'
import type { usePages } from './use-pages.ts'

interface Props<R> {
  of: Pick<
    ReturnType<typeof usePages>,
    'isError' | 'hasNextPage' | 'isFetchingNextPage' | 'refetch' | 'fetchNextPage'
  > & {
    records: R[] | undefined
  }
  empty: ReactNode
  children: (record: R) => ReactNode
}

/** The rows of a list that is read page by page, or what stands there instead. */
export function PagesList<R>({ of, empty, children }: Props<R>) {
  const { records, isError, hasNextPage, isFetchingNextPage, refetch, fetchNextPage } = of
  if (records === undefined)
    return isError ? (
      <div className="s-empty" role="alert">
        <p>没有取到内容，请检查网络后重试</p>
        <button type="button" className="s-button" onClick={() => void refetch()}>
          重试
        </button>
      </div>
    ) : (
      <div className="s-bones" role="status" aria-label="正在加载">
        <i />
        <i />
        <i />
      </div>
    )
  if (records.length === 0) return <div className="s-empty">{empty}</div>
  return (
    <>
      <ul className="s-list">{records.map(children)}</ul>
      {hasNextPage && (
        <button
          type="button"
          className="s-button s-more"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? '正在加载…' : '加载更多'}
        </button>
      )}
    </>
  )
}
