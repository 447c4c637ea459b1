import { sql, type RawBuilder } from 'kysely'
import { creditType } from '../../../contract/core/codes/programme.ts'
import type { Context } from '../../core/request/context.ts'
import { allTakenBack } from '../../programme/credits/ledger.service.ts'
import { during } from './figures.ts'
import { personsAt } from './places.ts'

/**
 * What of students' records is counted: those of a period, of a node of the curriculum with all below it, and of a
 * level.
 */
export interface EarnedFilter {
  startTime?: string | undefined
  endTime?: string | undefined
  lsId?: string | undefined
  llId?: string | undefined
}

export const isNarrowed = ({ startTime, endTime, lsId, llId }: EarnedFilter): boolean =>
  [startTime, endTime, lsId, llId].some((one) => one !== undefined)

/** Courses and supplements that a condition on `o` names, by their ids. */
const sources = (schoolId: string, of: (level: string) => RawBuilder<unknown>) => sql`
    select o."liId"
    from "lesson" o
    where o."schoolId" = ${schoolId} and ${of('o.liLevel')}
    union all
    select o."lisId"
    from "supplement" o
    where o."schoolId" = ${schoolId} and ${of('o.lisLevel')}`

/**
 * The condition on an entry `e` of the ledger that it is of the wanted node and level. A module is what the entry says;
 * what lies below is what its course or supplement says.
 */
function ofSource({ actor: { schoolId } }: Pick<Context, 'actor'>, { lsId, llId }: EarnedFilter): RawBuilder<unknown> {
  const node = sql`(
      e."moduleId" = ${lsId}::uuid
      or e."bizId" in (${sources(
        schoolId,
        () => sql`o."lsPath" @> array[${lsId}::uuid]
        and o."lsPath"[1] <> ${lsId}::uuid`,
      )})
    )`
  const level = sql`e."bizId" in (${sources(schoolId, (column) => sql`${sql.ref(column)} = ${llId}`)})`
  return sql`(${lsId ? node : sql`true`} and ${llId ? level : sql`true`})`
}

/**
 * The entries of the ledger of some students that are wanted. One that corrects another goes with the day of that one
 * (see decision 022).
 * @param whose a condition on `e`, the entry, that names students
 */
function entries(ctx: Pick<Context, 'actor'>, filter: EarnedFilter, whose: RawBuilder<unknown>): RawBuilder<unknown> {
  const wanted = sql`e."schoolId" = ${ctx.actor.schoolId}
    and e."clType" in (${sql.lit(creditType.hours)}, ${sql.lit(creditType.credit)}, ${sql.lit(creditType.points)})
    and ${ofSource(ctx, filter)}
    and ${whose}`
  return sql`
      select e."suId", e."bizId", e."moduleId", e."clType", e."clValue", e."source"
      from "creditLedger" e
      where ${wanted} and e."reverseOf" is null and ${during('e.occurTime', filter)}
      union all
      select e."suId", e."bizId", e."moduleId", e."clType", e."clValue", e."source"
      from "creditLedger" e
      join "creditLedger" c on c."schoolId" = e."schoolId" and c."clId" = e."reverseOf"
      where ${wanted} and e."reverseOf" is not null and ${during('c.occurTime', filter)}`
}

/** What each student earned: the same calculation as the rollups of persons, the entries of one record being netted. */
const sums = (
  ctx: Pick<Context, 'actor'>,
  filter: EarnedFilter,
  whose: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
    select q."suId", sum(q."hours")::int "hours", sum(q."credit")::int "credit",
      (count(*) filter (where q."stands" and q."isLesson"))::int "activities",
      (count(*) filter (where q."stands" and q."isSup" and not q."isLesson"))::int "sups"
    from (
      select r."suId", coalesce(sum(r."clValue") filter (where r."clType" = ${sql.lit(creditType.hours)}), 0) "hours",
        coalesce(sum(r."clValue") filter (where r."clType" = ${sql.lit(creditType.credit)}), 0) "credit",
        bool_or(r."source" = 'LESSON') "isLesson", bool_or(r."source" = 'SUP') "isSup",
        not ${allTakenBack('r')} "stands"
      from (${entries(ctx, filter, whose)}) r
      group by r."suId", r."bizId", r."moduleId"
    ) q
    group by q."suId"`

/**
 * Some persons `s` at places `pl` as {@link personsAt}, with what they earned of what is wanted in place of their
 * totals.
 * `met`, credibility and the like stay as they are today.
 */
export function personsWith(
  ctx: Pick<Context, 'actor'>,
  filter: EarnedFilter,
  suIds: readonly string[],
): RawBuilder<unknown> {
  if (!isNarrowed(filter)) return personsAt
  return sql`(
      select x."schoolId", x."suId", x."plId", x."sex", x."political", x."credibility", x."blackUntil", x."enterDate",
        x."lastTime", x."met", coalesce(e."hours", 0) "hours", coalesce(e."credit", 0) "credit",
        coalesce(e."activities", 0) "activities", coalesce(e."sups", 0) "sups"
      from "statPerson" x
      left join (${sums(ctx, filter, sql`e."suId" = any(${suIds}::uuid[])`)}) e on e."suId" = x."suId"
      where x."schoolId" = ${ctx.actor.schoolId} and x."suId" = any(${suIds}::uuid[])
    ) s
    join "statPlace" pl on pl."schoolId" = s."schoolId" and pl."plId" = s."plId"`
}

/** Hours of some persons by module, of what is wanted. */
export async function hoursByModule(
  ctx: Pick<Context, 'db' | 'actor'>,
  filter: EarnedFilter,
  suIds: readonly string[],
): Promise<{ suId: string; moduleId: string; hours: number }[]> {
  const { rows } = await sql<{
    suId: string
    moduleId: string
    hours: number
  }>`
    select r."suId", r."moduleId", sum(r."clValue")::int "hours"
    from (${entries(ctx, filter, sql`e."suId" = any(${suIds}::uuid[])`)}) r
    where r."clType" = ${sql.lit(creditType.hours)}
    group by 1, 2`.execute(ctx.db)
  return rows
}
