import { sql } from 'kysely'
import { creditType } from '../../../contract/core/codes/programme.ts'
import type { Context } from '../../core/request/context.ts'
import { correctionsIn, type HistoryEntry, type RecordCorrection } from './corrections.ts'

const kinds: Record<string, HistoryEntry['kind']> = {
  [creditType.hours]: 'hours',
  [creditType.credit]: 'credit',
  [creditType.points]: 'points',
}

/** The name of a record's part in one module, by which its corrections are found. */
export const correctionKey = (bizId: string, moduleId: string): string => `${bizId}/${moduleId}`

/**
 * What was corrected of a student's records, by {@link correctionKey}, each in the order of time: read from the entries
 * of the ledger, which keeps what was taken back beside what holds. Records that nothing was taken back of are not
 * there.
 */
export async function correctionsOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  suId: string,
  bizIds: readonly string[],
): Promise<Map<string, RecordCorrection[]>> {
  if (bizIds.length === 0) return new Map()
  const { rows } = await sql<Omit<HistoryEntry, 'kind'> & { clType: string; bizId: string; moduleId: string }>`
      select c."bizId", c."moduleId", c."clType", c."clValue", c."source" = 'REVERSE' "isReversal", c."grantedAt",
        coalesce(c."explain" ->> 'text', '') "text"
      from "creditLedger" c
      where c."schoolId" = ${actor.schoolId}
        and c."suId" = ${suId}::uuid
        and c."bizId" = any(${bizIds}::uuid[])
        and c."clType" = any(${Object.keys(kinds)}::text[])
        and exists (
          select
          from "creditLedger" r
          where r."schoolId" = c."schoolId"
            and r."suId" = c."suId"
            and r."bizId" = c."bizId"
            and r."source" = 'REVERSE'
        )
      order by c."grantedAt"`.execute(db)
  const records = new Map<string, HistoryEntry[]>()
  for (const { clType, bizId, moduleId, ...entry } of rows) {
    const key = correctionKey(bizId, moduleId)
    records.set(key, [...(records.get(key) ?? []), { ...entry, kind: kinds[clType]! }])
  }
  return new Map([...records].map(([key, entries]) => [key, correctionsIn(entries)]))
}
