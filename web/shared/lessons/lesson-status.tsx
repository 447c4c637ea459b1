import dayjs from 'dayjs'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { lessonPhase, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { quotaUnit } from '../../../contract/core/codes/teams.ts'
import { placesText } from '../../../contract/programme/lessons/team-fields.ts'
import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { entriesOf, labelOf } from '../../core/service/dictionary-store.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { figure } from '../../core/service/figure.ts'

const tones: Record<string, ChipTone> = {
  [lessonStatus.publishInReview]: 'waiting',
  [lessonStatus.publishRefused]: 'refused',
  [lessonStatus.publishPassed]: 'waiting',
  [lessonStatus.published]: 'published',
  [lessonStatus.resultInReview]: 'waiting',
  [lessonStatus.resultRefused]: 'refused',
  [lessonStatus.resultPassed]: 'waiting',
  [lessonStatus.inNotice]: 'publicity',
  [lessonStatus.questioned]: 'waiting',
  [lessonStatus.completed]: 'finished',
  [lessonStatus.archived]: 'finished',
  [lessonStatus.abnormal]: 'refused',
}
const resultDue = lessonPhase.awaitingResult

/** Where a course stands, in one tag: its state, or its phase in time while it is published. */
export function LessonStatus({ lesson: { liStatus, liPhase } }: { lesson: Pick<LessonRow, 'liStatus' | 'liPhase'> }) {
  const label = liPhase ? labelOf('lesson_phase', liPhase) : labelOf('lesson_status', liStatus)
  return <StatusChip tone={liPhase === resultDue ? 'waiting' : (tones[liStatus] ?? 'draft')}>{label}</StatusChip>
}

/** States to filter by; the published one also phase by phase, as `30.2`. */
export const statusChoices = (): Choice[] =>
  entriesOf('lesson_status').flatMap(({ value, label }) =>
    value === lessonStatus.published
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
  const { liStatus, liPhase, pendingCount, applyCount, passCount, signCount, resultCount } = lesson
  const pending = pendingCount > 0 ? [{ text: `待审核 ${figure(pendingCount)}`, isUrgent: true }] : []
  if (liPhase === lessonPhase.beforeRegistration)
    return lesson.applyStart ? [{ text: `${lesson.applyStart.slice(5, 16)} 起` }] : []
  if (liPhase === lessonPhase.registrationOpen || liPhase === lessonPhase.registrationClosed)
    return [
      ...pending,
      {
        text: `报名 ${figure(applyCount)}${lesson.quotaUnit === quotaUnit.team ? ` 人，名额 ${placesText(lesson)}` : `/${figure(lesson.quota)}`}`,
      },
    ]
  if (liPhase === lessonPhase.underway) return [...pending, { text: `签到 ${figure(signCount)}/${figure(passCount)}` }]
  if (liPhase === resultDue || liStatus === lessonStatus.resultRefused)
    return passCount > resultCount
      ? [{ text: `待评定 ${figure(passCount - resultCount)}`, isUrgent: true }]
      : [{ text: `已评定 ${figure(resultCount)}` }]
  if (liStatus === lessonStatus.inNotice || liStatus === lessonStatus.questioned)
    return [{ text: publicityLeft(lesson.liPublictyEdate, now) }]
  if (
    isOneOf(
      liStatus,
      lessonStatus.resultInReview,
      lessonStatus.resultPassed,
      lessonStatus.completed,
      lessonStatus.archived,
    )
  )
    return [{ text: `参与 ${figure(passCount)}` }]
  return []
}

function publicityLeft(end: string | null, now: dayjs.Dayjs): string {
  if (!end) return '公示中'
  const days = dayjs(end.slice(0, 10)).diff(now.startOf('day'), 'day')
  return days < 0 ? '公示已到期' : days === 0 ? '公示今天截止' : `公示剩 ${days} 天`
}

/** The figures as small tags beside each other, what is urgent first and never cut short. */
export function LessonFigures({ lesson }: { lesson: LessonRow }) {
  const figures = figuresOf(lesson)
  if (figures.length === 0) return <span className="nothing">—</span>
  return (
    <span className="figure-tags">
      {figures.map(({ text, isUrgent }) => (
        <span key={text} className={isUrgent ? 'figure-tag urgent' : 'figure-tag'} title={text}>
          {text}
        </span>
      ))}
    </span>
  )
}

/**
 * `2026-05-08 14:00 至 17:00`; the second date only where it is another day. A line ends between moments only, not in
 * one.
 */
export function periodText(start: string, end: string): string {
  const whole = (moment: string) => moment.replace(' ', '\u00a0')
  return start.slice(0, 10) === end.slice(0, 10)
    ? `${whole(start.slice(0, 16))} 至 ${end.slice(11, 16)}`
    : `${whole(start.slice(0, 16))} 至 ${whole(end.slice(0, 16))}`
}

/**
 * The same for a narrow column: the year only where it is not this one, `05-08 14:00–17:00`, days alone over several.
 */
export function shortPeriod(start: string, end: string, now: dayjs.Dayjs = dayjs()): string {
  const from = start.startsWith(String(now.year())) ? 5 : 2
  return start.slice(0, 10) === end.slice(0, 10)
    ? `${start.slice(from, 16)}–${end.slice(11, 16)}`
    : `${start.slice(from, 10)} 至 ${end.slice(from, 10)}`
}
