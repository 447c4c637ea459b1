import { sql } from 'kysely'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { recordset } from '../../core/database/bulk.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import type { CappedKind, Entitlement, Limits } from './rules.ts'

/** A record about to be credited. */
interface Credited {
  schoolId: string
  lsPath: readonly string[]
  /** The rule it is rated by. */
  esId: string | null
  /** When it was earned, wall-clock. */
  occurTime: string
  /** What the school caps wherever it comes from: activities of clubs, lectures, posts held. */
  kinds: readonly CappedKind[]
}

/** A cap on hours: within a curriculum node (null: within all modules but the free ones) and a period. */
interface Cap {
  name: string
  lsId: string | null
  from: string | null
  to: string | null
  max: number
  /** The school's cap of a term: above it a student may have been granted more. */
  mayRise?: boolean
}

/**
 * What each student has already that keeps a record from counting in full: the best of the rule's group, and the room
 * that the caps of the curriculum, the rule and the school leave. The students are held until the transaction ends, so
 * that two records credited at once cannot both use the same room. No entry where nothing limits.
 */
export async function limitsFor(
  ctx: Pick<PublicContext, 'db'>,
  record: Credited,
  suIds: readonly string[],
): Promise<Map<string, Limits>> {
  const { caps, group, freeModules, creditCaps } = await capsOf(ctx, record)
  if (suIds.length === 0 || (caps.length === 0 && !group && record.kinds.length === 0)) return new Map()
  await sql`
    select
    from "person"
    where "schoolId" = ${record.schoolId} and "suId" = any(${suIds}::uuid[])
    order by "suId"
    for no key
    update`.execute(ctx.db)
  const [used, best, credits, raised] = await Promise.all([
    usedUnder(ctx, record.schoolId, caps, freeModules, suIds),
    group ? bestOf(ctx, record.schoolId, group, suIds) : new Map<string, Entitlement>(),
    creditsUsed(ctx, record.schoolId, creditCaps, suIds),
    caps.some(({ mayRise }) => mayRise) ? raisedBy(ctx, record, suIds) : new Map<string, number>(),
  ])
  return new Map(
    suIds.map((suId) => [
      suId,
      {
        best: group ? { group, had: best.get(suId) ?? { hours: 0, credit: 0, points: 0 } } : undefined,
        rooms: caps.map(({ name, max, mayRise }, at) => ({
          name,
          left: max + (mayRise ? (raised.get(suId) ?? 0) : 0) - (used.get(`${suId}/${at}`) ?? 0),
        })),
        creditRooms: creditCaps.map(({ kind, name, max }) => ({
          name,
          left: max - (credits.get(`${suId}/${kind}`) ?? 0),
        })),
        kinds: record.kinds,
      },
    ]),
  )
}

interface NodeCaps {
  lsId: string
  lsName: string
  lsCode: string
  maxHours: number | null
  termCap: number | null
}

/** A cap on the credit of all records of a kind. */
interface CreditCap {
  kind: CappedKind
  name: string
  max: number
}

async function capsOf(
  ctx: Pick<PublicContext, 'db'>,
  { schoolId, lsPath, esId, occurTime, kinds }: Credited,
): Promise<{ caps: Cap[]; group: string; freeModules: string[]; creditCaps: CreditCap[] }> {
  const settings = await schoolSettings(ctx, schoolId)
  const { rows: nodes } = await sql<NodeCaps>`
      select "lsId", "lsName", "lsCode", "maxHours", "termCap"
      from "curriculum"
      where "schoolId" = ${schoolId} and ("lsId" = any(${lsPath}::uuid[]) or "lsPid" is null)
      order by cardinality("lsPath")`.execute(ctx.db)
  const rule = esId
    ? await from({ db: ctx.db, schoolId }, 'evaluation')
        .select(['lsId', 'bestOnlyGroup', 'yearCap'])
        .where('esId', '=', esId)
        .executeTakeFirst()
    : undefined
  const freeModules = nodes.filter(({ lsCode }) => settings.termCapFree.includes(lsCode)).map(({ lsId }) => lsId)
  const own = nodes.filter(({ lsId }) => lsPath.includes(lsId))
  const { tmStart, tmEnd } = await termOf(ctx, schoolId, occurTime)
  const term = { from: dayStart(tmStart), to: dayEnd(tmEnd) }
  const caps: Cap[] = own.flatMap(({ lsId, lsName, maxHours, termCap }) => [
    ...(maxHours === null ? [] : [{ name: `“${lsName}”累计`, lsId, from: null, to: null, max: maxHours }]),
    ...(termCap === null ? [] : [{ name: `“${lsName}”本学期`, lsId, ...term, max: termCap }]),
  ])
  if (rule && rule.yearCap !== null)
    caps.push({ name: '本学年', lsId: rule.lsId, ...schoolYearOf(occurTime, settings.autumnStart), max: rule.yearCap })
  if (settings.termCapHours > 0 && !freeModules.includes(lsPath[0]!))
    caps.push({ name: '本学期', lsId: null, ...term, max: settings.termCapHours, mayRise: true })
  const ofKinds: CreditCap[] = [
    { kind: 'club', name: '社团活动累计', max: settings.clubCreditCap },
    { kind: 'lecture', name: '讲座累计', max: settings.lectureCreditCap },
  ]
  const year = schoolYearOf(occurTime, settings.autumnStart)
  // where two posts of a school year do not add up, they are a group of which the best counts
  const office =
    kinds.includes('office') && !settings.dualOffice ? `${year.from.slice(0, 4)}—${year.to.slice(0, 4)} 学年任职` : ''
  return {
    caps,
    group: (settings.bestOnly ? rule?.bestOnlyGroup : '') || office,
    freeModules,
    creditCaps: ofKinds.filter(({ kind, max }) => max > 0 && kinds.includes(kind)),
  }
}

/** The school year of a moment: from one start of the autumn term (`MM-dd`) to the day before the next. */
export function schoolYearOf(moment: string, autumnStart: string): { from: string; to: string } {
  const year = Number(moment.slice(0, 4)) - (dayOf(moment).slice(5) < autumnStart ? 1 : 0)
  return { from: dayStart(`${year}-${autumnStart}`), to: dayEnd(addDays(`${year + 1}-${autumnStart}`, -1)) }
}

/** Hours that students have under each cap, by `student/position of the cap`: one statement. */
async function usedUnder(
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  caps: readonly Cap[],
  freeModules: readonly string[],
  suIds: readonly string[],
): Promise<Map<string, number>> {
  if (caps.length === 0) return new Map()
  const listed = caps.map(({ lsId, from, to }, at) => ({ at, lsId, from, to }))
  const { rows } = await sql<{ suId: string; at: number; hours: number }>`
      select c."suId", r."at", sum(c."clValue")::int "hours"
      from ${recordset(listed, { at: 'int', lsId: 'uuid', from: 'timestamptz', to: 'timestamptz' })}
      join "creditLedger" c
        on c."schoolId" = ${schoolId}
        and c."suId" = any(${suIds}::uuid[])
        and c."clType" = ${sql.lit(creditType.hours)}
        and (r."from" is null or c."occurTime" >= r."from")
        and (r."to" is null or c."occurTime" <= r."to")
        and case
          when r."lsId" is null then c."moduleId" <> all(${freeModules}::uuid[])
          else c."lsId" in (
            select n."lsId"
            from "curriculum" n
            where n."schoolId" = ${schoolId} and n."lsPath" @> array[r."lsId"]
          )
        end
      group by c."suId", r."at"`.execute(db)
  return new Map(rows.map(({ suId, at, hours }) => [`${suId}/${at}`, hours]))
}

/** Hours that students were granted above the cap of the term in which a record was earned. */
async function raisedBy(
  { db }: Pick<PublicContext, 'db'>,
  { schoolId, occurTime }: Credited,
  suIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ suId: string; hours: number }>`
    select "suId", sum("hours")::int "hours"
    from "overCap"
    where "schoolId" = ${schoolId}
      and "suId" = any(${suIds}::uuid[])
      and ${dayOf(occurTime)}::date between "tmStart" and "tmEnd"
    group by "suId"`.execute(db)
  return new Map(rows.map(({ suId, hours }) => [suId, hours]))
}

/** Credit that students have of each capped kind, by `student/kind`. */
async function creditsUsed(
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  caps: readonly CreditCap[],
  suIds: readonly string[],
): Promise<Map<string, number>> {
  if (caps.length === 0) return new Map()
  const { rows } = await sql<{ suId: string; kind: string; credit: number }>`
      select c."suId", r."kind", sum(c."clValue")::int "credit"
      from
      ${recordset(
        caps.map(({ kind }) => ({ kind })),
        { kind: 'text' },
      )}
      join "creditLedger" c on c."schoolId" = ${schoolId}
        and c."suId" = any(${suIds}::uuid[])
        and c."clType" = ${sql.lit(creditType.credit)}
        and c."explain" -> 'kinds' @> to_jsonb(r."kind")
      group by c."suId", r."kind"`.execute(db)
  return new Map(rows.map(({ suId, kind, credit }) => [`${suId}/${kind}`, credit]))
}

/** What students have in a group so far; only differences to the best were ever granted, so the sum is the best. */
async function bestOf(
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  group: string,
  suIds: readonly string[],
): Promise<Map<string, Entitlement>> {
  const { rows } = await sql<Entitlement & { suId: string }>`
      select "suId", coalesce(sum("clValue") filter (where "clType" = ${sql.lit(creditType.hours)}), 0)::int "hours",
        coalesce(sum("clValue") filter (where "clType" = ${sql.lit(creditType.credit)}), 0)::int "credit",
        coalesce(sum("clValue") filter (where "clType" = ${sql.lit(creditType.points)}), 0)::int "points"
      from "creditLedger"
      where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[]) and "explain" ->> 'bestGroup' = ${group}
      group by "suId"`.execute(db)
  return new Map(rows.map(({ suId, ...had }) => [suId, had]))
}
