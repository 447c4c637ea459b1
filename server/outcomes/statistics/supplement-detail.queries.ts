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
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { decided, grantedHours } from './earned-rollup.ts'
import { statusOf, typeOf } from './earned-format.ts'
import { eachSupplement, supplementsAsked } from './supplement-columns.ts'
import { inStage, isOfStage } from './supplement-stages.ts'
import { handedIn } from './supplement-statistics.queries.ts'

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
  const [rows, all] = await together(
    rowsOf(
      ctx,
      from,
      sql`${listOrder(input, { createTime: 's.createTime' }, 'desc')}, s."lisId"`,
      input.pageSize,
      offsetOf(input),
    ),
    countOf(ctx, input, from),
  )
  // the rows are of now, and the columns of some seconds ago: no page tells of fewer than it shows
  const upToHere = offsetOf(input) + rows.length
  const total = rows.length === 0 ? all : rows.length < input.pageSize ? upToHere : Math.max(all, upToHere)
  return asPage(rows, total, input)
}

/**
 * How many records were handed in that fit, of one kind or of all: by what the columns hold, from which the cards are
 * counted too.
 */
async function countHandedIn(ctx: Context, { stage, lisType, ...input }: DetailFilter): Promise<number> {
  const asked = await supplementsAsked(ctx, input)
  const { codes, decided, same } = asked.columns.records.columns
  const type = lisType === undefined ? undefined : Number(lisType)
  const isOfType = (row: number): boolean => type === undefined || typeOf(codes[row]!) === type
  let count = 0
  if (stage === 'twice') {
    /** Of a student, by the number that alike records share: how many there are, and how many of the wanted kind. */
    const alike = new Map<number, { all: number; wanted: number }>()
    const add = (row: number): void => {
      if (same[row] === 0) return
      const { all, wanted } = alike.get(same[row]!) ?? { all: 0, wanted: 0 }
      alike.set(same[row]!, { all: all + 1, wanted: wanted + Number(isOfType(row)) })
    }
    eachSupplement(asked, input, add, () => {
      for (const { all, wanted } of alike.values()) if (all > 1) count += wanted
      alike.clear()
    })
    return count
  }
  eachSupplement(asked, input, (row) => {
    if (!isOfType(row)) return
    if (stage === undefined || (stage === 'decided' ? decided[row]! > 0 : isOfStage(stage, statusOf(codes[row]!))))
      count++
  })
  return count
}

/** How many there are. Reasons of refusal stand in no column: those who have one are counted in the database. */
async function countOf(ctx: Context, input: DetailFilter, from: RawBuilder<unknown>): Promise<number> {
  if (!input.refuseReason) return countHandedIn(ctx, input)
  const { rows } = await sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db)
  return rows[0]!.n
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
