import { messageType } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, partakeMode } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { activeStatuses, admissionFault, candidatesFor, type Candidate } from '../model/admission.ts'
import { reachLesson } from '../model/lessons.queries.ts'
import { notifyOrganisers } from '../model/notify.service.ts'
import { seat } from '../model/seats.ts'
import { noSeat, seatsOf } from '../model/seats.queries.ts'
import { auditPeople } from './registration.service.ts'
import { enrol } from './registration-write.ts'

/**
 * Admits those for whom a course keeps places, whichever way it is registered for, as it is published or the list is
 * changed; inside a transaction that has locked the course. The rules of admission and the places of colleges hold for
 * them as for everybody. Whoever may not take part or finds no place left is named to the organisers, and so is whoever
 * has registered or left by themselves: what they decided is not decided anew for them.
 * @param earlier who stood on the list before it was changed, and was admitted or named then
 */
export async function admitReserved(ctx: Context, liId: string, earlier: readonly string[] = []): Promise<void> {
  const lesson = await reachLesson(ctx, liId)
  const suIds = lesson.reservedIds.filter((suId) => !earlier.includes(suId))
  if (suIds.length === 0) return
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const seats = await seatsOf(ctx, lesson)
  const refused: string[] = []
  const refuse = ({ suiName, suiNumber }: Candidate, why: string) => refused.push(`${suiName}（${suiNumber}）：${why}`)
  const fitting = (await candidatesFor(ctx, lesson, { suIds })).filter((candidate) => {
    const { laStatus } = candidate
    if (laStatus === applyStatus.accepted || laStatus === applyStatus.onLeave) return false
    const fault = admissionFault(candidate, lesson, ctx.clock.now(), rules)
    if (laStatus !== null) refuse(candidate, registeredBefore(laStatus))
    else if (fault) refuse(candidate, fault.msg)
    else return true
    return false
  })
  const { seated, left } = seat(fitting, seats)
  for (const candidate of left)
    refuse(candidate, noSeat(lesson, { ...seats, free: seats.free - seated.length }, candidate.suiCollegeId).msg)
  if (seated.length > 0) {
    const entries = seated.map((candidate) => ({ candidate, partakeMode: partakeMode.participant, remark: '' }))
    const inState = { laStatus: applyStatus.accepted, waitNo: null }
    await enrol(ctx, lesson, entries, 'reserved', { inState, told: 'reserved' })
    await auditPeople(ctx, '录取预留名单', lesson, seated)
  }
  if (refused.length > 0)
    await notifyOrganisers(
      ctx,
      lesson,
      messageType.system,
      `《${lesson.liName}》预留名单有 ${refused.length} 人未录取`,
      `请核对后调整名单或范围：\n${refused.slice(0, 20).join('\n')}`,
      { evenWhoDidIt: true },
    )
}

/** Why somebody who registered before is not admitted by the list, and what the organisers can do. */
const registeredBefore = (laStatus: string): string => {
  const status = labelOf('apply_status', laStatus)
  return activeStatuses.includes(laStatus)
    ? `报名状态为“${status}”，请在参与人员中处理`
    : `报名状态为“${status}”，请与本人确认后在参与人员中重新添加`
}
