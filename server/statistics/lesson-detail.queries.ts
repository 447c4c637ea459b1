import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { lessonStatApi } from '../../contract/statistics/lesson-statistics.calls.ts'
import type { Context } from '../core/context.ts'
import { asPage, offsetOf } from '../core/pages.ts'
import { listOrder } from '../core/sorting.ts'
import { percent, ratio } from './figures.ts'
import { publishedLessons, stages, starCount, starSum } from './published.ts'

interface Row {
  liId: string
  liName: string
  lsName: string
  levelName: string
  liSponsorName: string
  liPrincipalName: string
  liStatus: string
  applied: number
  passed: number
  signed: number
  qualified: number
  hours: number
  stars: number
  starTimes: number
  publishTime: string
}

const sortable = { publishTime: 'l.publishTime', applied: 't.applied', passed: 't.passed', signed: 't.signed', hours: 't.hours' }

/** The courses behind the figures of publication, the latest first. */
export async function lessonsDetail(ctx: Context, input: Checked<typeof lessonStatApi.detail>): Promise<Output<typeof lessonStatApi.detail>> {
  const { stage } = input
  const at = stage === undefined ? sql`true` : stage === 'rated' ? sql`${starCount} > 0` : sql`l."liStatus" = any(${stages[stage] as unknown as string[]}::text[])`
  const from = sql`from ${publishedLessons(ctx, input)} and ${at}`
  const [page, all] = await Promise.all([
    sql<Row>`select l."liId", l."liName", l."liStatus", l."liSponsorName", l."liPrincipalName", l."publishTime", t."applied", t."passed", t."signed", t."qualified", t."hours", ${starSum} "stars", ${starCount} "starTimes",
        (select v."llName" from "lessonLevel" v where v."schoolId" = l."schoolId" and v."llId" = l."liLevel") "levelName",
        (select string_agg(c."lsName", ' / ' order by p."at") from unnest(l."lsPath") with ordinality p("id", "at") join "curriculum" c on c."schoolId" = l."schoolId" and c."lsId" = p."id") "lsName"
      ${from} order by ${listOrder(input, sortable, input.order ?? 'desc')}, l."liId" limit ${input.pageSize} offset ${offsetOf(input)}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  const opens = ctx.actor.permits.has('lesson:list')
  const rows = page.rows.map(({ stars, starTimes, hours, ...row }) => ({ ...row, hours: fromHundredths(hours), signRate: percent(row.signed, row.passed), rating: ratio(stars, starTimes), opens }))
  return asPage(rows, all.rows[0]!.n, input)
}
