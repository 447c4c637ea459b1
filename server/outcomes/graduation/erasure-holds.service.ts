import { sql } from 'kysely'
import { erasureKind } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import type { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lockStudents } from '../../school/people/lock-people.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { openErasure } from './erasure.service.ts'
import { countErasure, yearsOf } from './erasure.queries.ts'

const shown = 200
const nobody = { due: 0, running: 0, held: 0, undated: 0, next: null }

/** What will be erased of graduates, of how many and when; nothing is changed. */
export async function erasuresToCome(ctx: Context): Promise<Output<typeof graduationApi.erasures>> {
  const settings = await schoolSettings(ctx, ctx.actor.schoolId)
  const kinds = []
  for (const erKind of [erasureKind.contacts, erasureKind.identity]) {
    const years = yearsOf(settings, erKind)
    const { next, ...counts } = years === 0 ? nobody : await countErasure(ctx, erKind, years, dayOf(ctx.clock.now()))
    const open = await openErasure(ctx, erKind)
    const announced = open && { announceTime: open.announceTime, dueTime: open.dueTime, count: open.announced }
    kinds.push({ erKind, years, ...counts, nextDay: next, announced: announced ?? null })
  }
  const held = await visibleStudents(ctx)
    .select(['person.suId', 'suiName', 'suiNumber', 'holdReason'])
    .where('holdReason', '<>', '')
    .orderBy('suiNumber')
    .limit(shown)
    .execute()
  return { kinds, held }
}

/**
 * Has nothing erased of some students, or lifts that again. Who is so already stays as they are and is not counted:
 * what was held for another reason before is not let go when this is taken back.
 */
export const holdGraduates = (ctx: Context, { ids, hold, heldFor, reason }: Checked<typeof graduationApi.hold>) =>
  inTransaction(ctx, async (tx) => {
    await lockStudents(tx, ids)
    const letGo = heldFor === undefined ? sql<boolean>`"holdReason" <> ''` : sql<boolean>`"holdReason" = ${heldFor}`
    const people = await tx.db
      .updateTable('person')
      .set({ holdReason: hold ? reason : '' })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('suId', ids))
      .where(hold ? sql<boolean>`"holdReason" = ''` : letGo)
      .returning(['suId', 'suiName'])
      .execute()
    await auditMany(
      tx,
      people.map(({ suId, suiName }) => ({
        action: hold ? '保留毕业生信息' : '取消保留毕业生信息',
        bizType: 'person',
        bizId: suId,
        bizName: suiName,
        reason,
      })),
    )
    return { affected: people.length }
  })
