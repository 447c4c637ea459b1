import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { signStatus } from '../../../contract/core/codes/programme.ts'
import { personSex } from '../../../contract/core/codes/school.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { creditBands, type studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { requiredHours } from '../../programme/credits/goal.ts'
import { moduleHours } from '../../programme/credits/statement.service.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { isMember } from './circles-counted.ts'
import { hoursByModule, isNarrowed, personsWith } from './earned.ts'
import { sumsOf } from './earned-sums.ts'
import { eachPerson, peopleAsked } from './people-asked.ts'
import { atPlaces, personsAt } from './places.ts'
import { bandAt } from './student-figures.ts'
import { bandOf, creditBandOf, inMeans, stagesOf } from './student-statistics.queries.ts'

interface Row {
  suId: string
  suiName: string
  suiNumber: string
  collegeName: string
  className: string
  grade: string
  hours: number
  credit: number
  activities: number
  met: boolean
  suiCredibility: number
  absences: number
  warnLevel: string
  lastTime: string | null
  allHours: number
}

const sortable = {
  suiNumber: 'p.suiNumber',
  hours: 's.hours',
  credit: 's.credit',
  activities: 's.activities',
  suiCredibility: 's.credibility',
  lastTime: 's.lastTime',
}

type Filter = Omit<Checked<typeof studentStatApi.detail>, 'current' | 'pageSize'>

/** Those that fit: as `s` and `p`, or in their order where that is by what they earned. */
interface Found {
  from: RawBuilder<unknown>
  sorted?: string[]
  /** How many they are, where that needs no counting in the database. */
  total?: number
}

/** What is asked of the persons `s` whatever they earned in a period. */
function personConditions({ stage, band, sex }: Filter, now: string): RawBuilder<unknown>[] {
  const { met, unmet, black } = stagesOf(now)
  return [
    ...(stage === 'met' || stage === 'unmet' || stage === 'black' ? [{ met, unmet, black }[stage]] : []),
    ...(band ? [sql`${bandOf} = ${band}`] : []),
    ...(sex === 'unknown'
      ? [sql`s."sex" not in (${sql.lit(personSex.male)}, ${sql.lit(personSex.female)})`]
      : sex
        ? [sql`s."sex" = ${sex}`]
        : []),
  ]
}

/** Columns of the list by which it can be ordered and that hang on the period. */
const earnedOrders = { hours: 'hours', credit: 'credit', activities: 'activities' } as const
const isByEarned = (sort: Filter['sort']): sort is keyof typeof earnedOrders =>
  sort !== undefined && sort in earnedOrders

/** Whether it hangs on what somebody earned in the period who is on the list, or where. */
const asksForEarned = ({ stage, creditBand, sort }: Filter): boolean =>
  creditBand !== undefined || stage === 'recorded' || stage === 'none' || stage === 'zero' || isByEarned(sort)

/** Those that the asking person may see and that fit. */
async function matching(ctx: Context, input: Filter, more: RawBuilder<unknown> = sql`true`): Promise<Found> {
  const { stage, creditBand, sort } = input
  const own = [
    ...personConditions(input, ctx.clock.now()),
    ...(stage === 'counted' ? [(await inMeans(ctx)) ?? sql`true`] : []),
    ...(stage === 'circle' ? [isMember(ctx, {})] : []),
  ]
  const from = (conditions: RawBuilder<unknown>[]) => sql`from ${personsAt}
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where ${sql.join([atPlaces(ctx, input, '1'), ...conditions, more], sql` and `)}`
  if (!isNarrowed(input)) {
    const { recorded, none, zero } = stagesOf(ctx.clock.now())
    const earned = stage === 'recorded' || stage === 'none' || stage === 'zero' ? [{ recorded, none, zero }[stage]] : []
    const all = [...own, ...earned, ...(creditBand ? [sql`${creditBandOf} = ${creditBand}`] : [])]
    return all.length > 0 ? { from: from(all) } : { from: from([]), total: await peopleCount(ctx, input) }
  }
  if (!asksForEarned(input))
    return own.length > 0 ? { from: from(own) } : { from: from([]), total: await peopleCount(ctx, input) }
  const suIds = await whoEarned(ctx, input)
  const found = from([...own, sql`s."suId" = any(${suIds}::uuid[])`])
  if (!isByEarned(sort)) return own.length > 0 ? { from: found } : { from: found, total: suIds.length }
  if (own.length === 0) return { from: found, sorted: suIds, total: suIds.length }
  const { rows } = await sql<{ suId: string }>`select s."suId" ${found}`.execute(ctx.db)
  const left = new Set(rows.map(({ suId }) => suId))
  const sorted = suIds.filter((suId) => left.has(suId))
  return { from: found, sorted, total: sorted.length }
}

/** How many students there are at the wanted places. */
async function peopleCount(ctx: Context, filter: Filter): Promise<number> {
  const asked = await peopleAsked(ctx, filter)
  let people = 0
  eachPerson(asked, () => people++)
  return people
}

/** Whom the filter leaves by place and by what they earned, in the order of that where it is asked for. */
async function whoEarned(ctx: Context, { stage, creditBand, sort, order, ...filter }: Filter): Promise<string[]> {
  const asked = await peopleAsked(ctx, filter)
  const earned = sumsOf(asked.columns, filter)
  const found: { suId: string; by: number }[] = []
  eachPerson(asked, (person) => {
    const sums = earned(person)
    const isRecorded = sums.activities + sums.sups > 0
    if (stage === 'recorded' && !isRecorded) return
    if (stage === 'none' && isRecorded) return
    if (stage === 'zero' && sums.hours > 0) return
    if (creditBand && creditBands[bandAt(creditBands, sums.credit)]![0] !== creditBand) return
    found.push({ suId: asked.columns.suIds[person]!, by: isByEarned(sort) ? sums[earnedOrders[sort]] : 0 })
  })
  const way = order === 'desc' ? -1 : 1
  if (isByEarned(sort)) found.sort((a, b) => way * (a.by - b.by) || (a.suId < b.suId ? -1 : 1))
  return found.map(({ suId }) => suId)
}

/**
 * Rows with their hours of every module, of the records that the filter leaves. `gap`: what all hours so far are short
 * of the total that graduation asks for. Who is on the page is found first: unless the filter or the order asks for it,
 * nobody else's records are read.
 */
async function rowsOf(
  ctx: Context,
  filter: Filter,
  { from, sorted }: Found,
  order: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<Output<typeof studentStatApi.detail>['records']> {
  const suIds =
    sorted?.slice(offset, offset + limit) ??
    (
      await sql<{ suId: string }>`select s."suId" ${from} order by ${order} limit ${limit} offset ${offset}`.execute(
        ctx.db,
      )
    ).rows.map(({ suId }) => suId)
  const [page, modules, { totalHours }, own] = await Promise.all([
    sql<Row>`
      select s."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName",
        coalesce(k."scClassName", '') "className", coalesce(p."suiGrade", '') "grade", s."hours", s."credit",
        s."activities", s."met", s."credibility" "suiCredibility", s."lastTime", p."warnLevel", t."hours" "allHours",
        (
          select count(*)::int
          from "registration" r
          where r."schoolId" = s."schoolId"
            and r."suId" = s."suId"
            and r."delFlag" = '0'
            and r."laSignStatus" = ${sql.lit(signStatus.absent)}
        ) "absences"
      from ${personsWith(ctx, filter, suIds)}
      join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
      join "statPerson" t on t."schoolId" = s."schoolId" and t."suId" = s."suId"
      left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
      left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
      where s."schoolId" = ${ctx.actor.schoolId} and s."suId" = any(${suIds}::uuid[])
      order by ${order}`.execute(ctx.db),
    modulesOf(ctx),
    schoolSettings(ctx, ctx.actor.schoolId),
    isNarrowed(filter) ? hoursByModule(ctx, filter, suIds) : moduleHours(ctx, suIds),
  ])
  const totals = new Map(own.map((one) => [`${one.suId}/${one.moduleId}`, one.hours]))
  const wanted = requiredHours({ modules, totalHours })
  const opens = ctx.actor.permits.has('student:list')
  return page.rows.map(({ allHours, ...row }) => ({
    ...row,
    hours: fromHundredths(row.hours),
    credit: fromHundredths(row.credit),
    gap: fromHundredths(Math.max(0, wanted - allHours)),
    opens,
    modules: modules.map(({ lsId, lsName }) => ({
      lsId,
      lsName,
      hours: fromHundredths(totals.get(`${row.suId}/${lsId}`) ?? 0),
    })),
  }))
}

/** The students behind the figures. */
export async function studentsDetail(
  ctx: Context,
  input: Checked<typeof studentStatApi.detail>,
): Promise<Output<typeof studentStatApi.detail>> {
  const found = await matching(ctx, input)
  const [rows, all] = await Promise.all([
    rowsOf(ctx, input, found, sql`${listOrder(input, sortable)} nulls last, s."suId"`, input.pageSize, offsetOf(input)),
    found.total ??
      sql<{ n: number }>`select count(*)::int "n" ${found.from}`.execute(ctx.db).then((counted) => counted.rows[0]!.n),
  ])
  return asPage(rows, all, input)
}

/** The next ones after a number, for the export. */
export const studentsAfter = async (ctx: Context, filter: Filter, last: string | undefined, limit: number) =>
  rowsOf(
    ctx,
    filter,
    await matching(ctx, filter, last === undefined ? sql`true` : sql`p."suiNumber" > ${last}`),
    sql`p."suiNumber"`,
    limit,
    0,
  )
