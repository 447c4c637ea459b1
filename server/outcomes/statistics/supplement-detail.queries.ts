import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type {
  supplementStages,
  supplementStatApi,
} from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import type { Context } from '../../core/request/context.ts'
import { decided, grantedHours } from './earned-rollup.ts'
import { handedIn, inStage } from './supplement-statistics.queries.ts'

type Row = Omit<Output<typeof supplementStatApi.detail>['records'][number], 'hours' | 'opens' | 'opensStudent'> & {
  hundredths: number
}

type DetailFilter = Omit<Checked<typeof supplementStatApi.detail>, 'current' | 'pageSize'>

/** The records that a card counts, or over which it is calculated. */
const atStage = (ctx: Context, input: DetailFilter, stage: (typeof supplementStages)[number][0]): RawBuilder<boolean> =>
  stage === 'twice'
    ? sql<boolean>`s."lisId" in (
        select q."lisId"
        from (
          select s."lisId", count(*) over (partition by s."suId", s."lisName", s."lisLevel", s."lisAward") "same"
          from ${handedIn(ctx, input)}
        ) q
        where q."same" > 1
      )`
    : stage === 'decided'
      ? sql<boolean>`exists (
          select
          from "approval" x
          where x."schoolId" = s."schoolId" and x."bizId" = s."lisId" and ${decided}
        )`
      : inStage(stage)

const matching = (ctx: Context, input: DetailFilter): RawBuilder<unknown> =>
  sql`from ${handedIn(ctx, input)}
      and ${input.stage ? atStage(ctx, input, input.stage) : sql`true`}
      and
      ${
        input.refuseReason
          ? sql`(
          s."lisStatus" = ${sql.lit(supplementStatus.refused)} and s."refuseReason" = ${input.refuseReason}
        )`
          : sql`true`
      }
      and ${input.lisType ? sql`s."lisType" = ${input.lisType}` : sql`true`}`

async function rowsOf(
  { db, actor }: Context,
  from: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<Output<typeof supplementStatApi.detail>['records']> {
  const { rows } = await sql<Row>`
      select s."lisId", s."lisName", s."suId", p."suiName", p."suiNumber", s."lisType", s."lisStatus", s."lisAward",
        s."lisOrg", s."createTime",
        case when ${inStage('granted')} then ${grantedHours('s')} else s."lisHours" end "hundredths",
        coalesce(
          (select o."scName" from "college" o where o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"), ''
        ) "collegeName",
        coalesce(
          (
            select k."scClassName"
            from "schoolClass" k
            where k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
          ), ''
        ) "className",
        (select v."llName" from "lessonLevel" v where v."schoolId" = s."schoolId" and v."llId" = s."lisLevel")
        "levelName",
        (
          select string_agg(c."lsName", ' / ' order by n."at")
          from unnest(s."lsPath") with ordinality n("id", "at")
          join "curriculum" c on c."schoolId" = s."schoolId" and c."lsId" = n."id"
        ) "lsName" ${from}
      order by ${order}
      limit ${limit}
      offset ${offset}`.execute(db)
  const [opens, opensStudent] = [actor.permits.has('sup:list'), actor.permits.has('student:list')]
  return rows.map(({ hundredths, ...row }) => ({ ...row, hours: fromHundredths(hundredths), opens, opensStudent }))
}

/** The records behind the figures, the latest first unless the earliest are asked for. */
export async function supplementsDetail(
  ctx: Context,
  input: Checked<typeof supplementStatApi.detail>,
): Promise<Output<typeof supplementStatApi.detail>> {
  const from = matching(ctx, input)
  const [rows, all] = await Promise.all([
    rowsOf(
      ctx,
      from,
      sql`${listOrder(input, { createTime: 's.createTime' }, 'desc')}, s."lisId"`,
      input.pageSize,
      offsetOf(input),
    ),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  return asPage(rows, all.rows[0]!.n, input)
}

/** The next ones after an id, for the export. */
export const supplementsAfter = (ctx: Context, filter: DetailFilter, last: string | undefined, limit: number) =>
  rowsOf(
    ctx,
    sql`${matching(ctx, filter)} and ${last === undefined ? sql`true` : sql`s."lisId" > ${last}::uuid`}`,
    sql`s."lisId"`,
    limit,
    0,
  )
