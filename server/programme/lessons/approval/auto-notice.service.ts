import { publictyStatus } from '../../../../contract/core/codes/programme.ts'
import { dayEnd, dayOf, dayStart } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'
import { lastNoticeDay } from '../../../school/school/publicity-period.service.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { beginRound, endRound } from '../model/notice-rounds.service.ts'

/**
 * Begins the public notice of a result that has just been approved, from today for as many working days as the course
 * promised, where the school wants that without anybody's doing (docs/rules.md R16).
 * @returns the period for the course; null where the school leaves it to people
 */
export async function noticeByRule(
  ctx: Context,
  { liId, publictyDays }: { liId: string; publictyDays: number },
): Promise<{ liPublictySdate: string; liPublictyEdate: string } | null> {
  const { schoolId } = ctx.actor
  const { publictyAuto } = await schoolSettings(ctx, schoolId)
  if (!publictyAuto) return null
  const today = dayOf(ctx.clock.now())
  const last = await lastNoticeDay(ctx, schoolId, { from: today, promised: publictyDays })
  const period = { liPublictySdate: dayStart(today), liPublictyEdate: dayEnd(last) }
  await beginRound(ctx, liId, period.liPublictySdate, period.liPublictyEdate)
  return period
}

/** Ends that notice again, because the approval it followed is taken back. */
export const revokeNotice = (ctx: Context, liId: string): Promise<void> =>
  endRound(ctx, ctx.actor.schoolId, liId, {
    publictyStatus: publictyStatus.revoked,
    endName: ctx.actor.suNickname,
    endReason: '结果审批恢复为进行中',
  })
