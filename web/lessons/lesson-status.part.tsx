import dayjs from 'dayjs'
import type { LessonRow } from '../../contract/lessons/lessons.schema.ts'
import { entriesOf, labelOf } from '../core/dictionary-store.ts'
import type { Choice } from '../core/multi-select.tsx'
import { StatusChip, type ChipTone } from '../core/status-chip.tsx'

const tones: Record<string, ChipTone> = {
  '10': 'waiting',
  '11': 'refused',
  '20': 'waiting',
  '30': 'published',
  '40': 'waiting',
  '41': 'refused',
  '50': 'waiting',
  '60': 'publicity',
  '61': 'waiting',
  '70': 'finished',
  '80': 'finished',
  '92': 'refused',
}
const resultDue = '5'

/** Where a course stands, in one tag: its state, or its phase in time while it is published. */
export function LessonStatus({ lesson: { liStatus, liPhase } }: { lesson: Pick<LessonRow, 'liStatus' | 'liPhase'> }) {
  const label = liPhase ? labelOf('lesson_phase', liPhase) : labelOf('lesson_status', liStatus)
  return <StatusChip tone={liPhase === resultDue ? 'waiting' : (tones[liStatus] ?? 'draft')}>{label}</StatusChip>
}

/** States to filter by; the published one also phase by phase, as `30.2`. */
export const statusChoices = (): Choice[] =>
  entriesOf('lesson_status').flatMap(({ value, label }) =>
    value === '30'
      ? [
          { value, label },
          ...entriesOf('lesson_phase').map((phase) => ({
            value: `30.${phase.value}`,
            label: `${label} · ${phase.label}`,
          })),
        ]
      : [{ value, label }],
  )

interface Figure {
  text: string
  /** Something is to be done about it. */
  isUrgent?: boolean
}

/** The figures that matter where the course stands now: who applied, who is unrated, how long the notice still runs. */
export function figuresOf(lesson: LessonRow, now: dayjs.Dayjs = dayjs()): Figure[] {
  const figures = phaseFigures(lesson, now)
  return lesson.isChanging
    ? [{ text: '变更审批中', isUrgent: true }, ...figures.filter(({ isUrgent }) => isUrgent)]
    : figures
}

function phaseFigures(lesson: LessonRow, now: dayjs.Dayjs): Figure[] {
  const { liStatus, liPhase, pendingCount, applyCount, passCount, signCount, resultCount, quota } = lesson
  const pending = pendingCount > 0 ? [{ text: `待审核 ${pendingCount}`, isUrgent: true }] : []
  if (liPhase === '1') return lesson.applyStart ? [{ text: `${lesson.applyStart.slice(5, 16)} 开始报名` }] : []
  if (liPhase === '2' || liPhase === '3') return [{ text: `报名 ${applyCount}/${quota}` }, ...pending]
  if (liPhase === '4') return [{ text: `签到 ${signCount}/${passCount}` }, ...pending]
  if (liPhase === resultDue || liStatus === '41')
    return passCount > resultCount
      ? [{ text: `待评定 ${passCount - resultCount}`, isUrgent: true }]
      : [{ text: `已评定 ${resultCount}` }]
  if (liStatus === '60' || liStatus === '61') return [{ text: publicityLeft(lesson.liPublictyEdate, now) }]
  if (['40', '50', '70', '80'].includes(liStatus)) return [{ text: `参与 ${passCount}` }]
  return []
}

function publicityLeft(end: string | null, now: dayjs.Dayjs): string {
  if (!end) return '公示中'
  const days = dayjs(end.slice(0, 10)).diff(now.startOf('day'), 'day')
  return days < 0 ? '公示已到期' : days === 0 ? '公示今天截止' : `公示剩 ${days} 天`
}

/** The figures as small tags beside each other. */
export function LessonFigures({ lesson }: { lesson: LessonRow }) {
  const figures = figuresOf(lesson)
  if (figures.length === 0) return <span className="nothing">—</span>
  return (
    <span className="figure-tags">
      {figures.map(({ text, isUrgent }) => (
        <span key={text} className={isUrgent ? 'figure-tag urgent' : 'figure-tag'}>
          {text}
        </span>
      ))}
    </span>
  )
}

/** `2026-05-08 14:00 至 17:00`; the second date only where it is another day. */
export function periodText(start: string, end: string): string {
  return start.slice(0, 10) === end.slice(0, 10)
    ? `${start.slice(0, 16)} 至 ${end.slice(11, 16)}`
    : `${start.slice(0, 16)} 至 ${end.slice(0, 16)}`
}

/** The same for a narrow column: the year only where it is not this one, `05-08 14:00–17:00`, days alone over several. */
export function shortPeriod(start: string, end: string, now: dayjs.Dayjs = dayjs()): string {
  const from = start.startsWith(String(now.year())) ? 5 : 2
  return start.slice(0, 10) === end.slice(0, 10)
    ? `${start.slice(from, 16)}–${end.slice(11, 16)}`
    : `${start.slice(from, 10)} 至 ${end.slice(from, 10)}`
}
