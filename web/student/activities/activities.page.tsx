import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { ownActivityApi, type ActivityRow } from '../../../contract/student/activities.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Chip, Tabs } from '../parts/pieces.tsx'
import { usePages } from '../parts/use-pages.ts'
import { applyTones, spanText } from './activity-words.ts'

const views = [
  ['open', '报名中'],
  ['all', '全部'],
  ['mine', '我的'],
] as const

/** What a student can take part in: what is open now first. */
export function ActivitiesPage() {
  const [view, setView] = useState<(typeof views)[number][0]>('open')
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  const list = usePages(ownActivityApi.list, {
    ...(name && { liName: name }),
    ...(view === 'open' && { open: '1' }),
    ...(view === 'mine' && { mine: '1' }),
  } as never)
  return (
    <Page
      title="活动"
      isRoot
      action={
        <Link className="s-button" to="/sign">
          签到
        </Link>
      }
    >
      <Tabs of={views} value={view} onChange={setView} label="活动范围" />
      <TextField label="按名称查找" type="search" value={typed} onChange={setTyped} />
      <PagesList of={list} empty={<p>{emptyText(view, name)}</p>}>
        {(row) => <ActivityItem key={row.liId} row={row} />}
      </PagesList>
    </Page>
  )
}

function emptyText(view: string, name: string): string {
  if (name) return '没有名称相符的活动，请换个词'
  if (view === 'mine') return '您还没有报名过活动'
  return view === 'open' ? '现在没有可以报名的活动，可在“全部”中看即将开放的' : '近期没有活动'
}

function ActivityItem({ row }: { row: ActivityRow }) {
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
            {row.lsName}，{row.levelName}，{row.hours} 学时
            {row.isOpen && row.laStatus === null && (left > 0 ? `，余 ${left} 个名额` : '，名额已满')}
          </small>
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
