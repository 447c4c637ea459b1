import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { publictyStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { publicityPeriod } from '../../school/school/publicity-period.service.ts'
import { acceptedDispute } from '../credits/open-disputes.queries.ts'
import { refusalOf, supplementMoves } from './supplement-life.ts'
import { lockSupplements, supplementAuthorities, supplementFor, type ReachedSupplement } from './supplements.queries.ts'

type Input = Checked<typeof supplementApi.publicise>
type Single = Omit<Input, 'lisId'> & { lisId: string }

/**
 * Puts approved records into public notice, sets the period of a notice anew, or with `delFlag` takes them out again;
 * all or none.
 */
export const editPublicity = (ctx: Context, { lisId: lisIds, ...input }: Input) =>
  inTransaction(ctx, async (tx) => {
    const edit = input.delFlag === yesNo.yes ? unpublicise : publiciseOne
    for (const lisId of lisIds) await edit(tx, { ...input, lisId })
    return { affected: lisIds.length }
  })

function publiciseOne(ctx: Context, { lisId, version, lisPublictySdate, lisPublictyEdate }: Single) {
  if (!lisPublictySdate) throw invalidInput([{ field: 'lisPublictySdate', msg: '请选择公示开始日期' }])
  if (!lisPublictyEdate) throw invalidInput([{ field: 'lisPublictyEdate', msg: '请选择公示结束日期' }])
  return inTransaction(ctx, async (tx) => {
    const supplement = await supplementFor(tx, 'publicty', lisId)
    if (version !== undefined && version !== supplement.version) throw new Failure('stale-version')
    return publiciseRows(tx, [supplement], { lisPublictySdate, lisPublictyEdate }, supplementApi.publicise.summary)
  })
}

/** Puts records into public notice together, all or none. */
export const publiciseSupplements = (
  ctx: Context,
  { ids, ...dates }: Checked<typeof supplementApi.batchEditPublicty>,
) =>
  inTransaction(ctx, async (tx) => {
    const supplements = await lockSupplements(tx, ids)
    const authority = supplementAuthorities(tx.actor)
    const unfit = supplements.filter((supplement) => refusalOf('publicty', supplement, authority(supplement)))
    if (unfit.length > 0) throw new Failure('sup-not-publishable', { n: unfit.length })
    return publiciseRows(tx, supplements, dates, supplementApi.batchEditPublicty.summary)
  })

async function publiciseRows(
  ctx: Context,
  supplements: readonly ReachedSupplement[],
  { lisPublictySdate, lisPublictyEdate }: { lisPublictySdate: string; lisPublictyEdate: string },
  action: string,
) {
  if (lisPublictyEdate < lisPublictySdate)
    throw invalidInput([{ field: 'lisPublictyEdate', msg: '公示结束日期不能早于开始日期' }])
  const { schoolId } = ctx.actor
  // a notice that has begun may keep its first day, if it is the first day of all
  const begun = supplements.every(
    (supplement) =>
      supplement.lisStatus === supplementStatus.inNotice &&
      supplement.lisPublictySdate === supplements[0]!.lisPublictySdate,
  )
    ? supplements[0]!.lisPublictySdate
    : null
  const { start, end } = await publicityPeriod(ctx, schoolId, {
    from: lisPublictySdate,
    to: lisPublictyEdate,
    field: 'lisPublictySdate',
    begun,
  })
  if (end < ctx.clock.now()) throw invalidInput([{ field: 'lisPublictyEdate', msg: '公示结束日期不能早于今天' }])
  const set = {
    lisStatus: supplementMoves.publicty.to,
    lisPublictySdate: start,
    lisPublictyEdate: end,
  }
  const written = await ctx.db
    .updateTable('supplement')
    .set({ ...set, lisPublictyStatus: noticeStatus, ...updatedColumns(ctx) })
    .where('schoolId', '=', schoolId)
    .where(
      anyOf(
        'lisId',
        supplements.map(({ lisId }) => lisId),
      ),
    )
    .returning(['lisId', 'lisPublictyStatus'])
    .execute()
  const statusOf = new Map(written.map(({ lisId, lisPublictyStatus }) => [lisId, lisPublictyStatus]))
  await auditMany(
    ctx,
    supplements.map(({ lisId, lisName, lisStatus, lisPublictySdate: from, lisPublictyEdate: to }) => ({
      action,
      bizType: 'supplement',
      bizId: lisId,
      bizName: lisName,
      before: { lisStatus, lisPublictySdate: from, lisPublictyEdate: to },
      after: { ...set, lisPublictyStatus: statusOf.get(lisId) },
    })),
  )
  return { affected: supplements.length }
}

/** How a notice that begins, or goes on, stands: disputes that were accepted before are so still. */
const noticeStatus = sql<string>`case
    when exists (
      select
      from "question" q
      where q."schoolId" = "supplement"."schoolId" and q."lisId" = "supplement"."lisId" and ${acceptedDispute}
    ) then ${sql.lit(publictyStatus.questioned)}
    else ${sql.lit(publictyStatus.running)}
  end`

const unpublicise = (ctx: Context, { lisId, version, reason }: Single) =>
  inTransaction(ctx, async (tx) => {
    const supplement = await supplementFor(tx, 'unpublicty', lisId)
    if (version !== undefined && version !== supplement.version) throw new Failure('stale-version')
    const set = {
      lisStatus: supplementMoves.unpublicty.to,
      lisPublictyStatus: publictyStatus.revoked,
      lisPublictySdate: null,
      lisPublictyEdate: null,
    }
    await tx.db
      .updateTable('supplement')
      .set({ ...set, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('lisId', '=', lisId)
      .execute()
    await audit(tx, {
      action: '撤销补录公示',
      bizType: 'supplement',
      bizId: lisId,
      bizName: supplement.lisName,
      reason: reason ?? '',
      before: {
        lisStatus: supplement.lisStatus,
        lisPublictySdate: supplement.lisPublictySdate,
        lisPublictyEdate: supplement.lisPublictyEdate,
      },
      after: set,
    })
    return { affected: 1 }
  })
