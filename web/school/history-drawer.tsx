import { Button, Drawer, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import type { Output } from '../../contract/core/call.ts'
import { schoolInfoApi } from '../../contract/school/school-info.calls.ts'
import { settingText } from '../../contract/school/setting-values.ts'
import { settingOf } from '../../contract/school/settings.ts'
import { EmptyState } from '../core/empty-state.tsx'
import { factsOf, fieldsOf } from '../core/schema.ts'
import { Timeline } from '../core/timeline.tsx'
import { useCall } from '../core/use-call.ts'
import { useIsPhone } from '../core/use-width.ts'
import { rangesOf } from './holiday-ranges.ts'
import { useSettingNames } from './setting-names.ts'

type Change = Output<typeof schoolInfoApi.history>['records'][number]
export type HistoryPart = 'profile' | 'term' | 'holiday' | 'settings'

const parts: { value: HistoryPart; label: string }[] = [{ value: 'profile', label: '学校资料' }, { value: 'term', label: '学期' }, { value: 'holiday', label: '节假日' }, { value: 'settings', label: '规则设置' }]
const step = 20

/** Who changed what of the school, when, why, and what it was before. */
export function HistoryDrawer({ first, onClose }: { first: HistoryPart; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  const [part, setPart] = useState(first)
  const [shown, setShown] = useState(step)
  const names = useSettingNames()
  const { data, isPending } = useCall(schoolInfoApi.history, { part, pageSize: Math.min(shown, 200) }, { keep: true })
  return (
    <Drawer open={isOpen} title="变更记录" size={isPhone ? '100%' : 560} onClose={() => setOpen(false)} afterOpenChange={(open) => !open && onClose()} className="school-history">
      <Segmented block options={parts} value={part} onChange={(next) => (setPart(next), setShown(step))} />
      {isPending && <Skeleton active />}
      {data?.total === 0 && <EmptyState text="暂无变更记录" hint="保存修改后，修改人、时间和前后内容会记在这里。" />}
      {data && data.total > 0 && (
        <>
          <Timeline
            entries={data.records.map((entry) => ({
              key: entry.logId,
              title: part === 'term' || part === 'holiday' ? `${entry.action}：${entry.bizName}` : entry.action,
              note: `${entry.actorName || '系统'} · ${entry.logTime.slice(0, 16)}`,
              text: [entry.reason && `说明：${entry.reason}`, ...linesOf(part, entry, names)].filter(Boolean).join('\n') || undefined,
              tone: entry.action.startsWith('删除') ? ('refused' as const) : ('done' as const),
            }))}
          />
          {data.total > shown && shown < 200 && <Button onClick={() => setShown(shown + step)}>查看更早的记录</Button>}
        </>
      )}
    </Drawer>
  )
}

const profileFields = fieldsOf(schoolInfoApi.saveProfile.input)
const termFields = fieldsOf(schoolInfoApi.saveTerm.input)

/** What changed, a line a field: `最短公示期：3 个工作日 → 5 个工作日`. */
function linesOf(part: HistoryPart, { before, after }: Change, names: (id: string) => string): string[] {
  if (part === 'holiday') return holidayLines(before, after)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const label = part === 'settings' ? settingOf(key)?.label : factsOf((part === 'profile' ? profileFields : termFields)[key]).label
    if (!label) return []
    const text = (value: unknown) => (part === 'settings' ? settingText(key, value, names) : plain(key, value)) || '无'
    if (!(key in before)) return [`${label}：${text(after[key])}`]
    return [key in after ? `${label}：${text(before[key])} → ${text(after[key])}` : `${label}：${text(before[key])}`]
  })
}

function plain(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (key.endsWith('FileId')) return '已上传图片'
  return key.startsWith('is') ? (value === '1' ? '启用' : '停用') : String(value)
}

function holidayLines(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const list = (days: Record<string, unknown>) =>
    rangesOf(Object.entries(days).toSorted().map(([hdDate, name]) => ({ hdDate, hdName: String(name), hdKind: '' }))).map(({ hdName, hdStart, hdEnd }) => `${hdName} ${hdStart}${hdEnd === hdStart ? '' : ` 至 ${hdEnd.slice(5)}`}`)
  const [gone, come] = [Object.keys(before).filter((day) => !(day in after)), Object.keys(after).filter((day) => before[day] !== after[day])]
  const pick = (days: Record<string, unknown>, keys: string[]) => Object.fromEntries(keys.map((day) => [day, days[day]]))
  return [...(come.length > 0 ? [`录入：${list(pick(after, come)).join('、')}`] : []), ...(gone.length > 0 ? [`去掉：${list(pick(before, gone)).join('、')}`] : [])]
}
