import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../core/context.ts'

/** One record of a student's ledger: all values that one course, supplement or adjustment gave him, side by side. Amounts in hundredths. */
export interface StatementRow {
  suId: string
  recId: string
  source: string
  bizId: string
  bizName: string
  lsId: string
  moduleId: string
  hours: number
  credit: number
  points: number
  volunteer: number
  occurTime: string
  grantedAt: string
  explain: string
  reversed: boolean
}

export interface StatementFilter {
  startTime?: string | undefined
  endTime?: string | undefined
  /** A curriculum node; records below it count. */
  lsId?: string | undefined
}

const value = (clType: string): RawBuilder<number> => sql<number>`coalesce(sum(c."clValue") filter (where c."clType" = ${sql.lit(clType)}), 0)::int`

/** The records of students, newest first within each, in one statement. Reversals stand beside what they reverse and lower it. */
export async function statementOf({ db, actor }: Context, suIds: string[], filter: StatementFilter = {}): Promise<StatementRow[]> {
  const rows = await sql<StatementRow>`
    select c."suId", min(c."clId"::text) "recId", (array_agg(c."source" order by c."grantedAt"))[1] "source", c."bizId", min(c."bizName") "bizName", min(c."lsId"::text) "lsId", min(c."moduleId"::text) "moduleId",
      ${value('1')} "hours", ${value('2')} "credit", ${value('3')} "points", ${value('4')} "volunteer", min(c."occurTime") "occurTime", max(c."grantedAt") "grantedAt",
      coalesce(string_agg(c."explain" ->> 'text', '；' order by c."clType") filter (where c."clType" in ('1', '2', '3')), '') "explain", bool_or(c."reverseOf" is not null) "reversed"
    from "creditLedger" c where c."schoolId" = ${actor.schoolId} and c."suId" = any(${suIds}::uuid[])
      and (${filter.startTime ?? null}::timestamptz is null or c."occurTime" >= ${filter.startTime ?? null}::timestamptz)
      and (${filter.endTime ?? null}::timestamptz is null or c."occurTime" <= ${filter.endTime ?? null}::timestamptz)
      and (${filter.lsId ?? null}::uuid is null or c."moduleId" = ${filter.lsId ?? null}::uuid or c."lsId" = ${filter.lsId ?? null}::uuid)
    group by c."suId", c."bizId" order by c."suId", min(c."occurTime") desc, c."bizId"`.execute(db)
  return rows.rows
}

/** What students have of each ability, in hundredths: one statement. */
export async function abilitiesOf({ db, actor }: Context, suIds: string[]): Promise<{ suId: string; sqlId: string; score: number }[]> {
  const rows = await sql<{ suId: string; sqlId: string; score: number }>`
    select c."suId", c."sqlId", sum(c."clValue")::int "score" from "creditLedger" c
    where c."schoolId" = ${actor.schoolId} and c."suId" = any(${suIds}::uuid[]) and c."clType" = '5' group by c."suId", c."sqlId"`.execute(db)
  return rows.rows
}

/** Totals of students by module, in hundredths: what a list of students shows of each. */
export async function moduleTotals({ db, actor }: Context, suIds: string[]): Promise<{ suId: string; moduleId: string; hours: number; credit: number; count: number }[]> {
  const rows = await sql<{ suId: string; moduleId: string; hours: number; credit: number; count: number }>`
    select c."suId", c."moduleId", ${value('1')} "hours", ${value('2')} "credit", count(distinct c."bizId")::int "count" from "creditLedger" c
    where c."schoolId" = ${actor.schoolId} and c."suId" = any(${suIds}::uuid[]) group by c."suId", c."moduleId"`.execute(db)
  return rows.rows
}
