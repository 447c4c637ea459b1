import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { Tabs } from '../parts/tabs.tsx'
import type { RowAction } from './action.tsx'
import { PageHead } from '../screen/page-head.tsx'
import { ReadFailurePage, type Reading } from '../screen/read-failure.tsx'
import { RecordActions } from './record-actions.tsx'
import { useTabTitle } from '../service/tab.ts'
import { useAddress, withParams } from '../screen/use-address.ts'

interface DetailTab {
  /** Stands in the address as `tab=`. */
  key: string
  title: ReactNode
  content: ReactNode
  /** Takes the whole width; the side is not shown beside it. */
  isWide?: boolean
}

interface DetailPageProps<R> {
  /** The record; undefined while it is read. */
  record: R | undefined
  isLoading: boolean
  /** The call that reads it, for what to say where it is not there. */
  reading?: Reading
  /** What such a record is called, and the address of the list of them. */
  noun?: string
  list?: string
  /** Tells records apart: what a tab shows begins anew with another record. */
  idOf?: (record: R) => string
  name: (record: R) => string
  status?: (record: R) => ReactNode
  facts?: (record: R) => ReactNode
  /** What may be done to the record now; the first that fits is the primary button. */
  actions?: readonly RowAction<R>[]
  tools?: ReactNode
  /** Between the head and the tabs: how far the record has come. */
  before?: (record: R) => ReactNode
  tabs: (record: R) => readonly DetailTab[]
  /** At the right: where the record stands in its flow. */
  side?: (record: R) => ReactNode
}

/** A record: its name, status and facts, what may be done with it, its parts as tabs, and where it stands. */
export function DetailPage<R>({
  record,
  isLoading,
  reading,
  noun = '记录',
  list,
  idOf,
  name,
  status,
  facts,
  actions = [],
  tools,
  before,
  tabs,
  side,
}: DetailPageProps<R>) {
  const [query, change] = useAddress()
  useTabTitle(record && name(record))
  if (isLoading)
    return (
      <div className="page">
        <Skeleton active title paragraph={{ rows: 10 }} />
      </div>
    )
  if (record === undefined) return <ReadFailurePage reading={reading} noun={noun} list={list} />
  const parts = tabs(record)
  const active = parts.find(({ key }) => key === query.get('tab')) ?? parts[0]
  const beside = active?.isWide ? undefined : side
  const open = (key: string) => change(withParams({ tab: key }), { replace: true })
  return (
    <div className="page detail-page">
      <PageHead
        title={name(record)}
        status={status?.(record)}
        facts={facts?.(record)}
        tools={
          <>
            {tools}
            <RecordActions record={record} actions={actions} name={name} />
          </>
        }
      />
      {before?.(record)}
      <div className={beside ? 'detail-columns' : ''}>
        <div className="card detail-card">
          {parts.length > 1 && (
            <Tabs
              activeKey={active?.key ?? ''}
              onChange={open}
              items={parts.map(({ key, title }) => ({ key, label: title }))}
            />
          )}
          <div key={idOf?.(record)} className="detail-body">
            {active?.content}
          </div>
        </div>
        {beside && <aside className="card detail-side">{beside(record)}</aside>}
      </div>
    </div>
  )
}

interface Fact {
  label: string
  value: ReactNode
  /** Takes the whole width. */
  isWide?: boolean
}

/**
 * A text whose days and moments stand on one line each: a line may break between them and not after a hyphen within.
 */
const withWholeMoments = (text: string) =>
  text.split(/(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)/).map((part, at) =>
    at % 2 === 1 ? (
      <span key={at} className="no-break">
        {part}
      </span>
    ) : (
      part
    ),
  )

/** Facts of a record in two columns; a fact without a value shows a dash. */
export function Facts({ items, title }: { items: readonly Fact[]; title?: string }) {
  return (
    <section className="facts">
      {title && <h2>{title}</h2>}
      <dl>
        {items.map(({ label, value, isWide }) => (
          <div key={label} className={isWide ? 'fact-wide' : ''}>
            <dt>{label}</dt>
            <dd>
              {value === null || value === undefined || value === false || value === '' ? (
                <span className="nothing">—</span>
              ) : typeof value === 'string' ? (
                withWholeMoments(value)
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
