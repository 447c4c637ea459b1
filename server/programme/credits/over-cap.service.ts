import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { overCapApi } from '../../../contract/programme/credits/over-cap.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { termsFrom } from '../../school/school/calendar.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { lockStudents } from './correction.service.ts'
import { recalculateCut, type CreditKinds } from './recredit.service.ts'

/** The running term, and which of their own terms that is for a student. */
async function currentTermOf(ctx: Context, suId: string) {
  const student = await visibleStudents(ctx)
    .select(['person.suiName', 'person.suiGrade', 'person.suiEnterDate', 'person.suiStatus'])
    .where('person.suId', '=', suId)
    .executeTakeFirst()
  if (!student) throw new Failure('not-found')
  const { schoolId } = ctx.actor
  const [term, rules] = await Promise.all([termOf(ctx, schoolId, ctx.clock.now()), schoolSettings(ctx, schoolId)])
  return { student, term, rules, termNo: termNumber(student, dayOf(ctx.clock.now()), rules) }
}

/**
 * Which of a student's terms a day lies in, from 1; 0 where nobody knows when they came, or they have not come yet.
 * Pure.
 */
export function termNumber(
  { suiEnterDate, suiGrade }: { suiEnterDate: string | null; suiGrade: string | null },
  day: string,
  cut: { springStart: string; autumnStart: string },
): number {
  const entered = suiEnterDate ?? (suiGrade && /^\d{4}$/.test(suiGrade) ? `${suiGrade}-09-01` : undefined)
  if (!entered || day < entered.slice(0, 10)) return 0
  const years = Number(day.slice(0, 4)) - Number(entered.slice(0, 4)) + 1
  return termsFrom(entered, years, cut).findIndex(({ tmStart, tmEnd }) => day >= tmStart && day <= tmEnd) + 1
}

/** What a student was granted above the caps of their terms, and whether more may be asked for now. */
export async function overCaps(ctx: Context, { suId }: Checked<typeof overCapApi.list>) {
  const { term, rules, termNo } = await currentTermOf(ctx, suId)
  const rows = await from(ctx, 'overCap')
    .select(['ocId', 'tmName', 'hours', 'reason', 'createName', 'createTime'])
    .where('suId', '=', suId)
    .orderBy('createTime', 'desc')
    .orderBy('ocId')
    .execute()
  const may = ctx.actor.permits.has(overCapApi.raise.permit) && rules.termCapHours > 0 && termNo >= rules.overCapTerm
  return {
    tmName: term.tmName,
    termNo,
    overCapTerm: rules.overCapTerm,
    termCapHours: fromHundredths(rules.termCapHours),
    can: may ? (['raise'] as const).slice() : [],
    raises: rows.map((row) => ({ ...row, hours: fromHundredths(row.hours) })),
  }
}

/**
 * Grants a student more hours in the running term than the school's cap, from the term on in which it may be asked for;
 * what had been cut is recalculated.
 */
export const raiseCap = (ctx: Context, kinds: CreditKinds, { suId, hours, reason }: Checked<typeof overCapApi.raise>) =>
  inTransaction(ctx, async (tx) => {
    const { student, term, rules, termNo } = await currentTermOf(tx, suId)
    if (rules.termCapHours === 0) throw new Failure('no-term-cap')
    if (termNo < rules.overCapTerm) throw new Failure('over-cap-early', { name: student.suiName, n: rules.overCapTerm })
    const { schoolId } = tx.actor
    await lockStudents(tx, schoolId, [suId])
    await tx.db
      .insertInto('overCap')
      .values({
        schoolId,
        ocId: newId(),
        suId,
        tmName: term.tmName,
        tmStart: term.tmStart,
        tmEnd: term.tmEnd,
        hours,
        reason,
        createBy: tx.actor.suId,
        createName: tx.actor.suNickname,
        createTime: tx.clock.now(),
      })
      .execute()
    await audit(tx, {
      action: overCapApi.raise.summary,
      bizType: 'person',
      bizId: suId,
      bizName: student.suiName,
      after: { tmName: term.tmName, hours: fromHundredths(hours) },
      reason,
    })
    await recalculateCut(tx, kinds, suId, '学期上限放宽')
    return { affected: 1 }
  })
