import { messageType } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, partakeMode } from '../../../../contract/core/codes/programme.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { activeStatuses, admissionFault, candidatesFor } from '../model/admission.ts'
import { reachLesson } from '../model/lessons.queries.ts'
import { notifyOrganisers } from '../model/notify.service.ts'
import { placesTaken } from '../model/seats.queries.ts'
import { auditPeople } from './registration.service.ts'
import { notifyStudents } from './registration-notify.service.ts'
import { enrol, type Entry } from './registration-write.ts'

/**
 * Admits those for whom a course keeps places, whichever way it is registered for, as it is published or the list is
 * changed; inside a transaction that has locked the course. The rules of admission hold for them as for everybody:
 * who may not take part, or finds no place left, is named to the organisers.
 */
export async function admitReserved(ctx: Context, liId: string): Promise<void> {
  const lesson = await reachLesson(ctx, liId)
  if (lesson.reservedIds.length === 0) return
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const candidates = (await candidatesFor(ctx, lesson, { suIds: lesson.reservedIds })).filter(
    ({ laStatus }) => laStatus === null || !activeStatuses.includes(laStatus),
  )
  const entries: Entry[] = []
  const refused: string[] = []
  let free = lesson.quota - (await placesTaken(ctx, lesson))
  for (const candidate of candidates) {
    const fault = admissionFault(candidate, lesson, ctx.clock.now(), rules)
    if (fault) refused.push(`${candidate.suiName}（${candidate.suiNumber}）：${fault.msg}`)
    else if (free <= 0) refused.push(`${candidate.suiName}（${candidate.suiNumber}）：名额已满`)
    else {
      free--
      entries.push({ candidate, partakeMode: partakeMode.participant, remark: '' })
    }
  }
  if (entries.length > 0) {
    await enrol(ctx, lesson, entries, 'reserved', { inState: { laStatus: applyStatus.accepted, waitNo: null } })
    const people = entries.map(({ candidate }) => candidate)
    await auditPeople(ctx, '录取预留名单', lesson, people)
    await notifyStudents(
      ctx,
      lesson,
      people.map(({ suId }) => suId),
      'reserved',
    )
  }
  if (refused.length > 0)
    await notifyOrganisers(
      ctx,
      lesson,
      messageType.system,
      `《${lesson.liName}》预留名单有 ${refused.length} 人未录取`,
      `请核对后调整名单或范围：\n${refused.slice(0, 20).join('\n')}`,
    )
}
