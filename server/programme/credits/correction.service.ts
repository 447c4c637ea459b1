import { sql } from 'kysely'
import { creditType } from '../../../contract/core/codes/programme.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { reversalText } from './corrections.ts'
import { grant, type LedgerRow } from './ledger.service.ts'

/**
 * Correcting what was credited. An entry is never changed: it is taken back by one of the opposite value, which keeps
 * its day, its module and its group, so that caps and best-only groups see the room again; what it is worth now is a
 * new entry that names the one it takes the place of. Both can happen only once to an entry, whoever tries how often.
 */

type Reader = Pick<PublicContext, 'db'>

/** An entry that has not been taken back; `c` is its row. */
const notReversed = sql`c."source" <> 'REVERSE'
  and not exists (
    select
    from "creditLedger" r
    where r."schoolId" = c."schoolId"
      and r."bizId" = c."bizId"
      and r."suId" = c."suId"
      and r."source" = 'REVERSE'
      and r."reverseOf" = c."clId"
  )`

/** Reverses everything not yet reversed of students' shares in records, for a reason. @returns how many entries */
export async function reverseEntries(
  { db, actor, clock }: Context,
  { suIds, bizIds }: { suIds: readonly string[]; bizIds: readonly string[] },
  why: string,
): Promise<number> {
  const { numAffectedRows } = await sql`
      insert into "creditLedger" (
        "schoolId", "clId", "suId", "clType", "lsId", "moduleId", "sqlId", "clValue", "source", "bizId", "bizName",
        "ruleVersion", "explain", "occurTime", "grantedAt", "grantedBy", "reverseOf"
      )
      select c."schoolId", gen_random_uuid(), c."suId", c."clType", c."lsId", c."moduleId", c."sqlId", -c."clValue",
        'REVERSE', c."bizId", c."bizName", c."ruleVersion",
        (c."explain" - 'limited') || jsonb_build_object('text', ${reversalText(why)}::text), c."occurTime",
        ${clock.now()}::timestamptz, ${actor.suId}::uuid, c."clId"
      from "creditLedger" c
      where c."schoolId" = ${actor.schoolId}
        and c."bizId" = any(${bizIds}::uuid[])
        and c."suId" = any(${suIds}::uuid[])
        and ${notReversed}
      on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Grants what a record is worth now, after all that stood of it was taken back. Each entry takes the place of the last
 * one of its kind, where there was one.
 */
export async function repostEntries(ctx: Context, rows: readonly LedgerRow[]): Promise<number> {
  if (rows.length === 0) return 0
  const { schoolId, suId: by } = ctx.actor
  const suIds = [...new Set(rows.map(({ suId }) => suId))]
  const bizIds = [...new Set(rows.map(({ bizId }) => bizId))]
  const { rows: tips } = await sql<{
    clId: string
    key: string
  }>`
    select c."clId", concat_ws('/', c."suId", c."bizId", c."clType", c."sqlId") "key"
    from "creditLedger" c
    where c."schoolId" = ${schoolId}
      and c."bizId" = any(${bizIds}::uuid[])
      and c."suId" = any(${suIds}::uuid[])
      and c."source" <> 'REVERSE'
      and not exists (
        select
        from "creditLedger" n
        where n."schoolId" = c."schoolId"
          and n."bizId" = c."bizId"
          and n."suId" = c."suId"
          and n."source" = 'ADJUST'
          and n."reverseOf" = c."clId"
      )`.execute(ctx.db)
  const tipOf = new Map(tips.map(({ clId, key }) => [key, clId]))
  const reposted = rows.map((row): LedgerRow => {
    const tip = tipOf.get([row.suId, row.bizId, row.clType, ...(row.sqlId ? [row.sqlId] : [])].join('/'))
    return tip ? { ...row, source: 'ADJUST', reverseOf: tip } : row
  })
  return grant(ctx, schoolId, reposted, by)
}

/**
 * Other records of students that were cut because of what they had already, by record: these may have room again when
 * something is taken back.
 */
export async function entriesCutElsewhere(
  { db }: Reader,
  schoolId: string,
  suIds: readonly string[],
  except: string,
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    bizId: string
    suIds: string[]
  }>`
    select c."bizId", array_agg(distinct c."suId"::text) "suIds"
    from "creditLedger" c
    where c."schoolId" = ${schoolId}
      and c."suId" = any(${suIds}::uuid[])
      and c."bizId" <> ${except}::uuid
      and c."explain" ->> 'limited' = 'true'
      and ${notReversed}
    group by c."bizId"`.execute(db)
  return new Map(rows.map(({ bizId, suIds: whose }) => [bizId, whose]))
}

/** Hundredths of hours, credit and points. */
export type Worth = [number, number, number]

/** What students have of a record. */
export async function worthOf(
  { db }: Reader,
  schoolId: string,
  suIds: readonly string[],
  bizId: string,
): Promise<Map<string, Worth>> {
  const { rows } = await sql<{ suId: string; hours: number; credit: number; points: number }>`
      select "suId", coalesce(sum("clValue") filter (where "clType" = ${sql.lit(creditType.hours)}), 0)::int "hours",
        coalesce(sum("clValue") filter (where "clType" = ${sql.lit(creditType.credit)}), 0)::int "credit",
        coalesce(sum("clValue") filter (where "clType" = ${sql.lit(creditType.points)}), 0)::int "points"
      from "creditLedger"
      where "schoolId" = ${schoolId} and "bizId" = ${bizId}::uuid and "suId" = any(${suIds}::uuid[])
      group by "suId"`.execute(db)
  return new Map(rows.map(({ suId, hours, credit, points }) => [suId, [hours, credit, points]]))
}

/** Keeps students' ledgers to this transaction. */
export async function lockStudents({ db }: Reader, schoolId: string, suIds: readonly string[]): Promise<void> {
  await sql`
    select
    from "person"
    where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])
    order by "suId"
    for no key
    update`.execute(db)
}
