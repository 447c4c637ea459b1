import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { figure } from '../../../../contract/core/figure.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import type { LessonState } from '../model/lesson-life.ts'
import { notifyStudents } from './registration-notify.service.ts'
import { promoteWaiting } from './waiting-list.service.ts'
import { letGo } from './team-members.ts'
import { auditPeople, onLeavers, setStatus, type RegistrationRow } from './registration.service.ts'

type LeavingRules = Pick<SchoolSettings, 'cancelUntil' | 'leaveAllowed'>
type Times = Pick<LessonState, 'applyEnd' | 'startTime'>

/** Until when a student may cancel; null where the school lets nobody. */
const cancelEnd = ({ applyEnd, startTime }: Times, { cancelUntil }: LeavingRules): string | null =>
  cancelUntil === 'never' ? null : cancelUntil === 'start' ? startTime : (applyEnd ?? startTime)

/**
 * What a student should know before they register: until when a place can be given back, what comes after that, and
 * what it costs not to come (docs/rules.md R10, R32, R33). Pure.
 */
export function leavingWords(
  times: Times,
  rules: LeavingRules & Pick<SchoolSettings, 'noShowLoss' | 'blackCount' | 'blackDays'>,
): string {
  const end = cancelEnd(times, rules)
  const { leaveAllowed, noShowLoss, blackCount, blackDays } = rules
  const last = end !== null && end > times.startTime ? times.startTime : end
  // up to the beginning one may cancel and be excused alike
  const isBefore = last !== null && last < times.startTime
  return [
    last === null ? '学校不允许自行取消报名' : `${last.slice(0, 16)} 前可自行取消报名`,
    ...(leaveAllowed ? [`${isBefore ? '此后' : ''}不能参加的请在活动开始前请假`] : []),
    ...(noShowLoss > 0 ? [`录取后未到扣诚信分 ${noShowLoss} 分`] : []),
    ...(blackCount > 0 ? [`每缺席 ${figure(blackCount)} 次暂停报名 ${blackDays} 天`] : []),
  ].join('；')
}

/** Why a student cannot cancel now; undefined when they can. What time the school allows is its rule. Pure. */
export function cancelFault(times: Times, now: string, rules: LeavingRules): Failure | undefined {
  const end = cancelEnd(times, rules)
  const { startTime } = times
  // a deadline beyond the beginning means the beginning
  if (end !== null && now <= end && now < startTime) return undefined
  return new Failure('cancel-late', {
    until:
      end === null
        ? '学校不允许自行取消'
        : `${rules.cancelUntil === 'start' ? '活动开始' : '报名截止'} ${end.slice(0, 16)}`,
  })
}

/** Why no leave can be entered now; undefined when it can. Pure. */
export const leaveFault = (
  { startTime }: Pick<LessonState, 'startTime'>,
  now: string,
  { leaveAllowed }: LeavingRules,
): Failure | undefined =>
  !leaveAllowed ? new Failure('leave-not-allowed') : now >= startTime ? new Failure('leave-late') : undefined

/**
 * Cancels a registration in the student's name, within the time in which they could themselves; their place goes to
 * those who wait.
 */
export const cancelRegistration = (ctx: Context, { laId }: Checked<typeof admissionApi.cancel>) =>
  goes(ctx, laId, {
    laStatus: applyStatus.cancelled,
    from: [applyStatus.pending, applyStatus.accepted, applyStatus.waitlisted],
    action: admissionApi.cancel.summary,
    act: '取消报名',
    notice: 'cancelled',
    fault: cancelFault,
  })

/** Enters that an admitted student is excused; their place goes to those who wait, and they do not count as absent. */
export const enterLeave = (ctx: Context, { laId, reason }: Checked<typeof admissionApi.leave>) =>
  goes(ctx, laId, {
    laStatus: applyStatus.onLeave,
    from: [applyStatus.accepted],
    action: admissionApi.leave.summary,
    act: '登记请假',
    notice: 'onLeave',
    reason,
    fault: leaveFault,
  })

interface Going {
  laStatus: string
  from: readonly string[]
  action: string
  act: string
  notice: 'cancelled' | 'onLeave'
  reason?: string
  fault: typeof cancelFault
}

function goes(ctx: Context, laId: string, { laStatus, from, action, act, notice, reason = '', fault }: Going) {
  return onLeavers(ctx, [laId], async (tx, lesson, rows) => {
    const row: RegistrationRow = rows[0]!
    if (!from.includes(row.laStatus)) throw new Failure('registration-decided', { name: row.suiName })
    if (row.laSignStatus !== signStatus.notSigned) throw new Failure('signed-already', { name: row.suiName, act })
    const late = fault(lesson, tx.clock.now(), await schoolSettings(tx, tx.actor.schoolId))
    if (late) throw late
    // whoever is excused stays in their team
    const unrated = laStatus === applyStatus.cancelled ? await letGo(tx, lesson, rows) : 0
    await setStatus(tx, lesson.liId, rows, laStatus, reason)
    await auditPeople(tx, action, lesson, rows, unrated > 0 ? { unrated } : {}, reason)
    await notifyStudents(tx, lesson, [row.suId], notice)
    await promoteWaiting(tx, lesson.liId)
    return { affected: 1 }
  })
}
