import { sql } from 'kysely'
import { takeBackSeconds } from '../../../contract/programme/approvals/actions.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { publictyStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { publicityPeriod } from '../../school/school/publicity-period.service.ts'
import { supplementTransitions } from './supplement-life.ts'
import { isQuestioned } from './supplements.queries.ts'
import { notifyStudent } from './notify.service.ts'

/**
 * What the end of an approval means for its supplement record; given to the approvals in app.ts and run inside the
 * deciding transaction. A record that has meanwhile left the state the approval was about stays as it is.
 */
export const supplementOutcome = {
  async passed(ctx: Context, lisId: string) {
    const row = await applyTransition(ctx, lisId, 'passed', '补录审批通过', { passTime: ctx.clock.now() })
    if (!row) return
    await notifyStudent(ctx, row, '已通过审批', '公示期满无异议后记入学时。')
    await publiciseAsPlanned(ctx, row)
  },
  async refused(ctx: Context, lisId: string, reason: string) {
    const row = await applyTransition(ctx, lisId, 'refused', '补录审批被驳回', { refuseReason: reason }, reason)
    if (row) await notifyStudent(ctx, row, '未通过审批', `原因：${reason}。修改后可重新提交。`)
  },
  withdrawn: async (ctx: Context, lisId: string): Promise<void> =>
    void (await applyTransition(ctx, lisId, 'withdrawn', '撤回补录审批', {})),
  async terminated(ctx: Context, lisId: string, reason: string) {
    const row = await applyTransition(ctx, lisId, 'terminated', '补录审批被终止', {}, reason)
    if (row) await notifyStudent(ctx, row, '的审批已终止', `原因：${reason}。修改后可重新提交，不再需要的可以删除。`)
  },
  async reopened(ctx: Context, lisId: string, verdict: 'passed' | 'refused', at: string) {
    const { from: before } = supplementTransitions[verdict]
    const row = await ctx.db
      .updateTable('supplement')
      .set({
        lisStatus: before,
        lisPublictyStatus: publictyStatus.none,
        passTime: null,
        refuseReason: '',
        ...updatedColumns(ctx),
      })
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('lisId', '=', lisId)
      .where(
        'lisStatus',
        'in',
        verdict === 'passed'
          ? [supplementTransitions.passed.to, supplementStatus.inNotice]
          : [supplementTransitions.refused.to],
      )
      .where('updateTime', '<=', at)
      .where('delFlag', '=', sql.lit(yesNo.no))
      .where((not) => not.not(isQuestioned))
      .returning(['lisName'])
      .executeTakeFirst()
    if (!row) throw new Failure('take-back-late', { n: takeBackSeconds })
    await audit(ctx, {
      action: '审批恢复为进行中',
      bizType: 'supplement',
      bizId: lisId,
      bizName: row.lisName,
      after: { lisStatus: before },
    })
  },
}

async function applyTransition(
  ctx: Context,
  lisId: string,
  name: 'passed' | 'refused' | 'withdrawn' | 'terminated',
  action: string,
  values: { passTime?: string; refuseReason?: string },
  reason = '',
) {
  const { from, to } = supplementTransitions[name]
  const row = await ctx.db
    .updateTable('supplement')
    .set({ lisStatus: to, ...values, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('lisId', '=', lisId)
    .where('lisStatus', '=', from)
    .where('delFlag', '=', sql.lit(yesNo.no))
    .returningAll()
    .executeTakeFirst()
  if (row)
    await audit(ctx, {
      action,
      bizType: 'supplement',
      bizId: lisId,
      bizName: row.lisName,
      reason,
      before: { lisStatus: from },
      after: { lisStatus: to },
    })
  return row
}

/**
 * A period that was named when the record was entered begins by itself, as far as it still fits the school's rules;
 * else it waits for whoever publicises.
 */
async function publiciseAsPlanned(
  ctx: Context,
  {
    lisId,
    lisName,
    lisPublictySdate,
    lisPublictyEdate,
  }: { lisId: string; lisName: string; lisPublictySdate: string | null; lisPublictyEdate: string | null },
): Promise<void> {
  if (!lisPublictySdate || !lisPublictyEdate) return
  const { schoolId } = ctx.actor
  const today = dayOf(ctx.clock.now())
  const from = dayOf(lisPublictySdate) < today ? today : lisPublictySdate
  const period = await publicityPeriod(ctx, schoolId, { from, to: lisPublictyEdate, field: 'lisPublictySdate' }).catch(
    (error: unknown) => {
      if (error instanceof Failure) return undefined
      throw error
    },
  )
  const set = period
    ? {
        lisStatus: supplementStatus.inNotice,
        lisPublictyStatus: publictyStatus.running,
        lisPublictySdate: period.start,
        lisPublictyEdate: period.end,
      }
    : { lisPublictySdate: null, lisPublictyEdate: null }
  await ctx.db
    .updateTable('supplement')
    .set({ ...set, ...updatedColumns(ctx) })
    .where('schoolId', '=', schoolId)
    .where('lisId', '=', lisId)
    .execute()
  if (period)
    await audit(ctx, {
      action: '按录入的时间公示补录',
      bizType: 'supplement',
      bizId: lisId,
      bizName: lisName,
      before: { lisStatus: supplementStatus.passed },
      after: set,
    })
}
