import { labelOf } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Context } from '../../core/request/context.ts'
import { tutorsOf } from '../../school/people/tutors.service.ts'
import { notifyEach } from '../../platform/notifications/notify.service.ts'
import { gapText, type Shortfall } from './threshold-rules.ts'

/** A student whose level has become worse. */
export interface Worsened {
  suId: string
  level: number
  gaps: readonly Shortfall[]
  zeroTerm: boolean
}

/**
 * Tells each of them, and in one message whoever looks after their classes: the counsellor and the head teacher. In the
 * caller's transaction.
 */
export async function notifyWorsened(tx: Context, worsened: readonly Worsened[]): Promise<void> {
  if (worsened.length === 0) return
  const tutors = await tutorsOf(
    tx,
    worsened.map(({ suId }) => suId),
  )
  const wards = new Map<string, number[]>()
  for (const { suId, level } of worsened)
    for (const tutor of tutors.get(suId) ?? []) wards.set(tutor, [...(wards.get(tutor) ?? []), level])
  await notifyEach(tx, [
    ...worsened.map(({ suId, level, gaps, zeroTerm }) => ({
      suId,
      title: `第二课堂学时${labelOf('warn_level', String(level))}`,
      content: `您的第二课堂学时进度已变为“${labelOf('warn_level', String(level))}”：${gapText(
        gaps.map(({ name, gap }) => ({ name, gap: fromHundredths(gap) })),
        zeroTerm,
      )}。请尽快参加相应模块的活动。`,
    })),
    ...[...wards].map(([suId, levels]) => ({
      suId,
      title: `${levels.length} 名学生的预警等级上升`,
      link: '/StatisticsAdmin/ThresholdStatistics?show=list',
      content: `您负责的班级中有 ${levels.length} 名学生的预警等级上升：${[3, 2, 1]
        .map((level) => [level, levels.filter((one) => one === level).length] as const)
        .filter(([, n]) => n > 0)
        .map(([level, n]) => `${labelOf('warn_level', String(level))} ${n} 人`)
        .join('，')}。请在“阈值预警”中查看。`,
    })),
  ])
}
