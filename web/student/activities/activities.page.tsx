import { useDeferredValue, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ownActivityApi, type ListedActivity } from '../../../contract/student/activities.calls.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { useOpens } from '../parts/use-opens.ts'
import { PagesList } from '../parts/pages-list.tsx'
import { Chip, Tabs } from '../parts/pieces.tsx'
import { usePages } from '../parts/use-pages.ts'
import { emptyText, filterCount, filterNames, listInput, viewOf, views } from './activity-filters.ts'
import { Filters } from './filters.tsx'
import { applyTones, spanText } from './activity-words.ts'
import { amountText } from '../../../contract/core/figure.ts'

/**
 * What a student can take part in: what they can register for first. View, name and filters are in the address, so that
 * the way back from an activity and a reload show the same list.
 */
export function ActivitiesPage() {
  const [query, setQuery] = useSearchParams()
  const asked = useDeferredValue(query)
  const list = usePages(ownActivityApi.list, listInput(asked) as never)
  const [isOpen, setOpen] = useState(false)
  const maySign = useOpens('/sign')
  const count = filterCount(query)
  const change = (values: Record<string, string>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      { replace: true },
    )
  const clear = () => change(Object.fromEntries(['q', ...filterNames].map((name) => [name, ''])))
  return (
    <Page
      title="活动"
      isRoot
      action={
        <>
          <Link className="s-button" to="/calendar">
            日历
          </Link>
          {maySign && (
            <Link className="s-button" to="/sign">
              签到
            </Link>
          )}
        </>
      }
    >
      <Tabs of={views} value={viewOf(query)} onChange={(view) => change({ view })} label="活动范围" />
      <div className="s-search">
        <TextField label="按名称查找" type="search" value={query.get('q') ?? ''} onChange={(q) => change({ q })} />
        <button
          type="button"
          className="s-button"
          aria-expanded={isOpen}
          aria-controls="filters"
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? `筛选 ${count}` : '筛选'}
        </button>
      </div>
      {isOpen && <Filters query={query} onChange={change} onClear={clear} onDone={() => setOpen(false)} />}
      <PagesList
        of={list}
        empty={
          <>
            <p>{emptyText(asked)}</p>
            {(count > 0 || query.get('q')) && (
              <button type="button" className="s-button" onClick={clear}>
                清除筛选
              </button>
            )}
          </>
        }
      >
        {(row) => <ActivityItem key={row.liId} row={row} />}
      </PagesList>
    </Page>
  )
}

function ActivityItem({ row }: { row: ListedActivity }) {
  const left = row.quota - row.passCount
  return (
    <li>
      <Link className="s-row" to={`/activities/${row.liId}`}>
        <span className="s-row-text">
          <strong>{row.liName}</strong>
          <small>
            {spanText(row.startTime, row.endTime)}
            {row.placeText && `，${row.placeText}`}
          </small>
          <small>
            {[row.lsName, row.levelName, `${amountText(row.hours)} 学时`, row.credit !== '0' && `${row.credit} 学分`]
              .filter(Boolean)
              .join('，')}
            {row.isOpen && row.laStatus === null && (left > 0 ? `，余 ${left} 个名额` : '，名额已满')}
          </small>
          {row.clash !== null && <small className="s-warned">{`与${quoted(row.clash)}时间冲突`}</small>}
        </span>
        {row.laStatus !== null ? (
          <Chip tone={applyTones[row.laStatus] ?? 'draft'}>{labelOf('apply_status', row.laStatus)}</Chip>
        ) : (
          row.isOpen && <Chip tone="published">报名中</Chip>
        )}
        <span className="s-go" aria-hidden="true">
          ›
        </span>
      </Link>
    </li>
  )
}
