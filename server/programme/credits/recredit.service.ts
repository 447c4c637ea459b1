import { creditType } from '../../../contract/core/codes/programme.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { AuditKind } from '../../../contract/core/dictionary.ts'
import type { Context } from '../../core/request/context.ts'
import {
  entriesCutElsewhere,
  repostEntries,
  lockStudents,
  reverseEntries,
  worthOf,
  type Worth,
} from './correction.service.ts'
import type { LedgerRow } from './ledger.service.ts'

/** A record that gives credit, as far as the order matters in which records are calculated. */
interface CreditedRecord {
  bizId: string
  bizName: string
  /** When it was earned, wall-clock. */
  occurTime: string
}

/**
 * A kind of record that gives credit; all kinds are joined in server/setup/credit-kinds.ts, for their caps and
 * best-only groups are common.
 */
export interface CreditKind {
  bizType: AuditKind
  /** Those of the records that are of this kind and give credit now. */
  standing(ctx: Context, bizIds: readonly string[]): Promise<CreditedRecord[]>
  /** What a record gives students by its present facts, within what they still have room for. */
  rows(ctx: Context, bizId: string, suIds: readonly string[]): Promise<LedgerRow[]>
}
export type CreditKinds = readonly CreditKind[]

/**
 * A record whose facts have changed. `rows`: what it gives these students now, within what they still have room for;
 * nothing where it gives nothing any more.
 */
interface Recredited {
  bizId: string
  suIds: readonly string[]
  why: string
  rows: (suIds: readonly string[]) => Promise<LedgerRow[]>
}

/**
 * Brings the ledger in line with the present facts of one record: takes back what it gave, and grants what is right now
 * under the caps and best-only groups. Where a student loses, their other records that had been cut because of what
 * they had, of whatever kind, are recalculated with it, in the order in which they were earned.
 * @returns by how many hundredths of hours each student's total of this record changed
 */
export async function recredit(ctx: Context, kinds: CreditKinds, record: Recredited): Promise<Map<string, number>> {
  const { schoolId } = ctx.actor
  const { bizId, suIds, why } = record
  await lockStudents(ctx, schoolId, suIds)
  const before = await worthOf(ctx, schoolId, suIds, bizId)
  await reverseEntries(ctx, { suIds, bizIds: [bizId] }, why)
  const rows = await record.rows(suIds)
  const due = worthOfRows(rows)
  const losers = new Set(
    suIds.filter((suId) => (before.get(suId) ?? nothing).some((value, at) => value > (due.get(suId) ?? nothing)[at]!)),
  )
  await repostEntries(
    ctx,
    rows.filter(({ suId }) => !losers.has(suId)),
  )
  if (losers.size > 0)
    await recalculateTogether(
      ctx,
      kinds,
      record,
      rows.filter(({ suId }) => losers.has(suId)),
      [...losers],
    )
  const after = await worthOf(ctx, schoolId, suIds, bizId)
  return new Map(suIds.map((suId) => [suId, (after.get(suId) ?? nothing)[0] - (before.get(suId) ?? nothing)[0]]))
}

/**
 * Recalculates what had been cut for a student because of what they had, now that they have more room. They are locked
 * by the caller.
 */
export const recalculateCut = (ctx: Context, kinds: CreditKinds, suId: string, why: string): Promise<void> =>
  recalculateOthers(ctx, kinds, { bizId: nothingElse, why, suIds: [suId] }, [])

/** The id of no record. */
const nothingElse = '00000000-0000-0000-0000-000000000000'

interface Recalculation {
  bizId: string
  occurTime: string
  suIds: readonly string[]
  rows: (suIds: readonly string[]) => Promise<LedgerRow[]>
}

/** Grants a record to those who lose by its change, together with what had been cut for them elsewhere. */
const recalculateTogether = (
  ctx: Context,
  kinds: CreditKinds,
  { bizId, why, rows: rowsOf }: Recredited,
  rows: LedgerRow[],
  losers: string[],
): Promise<void> =>
  recalculateOthers(
    ctx,
    kinds,
    { bizId, why, suIds: losers },
    rows[0] ? [{ bizId, occurTime: rows[0].occurTime, suIds: losers, rows: rowsOf }] : [],
  )

/**
 * Takes back what was cut for students elsewhere, and grants it anew in the order in which it was earned, with `own` at
 * its place.
 */
async function recalculateOthers(
  ctx: Context,
  kinds: CreditKinds,
  { bizId, why, suIds: losers }: { bizId: string; why: string; suIds: string[] },
  own: Recalculation[],
): Promise<void> {
  const cut = await entriesCutElsewhere(ctx, ctx.actor.schoolId, losers, bizId)
  const others = []
  for (const kind of cut.size === 0 ? [] : kinds) {
    for (const record of await kind.standing(ctx, [...cut.keys()]))
      others.push({
        ...record,
        bizType: kind.bizType,
        suIds: cut.get(record.bizId)!,
        rows: (suIds: readonly string[]) => kind.rows(ctx, record.bizId, suIds),
      })
  }
  for (const other of others)
    await reverseEntries(ctx, { suIds: other.suIds, bizIds: [other.bizId] }, `${why}，上限或就高按活动时间先后重新计算`)
  const inOrder = [...own, ...others].toSorted(
    (a, b) => a.occurTime.localeCompare(b.occurTime) || a.bizId.localeCompare(b.bizId),
  )
  for (const one of inOrder) await repostEntries(ctx, await one.rows(one.suIds))
  await auditMany(
    ctx,
    others.map(({ bizType, bizId: other, bizName, suIds }) => ({
      action: '上限或就高重新计算',
      bizType,
      bizId: other,
      bizName,
      reason: why,
      after: { people: suIds.length },
    })),
  )
}

const nothing: Worth = [0, 0, 0]

function worthOfRows(rows: readonly LedgerRow[]): Map<string, Worth> {
  const worth = new Map<string, Worth>()
  for (const { suId, clType, clValue } of rows) {
    const at = ([creditType.hours, creditType.credit, creditType.points] as string[]).indexOf(clType)
    if (at < 0) continue
    const sum: Worth = [...(worth.get(suId) ?? nothing)]
    sum[at]! += clValue
    worth.set(suId, sum)
  }
  return worth
}
