import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { studentStatApi } from '../../contract/statistics/student-statistics.calls.ts'
import type { Context } from '../core/context.ts'
import { asPage, offsetOf } from '../core/pages.ts'
import { listOrder } from '../core/sorting.ts'
import { requiredHours } from '../credits/goal.ts'
import { moduleTotals } from '../credits/statement.service.ts'
import { modulesOf } from '../curriculum/modules.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { atPlaces, personsAt } from './places.ts'
import { bandOf, stagesOf } from './student-statistics.queries.ts'

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
  lastTime: string | null
}

const sortable = { suiNumber: 'p.suiNumber', hours: 's.hours', credit: 's.credit', activities: 's.activities', suiCredibility: 's.credibility', lastTime: 's.lastTime' }

/** The students behind the figures, with their hours of every module. `gap`: what is short of the total that graduation asks for. */
export async function studentsDetail(ctx: Context, input: Checked<typeof studentStatApi.detail>): Promise<Output<typeof studentStatApi.detail>> {
  const { stage, band, sex } = input
  const from = sql`from ${personsAt} join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId" where ${atPlaces(ctx, input, '1')}
    and ${stage ? stagesOf(ctx.clock.now())[stage] : sql`true`} and ${band ? sql`${bandOf} = ${band}` : sql`true`} and ${sex ? sql`s."sex" = ${sex}` : sql`true`}`
  const [page, all, modules, { totalHours }] = await Promise.all([
    sql<Row>`select s."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName", coalesce(k."scClassName", '') "className", coalesce(p."suiGrade", '') "grade", s."hours", s."credit", s."activities", s."met", s."credibility" "suiCredibility", s."lastTime",
        (select count(*)::int from "registration" r where r."schoolId" = s."schoolId" and r."suId" = s."suId" and r."delFlag" = '0' and r."laSignStatus" = '5') "absences"
      from (select s."suId" ${from} order by ${listOrder(input, sortable)} nulls last, s."suId" limit ${input.pageSize} offset ${offsetOf(input)}) i
        join "statPerson" s on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = i."suId" join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
        left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId" left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
      order by ${listOrder(input, sortable)} nulls last, s."suId"`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
    modulesOf(ctx),
    schoolSettings(ctx, ctx.actor.schoolId),
  ])
  const totals = await moduleTotals(ctx, page.rows.map(({ suId }) => suId))
  const wanted = requiredHours({ modules, totalHours })
  const opens = ctx.actor.permits.has('student:list')
  const rows = page.rows.map((row) => ({
    ...row,
    hours: fromHundredths(row.hours), credit: fromHundredths(row.credit), gap: fromHundredths(Math.max(0, wanted - row.hours)), opens,
    modules: modules.map(({ lsId, lsName }) => ({ lsId, lsName, hours: fromHundredths(totals.find((one) => one.suId === row.suId && one.moduleId === lsId)?.hours ?? 0) })),
  }))
  return asPage(rows, all.rows[0]!.n, input)
}
