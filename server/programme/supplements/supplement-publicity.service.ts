import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { publictyStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { dayOf } from '../../core/base/clock.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lastNoticeDay, publicityPeriod } from '../../school/school/publicity-period.service.ts'
import { acceptedDispute } from '../credits/open-disputes.queries.ts'
import { refusalOf, supplementMoves } from './supplement-life.ts'
import { lockSupplements, supplementAuthorities, supplementFor, type ReachedSupplement } from './supplements.queries.ts'

type Input = Checked<typeof supplementApi.publicise>
type Single = Omit<Input, 'lisId'> & { lisId: string }
type Days = Pick<Input, 'lisPublictySdate' | 'lisPublictyEdate'>

/**
 * Puts approved records into public notice, sets the period of a notice anew, or with `delFlag` takes them out again;
 * all or none.
 */
export const editPublicity = (ctx: Context, { lisId: lisIds, ...input }: Input) =>
  inTransaction(ctx, async (tx) => {
    const edit = input.delFlag === yesNo.yes ? unpublicise : publiciseOne
    let affected = 0
    for (const lisId of lisIds) affected += (await edit(tx, { ...input, lisId })).affected
    return { affected }
  })

function publiciseOne(ctx: Context, { lisId, version, lisPublictySdate, lisPublictyEdate }: Single) {
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

const isInNotice = ({ lisStatus }: ReachedSupplement) => lisStatus === supplementStatus.inNotice

/**
 * A day that is not told is, of a notice that runs, as it is; of a new one it is today, and as many days as the school
 * asks for. Where no day is told, notices that run are not touched.
 */
async function publiciseRows(ctx: Context, supplements: readonly ReachedSupplement[], days: Days, action: string) {
  const isTold = days.lisPublictySdate !== undefined || days.lisPublictyEdate !== undefined
  const changing = isTold ? supplements : supplements.filter((supplement) => !isInNotice(supplement))
  const alike = new Map<string, ReachedSupplement[]>()
  for (const supplement of changing) {
    const key = isInNotice(supplement) ? `${supplement.lisPublictySdate} ${supplement.lisPublictyEdate}` : ''
    alike.set(key, [...(alike.get(key) ?? []), supplement])
  }
  for (const group of alike.values()) await publiciseAlike(ctx, group, days, action)
  return { affected: changing.length }
}

/** @param supplements records that are all new to notice, or in notice for the same days */
async function publiciseAlike(ctx: Context, supplements: readonly ReachedSupplement[], days: Days, action: string) {
  const { schoolId } = ctx.actor
  const running = supplements.find(isInNotice)
  // a notice that has begun may keep its first day
  const begun = running?.lisPublictySdate ?? null
  const first = days.lisPublictySdate ?? begun ?? ctx.clock.now()
  const last =
    days.lisPublictyEdate ?? running?.lisPublictyEdate ?? (await lastNoticeDay(ctx, schoolId, { from: first }))
  if (dayOf(last) < dayOf(first))
    throw invalidInput([{ field: 'lisPublictyEdate', msg: '公示结束日期不能早于开始日期' }])
  const { start, end } = await publicityPeriod(ctx, schoolId, {
    from: first,
    to: last,
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
