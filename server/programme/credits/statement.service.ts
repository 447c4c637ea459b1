import { sql, type RawBuilder } from 'kysely'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { allTakenBack } from './ledger.service.ts'

/**
 * One record of a student's ledger: all values that one course, supplement or adjustment gave them, side by side.
 * Amounts in hundredths.
 */
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
  /** Reversed whole: nothing of it counts any more. */
  reversed: boolean
}

/** A period of occurrence, wall-clock text, both edges counting. */
export interface Period {
  startTime?: string | undefined
  endTime?: string | undefined
}

export interface StatementFilter extends Period {
  /** A curriculum node; records below it count. */
  lsId?: string | undefined
}

const value = (clType: string): RawBuilder<number> =>
  sql<number>`coalesce(sum(c."clValue") filter (where c."clType" = ${sql.lit(clType)}), 0)::int`

/** The first entry of a record says when it occurred: a reversal goes with what it reverses, whenever it was made. */
const within = ({ startTime, endTime }: Period): RawBuilder<boolean> => sql`
  (${startTime ?? null}::timestamptz is null or min(c."occurTime") >= ${startTime ?? null}::timestamptz)
  and (${endTime ?? null}::timestamptz is null or min(c."occurTime") <= ${endTime ?? null}::timestamptz)`

/** Whether an entry belongs to a node or to one below it. */
export const belowNode = (schoolId: string, lsId: string): RawBuilder<boolean> =>
  sql<boolean>`c."lsId" = any(
      array(
        select n."lsId"
        from "curriculum" n
        where n."schoolId" = ${schoolId} and n."lsPath" @> array[${lsId}::uuid]
      )
    )`

/** The records of students, newest first within each, in one statement. Reversals are netted with what they reverse. */
export async function statementOf(
  { db, actor }: Context,
  suIds: string[],
  filter: StatementFilter = {},
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow & { isCorrected: boolean }>`
      select c."suId", (array_agg(c."clId" order by c."reverseOf" is not null, c."clType", c."clId"))[1] "recId",
        (array_agg(c."source" order by c."reverseOf" is not null, c."grantedAt", c."clId"))[1] "source", c."bizId",
        min(c."bizName") "bizName", min(c."lsId"::text) "lsId", c."moduleId", ${value(creditType.hours)} "hours",
        ${value(creditType.credit)} "credit", ${value(creditType.points)} "points",
        ${value(creditType.volunteerHours)} "volunteer", min(c."occurTime") "occurTime",
        max(c."grantedAt") "grantedAt",
        coalesce(
          string_agg(c."explain" ->> 'text', '；' order by c."clType", c."grantedAt", c."clId") filter (
            where c."clType" in (
              ${sql.lit(creditType.hours)}, ${sql.lit(creditType.credit)}, ${sql.lit(creditType.points)}
            )
          ), ''
        ) "explain", ${allTakenBack('c')} "reversed", bool_or(c."source" = 'REVERSE') "isCorrected"
      from "creditLedger" c
      where c."schoolId" = ${actor.schoolId}
        and c."suId" = any(${suIds}::uuid[])
        and ${filter.lsId ? belowNode(actor.schoolId, filter.lsId) : sql`true`}
      group by c."suId", c."bizId", c."moduleId"
      having ${within(filter)}
      order by c."suId", min(c."occurTime") desc, c."bizId"`.execute(db)
  const texts = await correctionTexts(
    { db, actor },
    rows.filter(({ isCorrected }) => isCorrected),
  )
  return rows.map(({ isCorrected: _, ...row }) => ({ ...row, explain: texts.get(keyOf(row)) ?? row.explain }))
}

/**
 * SQL: what the ledger says now of the record that a row names by `schoolId`, `suId`, `bizId` and `moduleId`, as
 * `hours/credit/points` in hundredths; `0/0/0` where all was taken back.
 */
export const recordSums = (row: string): RawBuilder<string> => sql<string>`(
    select concat_ws('/', ${value(creditType.hours)}, ${value(creditType.credit)}, ${value(creditType.points)})
    from "creditLedger" c
    where c."schoolId" = ${sql.ref(`${row}.schoolId`)}
      and c."suId" = ${sql.ref(`${row}.suId`)}
      and c."bizId" = ${sql.ref(`${row}.bizId`)}
      and c."moduleId" = ${sql.ref(`${row}.moduleId`)}
  )`

type RecordKey = Pick<StatementRow, 'suId' | 'bizId' | 'moduleId'>
const keyOf = ({ suId, bizId, moduleId }: RecordKey): string => `${suId}/${bizId}/${moduleId}`

interface ExplainedEntry extends RecordKey {
  clId: string
  reverseOf: string | null
  source: string
  text: string
}

/**
 * How records were calculated of which something has been taken back: what holds now, and why it is no longer as it
 * was. One statement, none where nothing was corrected.
 */
async function correctionTexts(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  records: readonly RecordKey[],
): Promise<Map<string, string>> {
  if (records.length === 0) return new Map()
  const { rows } = await sql<ExplainedEntry>`
      select c."suId", c."bizId", c."moduleId", c."clId", c."reverseOf", c."source",
        coalesce(c."explain" ->> 'text', '') "text"
      from "creditLedger" c
      where c."schoolId" = ${actor.schoolId}
        and c."suId" = any(${[...new Set(records.map(({ suId }) => suId))]}::uuid[])
        and c."bizId" = any(${[...new Set(records.map(({ bizId }) => bizId))]}::uuid[])
        and c."clType" in (
          ${sql.lit(creditType.hours)}, ${sql.lit(creditType.credit)}, ${sql.lit(creditType.points)}
        )
      order by c."grantedAt", c."source" = 'REVERSE' desc, c."clType", c."clId"`.execute(db)
  const entriesOf = new Map<string, ExplainedEntry[]>()
  for (const row of rows) entriesOf.set(keyOf(row), [...(entriesOf.get(keyOf(row)) ?? []), row])
  return new Map([...entriesOf].map(([key, entries]) => [key, correctionText(entries)]))
}

/** In words what holds of a record's entries, given in the order in which they were granted. */
function correctionText(entries: readonly ExplainedEntry[]): string {
  const reversals = entries.filter(({ source }) => source === 'REVERSE')
  const undone = new Set(reversals.map(({ reverseOf }) => reverseOf))
  const standing = entries.filter(({ clId, source }) => source !== 'REVERSE' && !undone.has(clId))
  const why = reversals.at(-1)?.text ?? ''
  if (standing.length === 0) return why
  const inForce = standing.map(({ text }) => text).join('；')
  return why === '' ? inForce : `现计：${inForce}。此前的计算已不再有效（${why}）`
}

/**
 * The versions of the rules by which the records of students were calculated, ascending: one statement. What a
 * correction took back does not count; entries that no rule was asked for (`ruleVersion` null in their calculation)
 * name none. Versions are those of the rule of a module and level, each with numbers of its own.
 */
export async function ruleVersionsOf(
  { db, actor }: Context,
  suIds: string[],
): Promise<(Pick<StatementRow, 'suId' | 'bizId' | 'moduleId'> & { versions: number[] })[]> {
  const { rows } = await sql<Pick<StatementRow, 'suId' | 'bizId' | 'moduleId'> & { versions: number[] }>`
      select r."suId", r."bizId", r."moduleId", array_agg(r."ruleVersion" order by r."ruleVersion") "versions"
      from (
        select c."suId", c."bizId", c."moduleId", c."ruleVersion"
        from "creditLedger" c
        where c."schoolId" = ${actor.schoolId}
          and c."suId" = any(${suIds}::uuid[])
          and c."clType" in (
            ${sql.lit(creditType.hours)}, ${sql.lit(creditType.credit)}, ${sql.lit(creditType.points)},
            ${sql.lit(creditType.volunteerHours)}
          )
          and (c."explain" -> 'ruleVersion') is distinct from 'null'::jsonb
        group by 1, 2, 3, 4
        having count(*) filter (where c."source" <> 'REVERSE') > count(*) filter (where c."source" = 'REVERSE')
      ) r
      group by 1, 2, 3`.execute(db)
  return rows
}

/** What students have of each ability, in hundredths: one statement. */
export async function abilitiesOf(
  { db, actor }: Context,
  suIds: string[],
  period: Period = {},
): Promise<{ suId: string; sqlId: string; score: number }[]> {
  const rows = await sql<{ suId: string; sqlId: string; score: number }>`
      select r."suId", r."sqlId", sum(r."score")::int "score"
      from (
        select c."suId", c."sqlId", sum(c."clValue") "score"
        from "creditLedger" c
        where c."schoolId" = ${actor.schoolId}
          and c."suId" = any(${suIds}::uuid[])
          and c."clType" = ${sql.lit(creditType.ability)}
        group by c."suId", c."sqlId", c."bizId"
        having ${within(period)}
      ) r
      group by r."suId", r."sqlId"`.execute(db)
  return rows.rows
}

/** Totals of students by module, in hundredths: what a list of students shows of each. `count`: records that stand. */
export async function moduleTotals(
  { db, actor }: Context,
  suIds: string[],
): Promise<{ suId: string; moduleId: string; hours: number; credit: number; count: number }[]> {
  const rows = await sql<{ suId: string; moduleId: string; hours: number; credit: number; count: number }>`
      select r."suId", r."moduleId", sum(r."hours")::int "hours", sum(r."credit")::int "credit",
        count(*) filter (where not r."undone")::int "count"
      from (
        select c."suId", c."moduleId", ${value(creditType.hours)} "hours", ${value(creditType.credit)} "credit",
          ${allTakenBack('c')} "undone"
        from "creditLedger" c
        where c."schoolId" = ${actor.schoolId} and c."suId" = any(${suIds}::uuid[])
        group by c."suId", c."moduleId", c."bizId"
      ) r
      group by r."suId", r."moduleId"`.execute(db)
  return rows.rows
}

/**
 * Hours of students by module, in hundredths, where nothing else is asked: of all entries of a student these are one in
 * five, and only these are read.
 */
export async function moduleHours(
  { db, actor }: Context,
  suIds: string[],
): Promise<{ suId: string; moduleId: string; hours: number }[]> {
  const { rows } = await sql<{ suId: string; moduleId: string; hours: number }>`
      select c."suId", c."moduleId", sum(c."clValue")::int "hours"
      from "creditLedger" c
      where c."schoolId" = ${actor.schoolId}
        and c."suId" = any(${suIds}::uuid[])
        and c."clType" = ${sql.lit(creditType.hours)}
      group by c."suId", c."moduleId"`.execute(db)
  return rows
}

/** What students got in a module from courses, from supplements and otherwise, in hundredths. */
export interface ModuleScore {
  suId: string
  moduleId: string
  /** `LESSON`, `SUP` or `OTHER`; a reversal goes with what it reverses. */
  origin: string
  hours: number
  credit: number
  points: number
}

/** The sums of students' records that occurred in a period, by module and where they come from: one statement. */
export async function moduleScores({ db, actor }: Context, suIds: string[], period: Period): Promise<ModuleScore[]> {
  const { rows } = await sql<ModuleScore>`
      select r."suId",
        r."moduleId",
        case when r."source" in ('LESSON', 'SUP') then r."source" else 'OTHER' end "origin",
        sum(r."hours")::int "hours",
        sum(r."credit")::int "credit",
        sum(r."points")::int "points"
      from (
        select c."suId", c."moduleId",
          (array_agg(c."source" order by c."reverseOf" is not null, c."grantedAt", c."clId"))[1] "source",
          ${value(creditType.hours)} "hours", ${value(creditType.credit)} "credit",
          ${value(creditType.points)} "points"
        from "creditLedger" c
        where c."schoolId" = ${actor.schoolId} and c."suId" = any(${suIds}::uuid[])
        group by c."suId", c."bizId", c."moduleId"
        having ${within(period)}
      ) r
      group by 1, 2, 3`.execute(db)
  return rows
}

/** The moments at which a student earned hours. */
export async function earnedOn(ctx: Context, suId: string): Promise<string[]> {
  const rows = await from(ctx, 'creditLedger')
    .select('occurTime')
    .distinct()
    .where('suId', '=', suId)
    .where('clType', '=', creditType.hours)
    .execute()
  return rows.map(({ occurTime }) => occurTime)
}

/**
 * Hours of students by module, and their volunteer hours under the key `volunteer`; in hundredths. `recent`: hours
 * within a stretch of time. One statement.
 */
export async function hoursByKey(
  { db, actor }: Context,
  suIds: string[],
  stretch: { from: string; to: string } | null,
): Promise<{ suId: string; key: string; value: number; recent: number }[]> {
  const { rows } = await sql<{ suId: string; key: string; value: number; recent: number }>`
      select c."suId",
        case when c."clType" = ${sql.lit(creditType.volunteerHours)} then 'volunteer' else c."moduleId"::text end
        "key",
        sum(c."clValue")::int "value",
        coalesce(
          sum(c."clValue") filter (
            where c."clType" = ${sql.lit(creditType.hours)}
              and c."occurTime" >= ${stretch?.from ?? null}::timestamptz
              and c."occurTime" < ${stretch?.to ?? null}::timestamptz
          ), 0
        )::int "recent"
      from "creditLedger" c
      where c."schoolId" = ${actor.schoolId}
        and c."suId" = any(${suIds}::uuid[])
        and c."clType" in (${sql.lit(creditType.hours)}, ${sql.lit(creditType.volunteerHours)})
      group by 1, 2`.execute(db)
  return rows
}
