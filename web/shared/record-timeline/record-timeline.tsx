import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import type { AuditChange, TimelineEntry } from '../../../contract/school/audit/audit.schema.ts'
import type { AuditKind } from '../../../contract/core/dictionary.ts'
import { send } from '../../core/service/api.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { Timeline } from '../../core/parts/timeline.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import './record-timeline.css'

interface RecordTimelineProps {
  /** The kind of record, a value of the dictionary `audit_kind`. */
  bizType: AuditKind
  /** The school itself needs none. */
  bizId?: string
}

const step = 20

/** Everything that happened to one record, newest first: who, when, what, why, and the fields that changed. */
export function RecordTimeline({ bizType, bizId }: RecordTimelineProps) {
  const { data, isPending, isError, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [auditApi.timeline.path, { bizType, bizId }],
    queryFn: ({ pageParam, signal }) =>
      send(auditApi.timeline, { bizType, ...(bizId && { bizId }), current: pageParam, pageSize: step }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  })
  if (isPending) return <ReadSkeleton />
  if (isError)
    return (
      <EmptyState
        text="未能取得动态"
        hint="可能是网络暂时中断，请重试。"
        next={
          <button type="button" className="plain-button" onClick={() => void refetch()}>
            重试
          </button>
        }
      />
    )
  // what happens meanwhile moves the pages on: an entry that comes twice is shown once
  const entries = new Map(data.pages.flatMap(({ records }) => records.map((entry) => [entry.logId, entry])))
  if (entries.size === 0) return <EmptyState text="暂无动态" hint="对该记录的新增、修改、审批等操作会显示在这里。" />
  return (
    <div className="record-timeline">
      <Timeline
        entries={[...entries.values()].map((entry) => ({
          key: entry.logId,
          title: `${entry.action}${entry.result === 'refused' ? '（未成功）' : ''}`,
          note: `${entry.actorName || '系统'} · ${entry.logTime.slice(0, 16)}`,
          ...((entry.reason || entry.changes.length > 0) && { text: <What entry={entry} /> }),
          tone:
            entry.result === 'refused' || /驳回|拒绝|撤|取消|删除|移除|停用/.test(entry.action)
              ? ('refused' as const)
              : ('done' as const),
        }))}
      />
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          更多
        </Button>
      )}
    </div>
  )
}

/** Changes shown before 展开; of something new all fields are changes, and none of them is news. */
const shownAtFirst = 4

function What({ entry: { reason, changes } }: { entry: TimelineEntry }) {
  const isNew = changes.every(({ before }) => before === '')
  const [isOpen, setOpen] = useState(false)
  const limit = isNew && changes.length > shownAtFirst ? 0 : shownAtFirst
  const shown = isOpen ? changes : changes.slice(0, limit)
  const rest = changes.length - shown.length
  return (
    <>
      {reason && <span className="change-reason">{reason}</span>}
      {shown.map((change) => (
        <ChangeLine key={change.label} change={change} />
      ))}
      {(rest > 0 || isOpen) && changes.length > limit && (
        <button type="button" className="row-act" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '收起' : shown.length > 0 ? `展开其余 ${rest} 项` : `查看内容（${rest} 项）`}
        </button>
      )}
    </>
  )
}

function ChangeLine({ change: { label, before, after } }: { change: AuditChange }) {
  return (
    <span className="change-line">
      <span className="change-label">{label}</span>
      {before && <del>{before}</del>}
      {before && (
        <span role="img" aria-label="改为">
          →
        </span>
      )}
      {after ? <ins>{after}</ins> : <ins className="nothing">空</ins>}
    </span>
  )
}
