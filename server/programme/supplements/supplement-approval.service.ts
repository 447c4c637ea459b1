import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { creditType, partakeMode, supplementType } from '../../../contract/core/codes/programme.ts'
import { flowType } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths, toHundredths } from '../../../contract/core/fields.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { previewApproval, startApproval, withdrawApproval } from '../approvals/approvals.service.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { forEachItem } from '../../core/request/for-each-item.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { supplementContent } from './supplement-content.queries.ts'
import { missingProofs, obtainFault, windowFailure } from './supplement-checks.ts'
import { assertMove, supplementMoves } from './supplement-life.ts'
import { supplementOutcome } from './outcomes.service.ts'
import { rateFacts } from './supplement-rating.ts'
import { supplementWorld, type SupplementWorld } from './supplement-lookups.queries.ts'
import { reachSupplement, supplementAuthorities, supplementFor, type ReachedSupplement } from './supplements.queries.ts'

/**
 * Puts a record before the people who approve it: checked anew by the rules of today, in the open window of its module,
 * with the proofs asked for.
 * @returns its new state
 */
export async function startSupplementApproval(ctx: Context, lookups: SupplementWorld, lisId: string) {
  const supplement = await supplementFor(ctx, 'submit', lisId)
  const place = lookups.places.get(supplement.lsId)
  const closed = windowFailure(place, lookups)
  if (closed) throw closed
  const late = obtainFault(supplement.lisObtainDate, supplement.suiGrade, lookups)
  const { faults, esId, award, worth, entries } = rateFacts(lookups, supplement)
  const wrong = [...(late ? [late] : []), ...faults]
  if (wrong.length > 0) throw invalidInput(wrong)
  const missing = missingProofs(place?.recording?.supProofs ?? [], {
    ...supplement,
    ...(await proofKinds(ctx, supplement)),
  })
  if (missing.length > 0) throw new Failure('sup-proofs-missing', { name: place!.fullName, what: missing.join('、') })
  const values = {
    esId,
    lisAwardDetailId: award?.adId || null,
    lisHours: worth.hours,
    lisCredit: worth.credit,
    lisPoints: worth.points,
    refuseReason: '',
  }
  const write = (lisStatus: string) =>
    ctx.db
      .updateTable('supplement')
      .set({ ...values, lisStatus, ...updatedColumns(ctx) })
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('lisId', '=', lisId)
      .returning(['lisId', 'lisStatus', 'version'])
      .executeTakeFirstOrThrow()
  const saved = await write(supplementMoves.submit.to)
  await audit(ctx, {
    action: supplementApi.submit.summary,
    bizType: 'supplement',
    bizId: lisId,
    bizName: supplement.lisName,
    before: { lisStatus: supplement.lisStatus },
    after: { lisStatus: supplementMoves.submit.to },
  })
  const hours = entries.find(({ clType }) => clType === creditType.hours)?.value ?? 0
  const summary = [
    `${supplement.suiName}（${supplement.suiNumber}）`,
    labelOf('sup_type', supplement.lisType),
    supplement.lisAward,
    `${fromHundredths(hours)} 学时`,
  ]
    .filter(Boolean)
    .join('，')
  const { ended } = await startApproval(ctx, {
    bizType: 'supplement',
    nodeName: 'SUPPLEMENT',
    bizId: lisId,
    bizName: supplement.lisName,
    summary,
    content: await supplementContent(ctx, lookups, supplement, hours),
    case: {
      wfType: flowType.supplement,
      initiatorRoleIds: ctx.actor.roleIds,
      lsPath: supplement.lsPath,
      level: supplement.lisLevel,
      credit: worth.credit,
    },
    facts: factsOf(supplement, supplement.lsPath),
  })
  if (!ended) return saved
  await supplementOutcome.passed(ctx, lisId)
  return from(ctx, 'supplement')
    .select(['lisId', 'lisStatus', 'version'])
    .where('lisId', '=', lisId)
    .executeTakeFirstOrThrow()
}

/** Where a record lies, for those who look for its checkers: at its student, who does not decide it themselves. */
export const factsOf = (
  { suId, suiCollegeId, scClassId }: Pick<ReachedSupplement, 'suId' | 'suiCollegeId' | 'scClassId'>,
  lsPath: string[],
) => ({
  lsPath,
  collegeId: suiCollegeId,
  departmentId: null,
  classId: scClassId,
  principalId: null,
  teacherIds: [],
  barred: [suId],
})

async function proofKinds(
  { db, actor }: Context,
  { lisProofs }: Pick<ReachedSupplement, 'lisProofs'>,
): Promise<{ images: number; documents: number }> {
  const { rows } = await sql<{
    images: number
    documents: number
  }>`
    select (count(*) filter (where "kind" = 'image'))::int "images",
      (count(*) filter (where "kind" <> 'image'))::int "documents"
    from "file"
    where "schoolId" = ${actor.schoolId} and "fileId" = any(${lisProofs}::uuid[])`.execute(db)
  return rows[0]!
}

/**
 * Submits records one by one, each on its own. A single one is refused like any call; of several, each tells what came
 * of it.
 */
export async function submitSupplements(ctx: Context, { lisId: lisIds }: Checked<typeof supplementApi.submit>) {
  const lookups = await supplementWorld(ctx)
  return forEachItem(
    lisIds,
    (lisId) => inTransaction(ctx, (tx) => startSupplementApproval(tx, lookups, lisId)),
    async (lisId) => {
      const supplement = await reachSupplement(ctx, lisId).catch(() => undefined)
      return supplement ? `${supplement.suiName} · ${supplement.lisName}` : lisId
    },
  )
}

/**
 * Takes a record back from its approval, as long as nobody has decided. The approval is locked before the record, as
 * deciders do.
 */
export function withdrawSupplement(ctx: Context, { lisId }: Checked<typeof supplementApi.withdraw>) {
  return inTransaction(ctx, async (tx) => {
    const supplement = await reachSupplement(tx, lisId)
    assertMove('withdraw', supplement, supplementAuthorities(tx.actor)(supplement))
    await withdrawApproval(tx, 'supplement', lisId)
    await supplementOutcome.withdrawn(tx, lisId)
    return { affected: 1 }
  })
}

/** Who would approve a record like this and what it would give, for the form; nothing is written. */
export async function previewSupplement(ctx: Context, input: Checked<typeof supplementApi.flowPreview>) {
  const student = await visibleStudents(ctx)
    .select(['person.suId', 'suiCollegeId', 'scClassId'])
    .where('person.suId', '=', input.suId)
    .executeTakeFirst()
  if (!student) throw new Failure('not-found')
  const lookups = await supplementWorld(ctx)
  const facts = {
    lsId: input.lsId,
    lisType: input.lisType ?? supplementType.enlistmentOrOther,
    lisLevel: input.lisLevel,
    lisPartakeMode: input.lisPartakeMode ?? partakeMode.participant,
    lisAward: input.lisAward ?? '',
    lisTeamSize: input.lisTeamSize ?? null,
    lisRank: input.lisRank ?? null,
    lisHoursDeclared: input.lisHoursDeclared ? toHundredths(input.lisHoursDeclared) : null,
  }
  const { lsPath, worth, entries } = rateFacts(lookups, facts)
  const flow = await previewApproval(
    ctx,
    {
      wfType: flowType.supplement,
      initiatorRoleIds: ctx.actor.roleIds,
      lsPath,
      level: input.lisLevel,
      credit: worth.credit,
    },
    factsOf(student, lsPath),
    ['SUPPLEMENT'],
  )
  return {
    ...flow,
    reckoning: entries
      .filter(({ clType }) => clType !== creditType.ability)
      .map(({ clType, value, explain }) => ({
        clType: labelOf('credit_type', clType),
        value: fromHundredths(value),
        text: explain.text,
      })),
  }
}
