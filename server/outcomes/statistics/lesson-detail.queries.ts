import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { percent, ratio } from './figures.ts'
import { begun, organiserOf, publishedLessons, stages, starCount, starSum } from './published.ts'

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
  granted: number
  hours: number
  stars: number
  starTimes: number
  publishTime: string
}

const sortable = {
  publishTime: 'l.publishTime',
  applied: 't.applied',
  passed: 't.passed',
  signed: 't.signed',
  qualified: 't.qualified',
  granted: 't.granted',
  hours: 't.hours',
}

/** The courses that a card counts, or over which it is calculated. */
function atStage(
  { clock }: Context,
  stage: NonNullable<Checked<typeof lessonStatApi.detail>['stage']>,
): RawBuilder<boolean> {
  switch (stage) {
    case 'begun':
      return begun(clock.now())
    case 'granted':
      return sql<boolean>`t."granted" > 0`
    case 'rated':
      return sql<boolean>`${starCount} > 0`
    case 'decided':
      return sql<boolean>`t."decided" > 0`
    case 'first':
      return sql<boolean>`t."firstPass"`
    case 'again':
      return sql<boolean>`not t."firstPass"`
    default:
      return sql<boolean>`l."liStatus" = any(${stages[stage] as unknown as string[]}::text[])`
  }
}

/** The courses behind the figures of publication, the latest first. */
export async function lessonsDetail(
  ctx: Context,
  input: Checked<typeof lessonStatApi.detail>,
): Promise<Output<typeof lessonStatApi.detail>> {
  const { stage, organiser, star } = input
  const from = sql`from ${publishedLessons(ctx, input)}
      and ${stage ? atStage(ctx, stage) : sql`true`}
      and ${organiser ? sql`${organiserOf} = ${organiser}` : sql`true`}
      and ${star ? sql`t."stars"[${sql.lit(Number(star))}] > 0` : sql`true`}`
  const [page, all] = await Promise.all([
    sql<Row>`
      select l."liId", l."liName", l."liStatus", l."liSponsorName", l."liPrincipalName", l."publishTime", t."applied",
        t."passed", t."signed", t."qualified", t."granted", t."hours", ${starSum} "stars", ${starCount} "starTimes",
        (select v."llName" from "lessonLevel" v where v."schoolId" = l."schoolId" and v."llId" = l."liLevel")
        "levelName",
        (
          select string_agg(c."lsName", ' / ' order by p."at")
          from unnest(l."lsPath") with ordinality p("id", "at")
          join "curriculum" c on c."schoolId" = l."schoolId" and c."lsId" = p."id"
        ) "lsName" ${from}
      order by ${listOrder(input, sortable, input.order ?? 'desc')}, l."liId"
      limit ${input.pageSize}
      offset ${offsetOf(input)}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  const opens = ctx.actor.permits.has('lesson:list')
  const rows = page.rows.map(({ stars, starTimes, hours, ...row }) => ({
    ...row,
    hours: fromHundredths(hours),
    signRate: percent(row.signed, row.passed),
    rating: ratio(stars, starTimes),
    opens,
  }))
  return asPage(rows, all.rows[0]!.n, input)
}
