import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import {
  assertDecidable,
  startApproval,
  withdrawApproval,
  type ApprovalSubject,
} from '../approvals/approvals.service.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayEnd, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { forEachItem } from '../../core/request/for-each-item.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { createdColumns } from '../../core/request/stamp-columns.ts'
import { useFiles } from '../../platform/files/file-use.service.ts'
import type { DisputedRecord } from '../lessons/result/disputed.service.ts'
import { workingDayFrom } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { conclude } from './dispute-outcome.service.ts'
import { disputeMoves, assertMove } from './dispute-life.ts'
import { isAboutReporter, recordFault, windowFault, type LateRule } from './dispute-rules.ts'
import { auditDispute } from './dispute-trail.ts'
import { lockBoth, nameOf, disputeFor, notifyBothSides, writeDispute } from './dispute-store.ts'
import {
  followDisputes,
  lockVisibleSubject,
  type DisputeSubject,
  type DisputeSubjectId,
} from './dispute-subject.service.ts'
import { authorityOver, reachDispute, type FoundDispute } from './disputes.queries.ts'

type CallInput<K extends keyof typeof disputeApi> = Checked<(typeof disputeApi)[K]>

/** How late a dispute may be for the person who enters it. */
export async function lateRule(ctx: Context): Promise<LateRule> {
  const { questionLateDays } = await schoolSettings(ctx, ctx.actor.schoolId)
  return {
    now: ctx.clock.now(),
    lateDays: questionLateDays,
    mayTakeLate: ctx.actor.scopeFor(disputeApi.add.permit).whole,
  }
}

/** What one dispute is about, before it is stored. */
export interface Entry {
  reporterSuId: string
  target: Pick<DisputedRecord, 'suId'> | undefined
  qType: string
  qContent: string
  qAward: string
  qProofs: string[]
}

/**
 * Enters a dispute on somebody's behalf: while the result is in public notice, or for some days after by the school.
 * Refused at once where nobody could decide it.
 * @param calledBy how refusals name whom it is about; by their name unless given
 */
export const addDispute = (
  ctx: Context,
  input: CallInput<'add'>,
  calledBy = ({ suiName }: Pick<DisputedRecord, 'suId' | 'suiName'>): string => suiName,
) =>
  inTransaction(ctx, async (tx) => {
    const { liId = null, lisId = null } = input
    const disputed = await lockVisibleSubject(tx, input)
    const fault = windowFault(disputed.notice, await lateRule(tx))
    if (fault) throw fault
    if (disputed.onlySuId && input.targetSuId && input.targetSuId !== disputed.onlySuId)
      throw new Failure('question-not-whose')
    const targetSuId =
      disputed.onlySuId ?? input.targetSuId ?? (isAboutReporter(input.qType) ? input.reporterSuId : undefined)
    const [target] = targetSuId ? await disputed.targets([targetSuId]) : []
    if (targetSuId && !target) throw new Failure('not-found')
    await assertPerson(tx, input.reporterSuId)
    if (lisId && input.qType === questionType.organiserBreach) throw new Failure('question-no-organiser')
    const called = target && calledBy(target)
    const wrong = recordFault(input.qType, target && { ...target, suiName: called! }, disputed)
    if (wrong) throw wrong
    if (disputed.isAudited)
      await assertDecidable(
        tx,
        await subjectFor(disputed, {
          qId: newId(),
          qType: input.qType,
          reporterSuId: input.reporterSuId,
          targetSuId: targetSuId ?? null,
        }),
      )
    const [row] = await storeDisputes(
      tx,
      { liId, lisId },
      [
        {
          reporterSuId: input.reporterSuId,
          target,
          qType: input.qType,
          qContent: input.qContent,
          qAward: input.qAward ?? '',
          qProofs: input.qProofs,
        },
      ],
      { source: '1' },
    )
    if (!row) throw new Failure('question-open', { name: lisId ? '该补录' : (called ?? '该学生对本课程') })
    await useFiles(tx, input.qProofs, { isPrivate: true })
    await auditDispute(tx, input.reporterSuId, {
      action: disputeApi.add.summary,
      bizType: 'question',
      bizId: row.qId,
      bizName: nameOf({ liName: disputed.name, lisName: '', qType: input.qType }),
      after: {
        qType: input.qType,
        ...(target && { target: `${target.suiName}（${target.suiNumber}）` }),
        proofs: input.qProofs.length,
      },
    })
    return { qId: row.qId, qStatus: questionStatus.pending }
  })

async function assertPerson(ctx: Context, suId: string): Promise<void> {
  const found = await from(ctx, 'person').select('suId').where('suId', '=', suId).executeTakeFirst()
  if (!found) throw new Failure('not-found')
}

/**
 * Stores disputes about a locked course or supplement record; those about something already being asked are left out.
 * @returns the stored ones
 */
export async function storeDisputes(
  ctx: Context,
  { liId = null, lisId = null }: DisputeSubjectId,
  entries: readonly Entry[],
  more: { source: string; importBatchId?: string },
) {
  if (entries.length === 0) return []
  const { questionAcceptDays } = await schoolSettings(ctx, ctx.actor.schoolId)
  const deadline = dayEnd(
    await workingDayFrom(ctx, ctx.actor.schoolId, dayOf(ctx.clock.now()), questionAcceptDays, { after: true }),
  )
  const rows = entries.map(({ reporterSuId, target, qType, qContent, qAward, qProofs }) => ({
    ...createdColumns(ctx),
    qId: newId(),
    liId,
    lisId,
    targetSuId: target?.suId ?? null,
    reporterSuId,
    qType,
    qContent,
    qAward,
    qProofs,
    deadline,
    ...more,
  }))
  return ctx.db
    .insertInto('question')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['qId', 'reporterSuId', 'targetSuId', 'version'])
    .execute()
}

/** A dispute as the workflow sees it: it lies where its course or record lies, and nobody concerned may decide it. */
async function subjectFor(
  disputed: DisputeSubject,
  { qId, qType, reporterSuId, targetSuId }: Pick<FoundDispute, 'qId' | 'qType' | 'reporterSuId' | 'targetSuId'>,
): Promise<ApprovalSubject> {
  const { barred, facts, ...subject } = await disputed.subject(qType)
  return {
    ...subject,
    bizType: 'question',
    nodeName: 'PUBLICITY',
    bizId: qId,
    bizName: nameOf({ liName: disputed.name, lisName: '', qType }),
    summary: disputed.onlySuId ? '针对一条补录' : targetSuId ? '针对一名参与人员的结果' : '针对整门课程',
    facts: { ...facts, barred: [...new Set([reporterSuId, ...(targetSuId ? [targetSuId] : []), ...barred])] },
    isTakenUp: true,
  }
}

/**
 * Takes disputes up: each goes to its reviewers, or stays with whoever handles disputes where the course leaves it to
 * its principal or the flow names nobody.
 */
export const acceptDisputes = (ctx: Context, { qIds, opinion = '' }: CallInput<'accept'>) =>
  forEachDispute(ctx, qIds, async (tx, qId) => {
    const { question, disputed } = await disputeFor(tx, 'accept', qId)
    await writeDispute(
      tx,
      question,
      disputeApi.accept.summary,
      { qStatus: questionStatus.inReview, acceptName: tx.actor.suNickname, acceptTime: tx.clock.now() },
      opinion,
    )
    await followDisputes(tx, question)
    if (!disputed.isAudited) return
    // a flow without steps for disputes asks nobody: then whoever handles disputes decides
    const { insId, ended } = await startApproval(tx, await subjectFor(disputed, question))
    if (insId && ended === 'passed') await conclude(tx, { ...question, qStatus: questionStatus.inReview }, 'pass', '')
  })

/** Turns disputes down without looking into them. */
export const declineDisputes = (ctx: Context, { qIds, opinion }: CallInput<'decline'>) =>
  forEachDispute(ctx, qIds, async (tx, qId) => {
    const { question } = await disputeFor(tx, 'decline', qId)
    await writeDispute(
      tx,
      question,
      disputeApi.decline.summary,
      { qStatus: questionStatus.rejected, opinion, handleName: tx.actor.suNickname, handleTime: tx.clock.now() },
      opinion,
    )
    await notifyBothSides(tx, { ...question, targetSuId: null, enteredBy: null }, '不予受理', `原因：${opinion}`)
  })

/** Decides a dispute that no approval decides. */
export const decideDispute = (ctx: Context, { qId, verdict, opinion, version }: CallInput<'decide'>) =>
  inTransaction(ctx, async (tx) => {
    const { question } = await disputeFor(tx, 'decide', qId, version)
    await conclude(tx, question, verdict, opinion)
    return { affected: 1 }
  })

/** Takes a dispute back for the reporter. */
export const withdrawDispute = (ctx: Context, { qId, opinion }: CallInput<'withdraw'>) =>
  inTransaction(ctx, async (tx) => {
    const known = await reachDispute(tx, qId)
    assertMove('withdraw', known, authorityOver(tx, known))
    // the approval is locked before the dispute, as deciders do
    if (known.qStatus === questionStatus.inReview && known.started) await withdrawApproval(tx, 'question', qId)
    await lockBoth(tx, known)
    const dispute = await reachDispute(tx, qId)
    if (dispute.qStatus !== known.qStatus) throw new Failure('wrong-state', { act: disputeMoves.withdraw.name })
    await writeDispute(
      tx,
      dispute,
      disputeApi.withdraw.summary,
      { qStatus: questionStatus.withdrawn, opinion, handleName: tx.actor.suNickname, handleTime: tx.clock.now() },
      opinion,
    )
    await followDisputes(tx, dispute)
    return { affected: 1 }
  })

/** Tells who asked, for a reason that stands in the trail; the name itself does not. */
export const reporterOf = (ctx: Context, { qId, reason }: CallInput<'reporter'>) =>
  inTransaction(ctx, async (tx) => {
    const { question } = await disputeFor(tx, 'reporter', qId)
    const { rows } = await sql<{
      suiName: string
      suiNumber: string
      collegeName: string
      className: string
    }>`
      select p."suiName", p."suiNumber", coalesce(k."scName", '') "collegeName",
        coalesce(c."scClassName", '') "className"
      from "person" p
      left join "college" k on k."schoolId" = p."schoolId" and k."scId" = p."suiCollegeId"
      left join "schoolClass" c on c."schoolId" = p."schoolId" and c."scClassId" = p."scClassId"
      where p."schoolId" = ${tx.actor.schoolId} and p."suId" = ${question.reporterSuId}::uuid`.execute(tx.db)
    await audit(tx, {
      action: disputeApi.reporter.summary,
      bizType: 'question',
      bizId: qId,
      bizName: nameOf(question),
      reason,
    })
    return rows[0]!
  })

/** The same action on several disputes, each in a transaction of its own. */
const forEachDispute = (ctx: Context, qIds: readonly string[], act: (tx: Context, qId: string) => Promise<void>) =>
  forEachItem(
    qIds,
    (qId) => inTransaction(ctx, (tx) => act(tx, qId)),
    async (qId) => {
      const known = await reachDispute(ctx, qId).catch(() => undefined)
      return known ? nameOf(known) : ''
    },
  )
