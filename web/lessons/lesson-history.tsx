import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import type { Output } from '../../contract/core/call.ts'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import { registrationApi } from '../../contract/lessons/registration.calls.ts'
import { EmptyState } from '../core/empty-state.tsx'
import { factsOf, fieldsOf } from '../core/schema.ts'
import { Timeline } from '../core/timeline.tsx'
import { useCall } from '../core/use-call.ts'

type Entry = Output<typeof registrationApi.history>['records'][number]

const step = 20
const fields = fieldsOf(lessonApi.save.input)
const labelFor = (name: string) => factsOf(fields[name]).label

/** Everything that happened to a course, newest first. */
export function LessonHistory({ liId }: { liId: string }) {
  const [shown, setShown] = useState(step)
  const { data, isPending } = useCall(registrationApi.history, { liId, pageSize: Math.min(shown, 200) }, { keep: true })
  if (isPending) return <Skeleton active />
  if (!data || data.total === 0) return <EmptyState text="暂无动态" />
  return (
    <>
      <Timeline
        entries={data.records.map((entry) => ({
          key: entry.logId,
          title: `${entry.action}${entry.result === 'refused' ? '（未成功）' : ''}`,
          note: `${entry.actorName || '系统'} · ${entry.logTime.slice(0, 16)}`,
          text: textOf(entry),
          tone: entry.result === 'refused' || /驳回|拒绝|撤|取消|删除|移除/.test(entry.action) ? ('refused' as const) : ('done' as const),
        }))}
      />
      {data.total > shown && shown < 200 && <Button onClick={() => setShown(shown + step)}>查看更早的 {Math.min(step, data.total - shown)} 条</Button>}
    </>
  )
}

/** The reason, and the plain fields that changed, in the form's own words. */
function textOf({ reason, before, after }: Entry): string | undefined {
  const [old, now] = [recordOf(before), recordOf(after)]
  const changes = Object.keys(now)
    .filter((name) => labelFor(name) && name in old && JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => `${labelFor(name)}：${show(old[name])} → ${show(now[name])}`)
  return [reason, ...changes].filter(Boolean).join('\n') || undefined
}

const recordOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})
const longest = 60

function show(value: unknown): string {
  const text = value === null || value === undefined || value === '' ? '空' : typeof value === 'object' ? '已更改' : String(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
