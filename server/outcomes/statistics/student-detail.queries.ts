import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { signStatus } from '../../../contract/core/codes/programme.ts'
import { personSex } from '../../../contract/core/codes/school.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { requiredHours } from '../../programme/credits/goal.ts'
import { moduleTotals } from '../../programme/credits/statement.service.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { isMember } from './circles-counted.ts'
import { hoursByModule, isNarrowed, personsWith } from './earned.ts'
import { atPlaces } from './places.ts'
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

/** Those that the asking person may see and that fit, as `s` and `p`. */
async function matching(
  ctx: Context,
  input: Filter,
  more: RawBuilder<unknown> = sql`true`,
): Promise<RawBuilder<unknown>> {
  const { stage, band, creditBand, sex } = input
  const at =
    stage === undefined
      ? sql`true`
      : stage === 'counted'
        ? ((await inMeans(ctx)) ?? sql`true`)
        : stage === 'circle'
          ? isMember(ctx, {})
          : stagesOf(ctx.clock.now())[stage]
  return sql`from ${personsWith(ctx, input)}
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where ${atPlaces(ctx, input, '1')}
      and ${at}
      and ${band ? sql`${bandOf} = ${band}` : sql`true`}
      and ${creditBand ? sql`${creditBandOf} = ${creditBand}` : sql`true`}
      and
      ${
        sex === 'unknown'
          ? sql`s."sex" not in (${sql.lit(personSex.male)}, ${sql.lit(personSex.female)})`
          : sex
            ? sql`s."sex"
        = ${sex}`
            : sql`true`
      }
      and ${more}`
}

/**
 * Rows with their hours of every module, of the records that the filter leaves. `gap`: what all hours so far are short
 * of the total that graduation asks for. Who is on the page is found first: unless the filter or the order asks for it,
 * nobody else's records are read.
 */
async function rowsOf(
  ctx: Context,
  filter: Filter,
  from: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<Output<typeof studentStatApi.detail>['records']> {
  const suIds = (
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
    isNarrowed(filter) ? hoursByModule(ctx, filter, suIds) : moduleTotals(ctx, suIds),
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
  const from = await matching(ctx, input)
  const [rows, all] = await Promise.all([
    rowsOf(ctx, input, from, sql`${listOrder(input, sortable)} nulls last, s."suId"`, input.pageSize, offsetOf(input)),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  return asPage(rows, all.rows[0]!.n, input)
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
