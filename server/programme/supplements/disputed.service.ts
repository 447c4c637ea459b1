import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  approvalStatus,
  publictyStatus,
  resultStatus,
  supplementStatus,
} from '../../../contract/core/codes/programme.ts'
import { flowType } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { hasAcceptedDisputes } from '../credits/open-disputes.queries.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { notifyBoth } from './notify.service.ts'
import { factsOf } from './supplement-approval.service.ts'
import { correctFacts } from './supplement-correct.service.ts'
import { supplementTransitions } from './supplement-life.ts'
import { removeLocked } from './supplement-removal.service.ts'
import { lockSupplements, type ReachedSupplement } from './supplements.queries.ts'

/** What disputes need of supplement records: the record itself, and what a justified dispute does to it. */
export { visibleSupplements as supplementsInSight } from './supplements.queries.ts'
export type { ReachedSupplement }

/** The record of a dispute, locked, for one whose scope includes it or who reaches it through the dispute itself. */
export async function lockSupplement(ctx: Context, lisId: string): Promise<ReachedSupplement> {
  const [supplement] = await lockSupplements(ctx, [lisId])
  return supplement!
}

/** States in which the record can still be corrected or taken out. */
export const isCorrectable = ({ lisStatus }: Pick<ReachedSupplement, 'lisStatus'>): boolean =>
  ([supplementStatus.passed, supplementStatus.inNotice, supplementStatus.credited] as string[]).includes(lisStatus)

/** The record as disputes see it: its one student is always in it. */
export const disputedRecord = ({ suId, suiName, suiNumber, lisId, lisHours }: ReachedSupplement) => ({
  suId,
  suiName,
  suiNumber,
  laId: lisId,
  laStatus: applyStatus.accepted,
  laResult: resultStatus.passed,
  laHours: lisHours,
})

/**
 * Where a record lies and who has to do with it, for the people who decide its disputes. Who they are says the version
 * of the flow that the record was approved by; where none was asked, the flow that fits it for whoever entered it.
 */
export async function supplementFlowCase(ctx: Context, supplement: ReachedSupplement) {
  const { lisId, lsPath, lisLevel, lisCredit, createBy } = supplement
  const [approvedBy, roles] = await Promise.all([
    from(ctx, 'approval')
      .select(['wfId', 'wfVersion'])
      .where('bizType', '=', 'supplement')
      .where('bizId', '=', lisId)
      .where('insStatus', '=', approvalStatus.passed)
      .orderBy('startTime', 'desc')
      .limit(1)
      .executeTakeFirst(),
    from(ctx, 'roleUser as u')
      .innerJoin('role as r', withinSchool('r.srId', 'u.srId'))
      .select('u.srId')
      .where('u.suId', '=', createBy)
      .where('r.enable', '=', enableStatus.enabled)
      .execute(),
  ])
  return {
    case: {
      wfType: flowType.supplement,
      initiatorRoleIds: roles.map(({ srId }) => srId),
      lsPath,
      level: lisLevel,
      credit: lisCredit,
    },
    facts: factsOf(supplement, lsPath),
    ...(approvedBy && { flow: approvedBy }),
  }
}

/**
 * Keeps the notice of a record in line with its disputes: questioned while one is accepted, in plain notice otherwise.
 * The student and whoever entered it are told when that begins: its credit waits.
 */
export async function followDisputes(ctx: Context, lisId: string): Promise<void> {
  const isQuestioned = await hasAcceptedDisputes(ctx, lisId)
  const [before, after] = isQuestioned
    ? [publictyStatus.running, publictyStatus.questioned]
    : [publictyStatus.questioned, publictyStatus.running]
  const row = await ctx.db
    .updateTable('supplement')
    .set({ lisPublictyStatus: after, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('lisId', '=', lisId)
    .where('lisStatus', '=', supplementTransitions.completed.from)
    .where('lisPublictyStatus', '=', before)
    .returning(['lisId', 'lisName', 'suId', 'createBy'])
    .executeTakeFirst()
  if (!row) return
  await audit(ctx, {
    action: isQuestioned ? '开始处理质疑' : '质疑处理完毕',
    bizType: 'supplement',
    bizId: lisId,
    bizName: row.lisName,
    before: { lisPublictyStatus: before },
    after: { lisPublictyStatus: after },
  })
  if (isQuestioned) await notifyBoth(ctx, row, '正在处理质疑', '公示期间收到质疑，处理完毕后再行入账。')
}

/**
 * What a correction came to: the record before and after in words, and the change of the student's hours in hundredths.
 */
interface CorrectedSupplement {
  before: string
  after: string
  delta: number
}

type Correction = Pick<Checked<typeof supplementApi.correct>, 'lisLevel' | 'lisPartakeMode'> &
  Partial<Checked<typeof supplementApi.correct>>

/** Corrects what a locked record is recognised as, in public notice or after it was credited. */
export async function correctDisputed(
  ctx: Context,
  kinds: CreditKinds,
  supplement: ReachedSupplement,
  given: Correction,
  why: string,
): Promise<CorrectedSupplement> {
  const before = await supplementWords(ctx, supplement.lisId)
  const { changes, delta } = await correctFacts(ctx, kinds, supplement, given, why)
  await audit(ctx, {
    action: '更正补录',
    bizType: 'supplement',
    bizId: supplement.lisId,
    bizName: supplement.lisName,
    reason: why,
    ...changes,
  })
  return { before, after: await supplementWords(ctx, supplement.lisId), delta }
}

/**
 * Takes a locked record out: before its credit it is refused with the reason and leaves the notice; afterwards it is
 * deleted, and what it gave is reversed (docs/rules.md R19).
 */
export async function takeOutDisputed(
  ctx: Context,
  kinds: CreditKinds,
  supplement: ReachedSupplement,
  why: string,
  opinion: string,
): Promise<CorrectedSupplement> {
  const { lisId, lisName, lisStatus } = supplement
  const before = await supplementWords(ctx, lisId)
  if (lisStatus === supplementStatus.credited) {
    const delta = (await removeLocked(ctx, kinds, [supplement], why)).get(lisId) ?? 0
    return { before, after: '已冲正并删除', delta }
  }
  const refuseReason = `${why}：${opinion}`
  const set = {
    lisStatus: supplementStatus.refused,
    lisPublictyStatus: lisStatus === supplementStatus.inNotice ? publictyStatus.revoked : supplement.lisPublictyStatus,
    lisPublictySdate: null,
    lisPublictyEdate: null,
    refuseReason,
  }
  await ctx.db
    .updateTable('supplement')
    .set({ ...set, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('lisId', '=', lisId)
    .execute()
  await audit(ctx, {
    action: '驳回被质疑的补录',
    bizType: 'supplement',
    bizId: lisId,
    bizName: lisName,
    reason: refuseReason,
    before: { lisStatus },
    after: { lisStatus: set.lisStatus, lisPublictyStatus: set.lisPublictyStatus },
  })
  await notifyBoth(ctx, supplement, '在公示中被驳回', `原因：${refuseReason}。修改后可重新提交。`)
  return { before, after: '已驳回', delta: 0 }
}

/** A record in words: `国家级，一等奖，4 学时`; what is no longer in force says so. */
export async function supplementWords(ctx: Context, lisId: string): Promise<string> {
  const { rows } = await sql<{ llName: string; lisAward: string; lisHours: number; lisStatus: string }>`
    select v."llName", s."lisAward", s."lisHours", s."lisStatus"
    from "supplement" s
    join "lessonLevel" v on v."schoolId" = s."schoolId" and v."llId" = s."lisLevel"
    where s."schoolId" = ${ctx.actor.schoolId} and s."lisId" = ${lisId}::uuid`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new Failure('not-found')
  if (row.lisStatus === supplementStatus.deleted) return '已冲正并删除'
  if (row.lisStatus === supplementStatus.refused) return '已驳回'
  return [row.llName, row.lisAward, `${fromHundredths(row.lisHours)} 学时`].filter(Boolean).join('，')
}
