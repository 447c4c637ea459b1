import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { countedRows } from '../../../contract/core/paging.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { gather, type Gathered } from '../../core/database/gather.ts'
import {
  countOf,
  nearerStretch,
  offsetOf,
  titleContains,
  titleHolds,
  type Stretch,
} from '../../core/database/paging.ts'
import { sortOf } from '../../core/database/sorting.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { countByKind } from './supplement-counts.queries.ts'
import { fittingSupplements } from './supplement-filters.queries.ts'
import { supplementsAlone, visibleSupplementParts, visibleSupplements } from './supplements.queries.ts'

type Input = Checked<typeof supplementApi.list>

const sortable = {
  createTime: 'supplement.createTime',
  lisObtainDate: 'supplement.lisObtainDate',
  lisName: 'supplement.lisName',
  suiNumber: 'person.suiNumber',
  lisHours: 'supplement.lisHours',
  lisPublictyEdate: 'supplement.lisPublictyEdate',
}

/**
 * Finds a page of the list, by the way that fits what is asked for (decision 004):
 *
 * - all records, or those of a kind or period: the page is walked to in an index in the order of the list, and the
 * number
 *   comes from what is kept by kind, or from an index. Exact.
 * - those of some students, or of what a person may see: gathered once, counted and sorted. Exact.
 * - those with a text: likewise; of a frequent word no more than `countedRows` are counted, and the page is walked to.
 */
export async function pageOfSupplements(ctx: Context, input: Input): Promise<Gathered> {
  const { suiName, suiNumber, lisName, lisAward, certNo, collegeId, mySup } = input
  if (lisName || lisAward || certNo) return pageByText(ctx, input)
  if (!ctx.scope.whole || suiName || suiNumber || collegeId || mySup) return gathered(ctx, input)
  return walkAndCount(ctx, input)
}

const asksOfStudents = ({ suiName, suiNumber, collegeId, suiGrade }: Input) =>
  Boolean(suiName || suiNumber || collegeId || suiGrade)

/** The records of the school, with their students only where somebody asks about those. */
const wholeSchool = (ctx: Context, input: Input, isSorted: boolean) =>
  asksOfStudents(input) || (isSorted && input.sort === 'suiNumber') ? visibleSupplements(ctx) : supplementsAlone(ctx)

async function walkAndCount(ctx: Context, input: Input): Promise<Gathered> {
  const offset = offsetOf(input)
  const near = () => walk(ctx, input, { offset, limit: input.pageSize, isReversed: false })
  if (asksOfStudents(input) || input.obtainStart || input.obtainEnd) {
    const counting = countOf(fittingSupplements(ctx, wholeSchool(ctx, input, false), input))
    const [total, ids] = await Promise.all([counting, offset <= nearEnough ? near() : undefined])
    return { ids: ids ?? (await walk(ctx, input, nearerStretch(input, total))), total, isCapped: false }
  }
  const total = await countByKind(ctx, input)
  const ids = offset <= nearEnough && total > offset ? near() : walk(ctx, input, nearerStretch(input, total))
  return { ids: await ids, total, isCapped: false }
}

/** Rows before a page from which on it pays to wait for the number of all, and to walk from the nearer end. */
const nearEnough = 2000

/**
 * The keys of a stretch of the list of one who sees the whole school, met one after another in the order of the list.
 */
async function walk(ctx: Context, input: Input, { offset, limit, isReversed }: Stretch): Promise<string[]> {
  if (limit === 0) return []
  const { column, direction } = orderOf(input)
  // records that agree go by their key in the same direction, as in the indexes
  const way = isReversed ? opposite[direction] : direction
  const rows = await fittingSupplements(ctx, wholeSchool(ctx, input, true), input, titleHolds)
    .select('supplement.lisId')
    .orderBy(sql.ref(column), way)
    .orderBy('supplement.lisId', way)
    .limit(limit)
    .offset(offset)
    .execute()
  const lisIds = rows.map(({ lisId }) => lisId)
  return isReversed ? lisIds.reverse() : lisIds
}

const opposite = { asc: 'desc', desc: 'asc' } as const

/** The latest first unless something else is asked for. */
const orderOf = (input: Input) => sortOf(input, sortable, input.order ?? 'desc')

async function pageByText(ctx: Context, input: Input): Promise<Gathered> {
  const { lisName, lisAward, certNo, obtainEnd } = input
  const share = lisName ? await shareOfLatest(ctx, lisName) : 0
  const hasText = share >= frequent ? titleHolds : titleContains
  // a word that the latest records have is soon met by walking from them; of another one nobody knows where it is
  const { column, direction } = orderOf(input)
  const isLatestFirst = column === sortable.createTime && direction === 'desc' && !obtainEnd
  const isMetSoon =
    share >= metSoon && isLatestFirst && !lisAward && !certNo && ctx.scope.whole && !asksOfStudents(input)
  const some = await gathered(ctx, input, hasText, isMetSoon ? countedRows : undefined)
  if (!some.isCapped) return some
  const offset = offsetOf(input)
  const limit = Math.max(0, Math.min(input.pageSize, countedRows - offset))
  return { ...some, ids: await walk(ctx, input, { offset, limit, isReversed: false }) }
}

/** The latest records that are looked at to tell how frequent a word is. */
const sampleSize = 200
/** The share of records that have a word from which on no index helps to find them. */
const frequent = 0.2
/** The share of the latest records that have a word from which on a page is met soon. */
const metSoon = 0.02

/** The share of the latest records of the school that have a word in their name. */
async function shareOfLatest(ctx: Context, word: string): Promise<number> {
  const latest = from(ctx, 'supplement')
    .select('supplement.lisName')
    .orderBy('supplement.createTime', 'desc')
    .orderBy('supplement.lisId', 'desc')
    .limit(sampleSize)
  const { having, all } = await ctx.db
    .selectFrom(latest.as('supplement'))
    .select([
      sql<number>`(count(*) filter (where ${titleHolds('supplement.lisName', word)}))::int`.as('having'),
      sql<number>`count(*)::int`.as('all'),
    ])
    .executeTakeFirstOrThrow()
  return having / Math.max(1, all)
}

/**
 * Finds, counts and sorts in one pass.
 * @param most records looked at; of more, no keys are told
 */
function gathered(ctx: Context, input: Input, hasText = titleContains, most?: number): Promise<Gathered> {
  const { column, direction } = orderOf(input)
  const records =
    ctx.scope.whole && !asksOfStudents(input) ? [wholeSchool(ctx, input, true)] : visibleSupplementParts(ctx)
  const parts = records.map((part) =>
    fittingSupplements(ctx, part, input, hasText).select('supplement.lisId as id').select(sql.ref(column).as('key')),
  )
  return gather(ctx.db, parts, input, { direction, ...(most !== undefined && { most }) })
}
