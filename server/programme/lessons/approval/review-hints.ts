import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { secondsBetween } from '../../../core/base/clock.ts'
import { fromHundredths, toHundredths } from '../../../../contract/core/fields.ts'
import type { LessonDetail } from '../../../../contract/programme/lessons/lessons.schema.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'

export interface Hint {
  level: 'info' | 'warning'
  text: string
}

/** Facts that the hints need beside the course itself. */
export interface HintFacts {
  now: string
  /** Working days from the submission to the start, the day of the start not counting; null before any submission. */
  leadDays: number | null
  /** Courses of the same name within 30 days. */
  sameName: number
  /** The principal among those who passed or won in their own course. */
  principalAwarded: boolean
  /** Participants who took part in another course at the same time. */
  overlapping: number
  /** Another course of the same weeks with nearly the same participants; empty where there is none. */
  sameList: string
}

/** What a reviewer should look at twice, in plain sentences: pure (docs/rules.md R8). */
export function hintsFor(
  lesson: LessonDetail,
  facts: HintFacts,
  rules: Pick<SchoolSettings, 'hoursPerDay' | 'leadDays'>,
): Hint[] {
  const hints: Hint[] = []
  const warn = (text: string) => hints.push({ level: 'warning', text })
  const note = (text: string) => hints.push({ level: 'info', text })
  const hours = toHundredths(lesson.liHours) ?? 0
  const minutes = lesson.sessions.reduce((sum, one) => sum + secondsBetween(one.startTime, one.endTime) / 60, 0)
  const days = new Set(lesson.sessions.map((one) => one.startTime.slice(0, 10))).size || 1
  if (lesson.sessions.length > 0 && hours * 0.6 > minutes)
    warn(`认定 ${lesson.liHours} 学时，多于活动时长 ${Math.round(minutes / 6) / 10} 小时`)
  if (hours > rules.hoursPerDay * days)
    warn(`认定学时超过每天 ${fromHundredths(rules.hoursPerDay)} 学时的上限（共 ${days} 天）`)
  if (lesson.liStatus === lessonStatus.publishInReview && facts.leadDays !== null && facts.leadDays < rules.leadDays)
    note(`提交审批距活动开始不足 ${rules.leadDays} 个工作日`)
  if (lesson.applyEnd && lesson.applyEnd < facts.now && lesson.liStatus === lessonStatus.publishInReview)
    warn('报名已经截止，通过后学生将无法报名')
  if (facts.sameName > 0) note(`30 天内另有 ${facts.sameName} 门同名课程`)
  if (lesson.signers.length === 0) note('尚未指定签到负责人，由课程负责人签到')
  if (facts.principalAwarded) warn('课程负责人本人在合格或获奖名单中，请核实是否为自己认定')
  if (facts.overlapping > 0) warn(`有 ${facts.overlapping} 名参与者同一时间参加了其他课程`)
  if (facts.sameList) warn(`参与名单与课程“${facts.sameList}”几乎相同，请核实是否重复发放`)
  return hints
}
