import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { supplementTab } from '../../../contract/core/codes/programme.ts'
import { countedRows } from '../../../contract/core/paging.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { compiledOnce } from '../../core/database/compiled-once.ts'
import { asPage } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { countByState } from './supplement-counts.queries.ts'
import { matchingSupplements } from './supplement-filters.queries.ts'
import { supplementCan } from './supplement-life.ts'
import { pageOfSupplements } from './supplement-page.queries.ts'
import { initiatedBy, isQuestioned, supplementAuthorities, visibleSupplementParts } from './supplements.queries.ts'

/** A page of records: its keys and their number first, then the rows of those keys. */
export async function listSupplements(ctx: Context, input: Checked<typeof supplementApi.list>) {
  const { ids, total, isCapped } = await pageOfSupplements(ctx, input)
  return { ...asPage(await rowsOf(ctx, ids), total, input), isCapped }
}

/**
 * The columns of a list row, with what ties the asking person to it; deleted records too, for they have a tab of their
 * own.
 */
export const supplementRows = (ctx: Pick<Context, 'db' | 'actor'>) =>
  from(ctx, 'supplement', { withDeleted: true })
    .innerJoin('person', withinSchool('person.suId', 'supplement.suId'))
    .innerJoin('lessonLevel as level', withinSchool('level.llId', 'supplement.lisLevel'))
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select([
      'lisId',
      'lisName',
      'supplement.suId',
      'suiName',
      'suiNumber',
      'suiGrade',
      'suiCollegeId',
      'person.majorId',
      'person.scClassId',
      'college.scName',
      'schoolClass.scClassName',
      'lsId',
      'lsPath',
      'lisType',
      'lisLevel',
      'level.llName as lisLevelName',
      'lisPartakeMode',
      'lisAward',
      'lisOrg',
      'lisObtainDate',
      'certNo',
      'lisHours',
      'lisCredit',
      'lisStatus',
      'statusBefore',
      'refuseReason',
      'lisPublictySdate',
      'lisPublictyEdate',
      'lisPublictyStatus',
      'source',
      'supplement.delFlag',
      'supplement.createBy',
      'supplement.createName',
      'supplement.createTime',
      'supplement.version',
    ])
    .select(sql<number>`cardinality("lisProofs")`.as('proofCount'))
    .select(
      sql<string>`(
          select string_agg(c."lsName", ' / ' order by p."at")
          from unnest("supplement"."lsPath") with ordinality p("id", "at")
          join "curriculum" c on c."schoolId" = "supplement"."schoolId" and c."lsId" = p."id"
        )`.as('lsName'),
    )
    .select(
      sql<number>`(
          select count(*)::int
          from "question" q
          where q."schoolId" = "supplement"."schoolId" and q."lisId" = "supplement"."lisId" and q."delFlag" = '0'
        )`.as('questionCount'),
    )
    .select(isQuestioned.as('isQuestioned'))
    .select(initiatedBy(ctx.actor))

type RowColumns = Awaited<ReturnType<ReturnType<typeof supplementRows>['executeTakeFirstOrThrow']>>

const rowsByKey = compiledOnce((db, { schoolId, suId, lisIds }: { schoolId: string; suId: string; lisIds: string[] }) =>
  supplementRows({ db, actor: { schoolId, suId } as Context['actor'] }).where(anyOf('supplement.lisId', lisIds)),
)

async function rowsOf(ctx: Context, lisIds: string[]): Promise<SupplementRow[]> {
  if (lisIds.length === 0) return []
  const { schoolId, suId } = ctx.actor
  const rows = await rowsByKey(ctx.db, { schoolId, suId, lisIds })
  const shown = new Map(rows.map((row) => [row.lisId, row]))
  const asRow = asSupplementRow(ctx)
  return lisIds.flatMap((lisId) => shown.get(lisId) ?? []).map(asRow)
}

/** What a row holds only to be checked by; left out of the answer. */
const unsent = {
  lsPath: undefined,
  suiCollegeId: undefined,
  majorId: undefined,
  scClassId: undefined,
  scName: undefined,
  scClassName: undefined,
  statusBefore: undefined,
  createBy: undefined,
  initiated: undefined,
  isQuestioned: undefined,
}

/** A record as the wire shows it, with what the asking person may do to it now. */
export function asSupplementRow({ actor }: Pick<Context, 'actor'>): (row: RowColumns) => SupplementRow {
  const authorityOver = supplementAuthorities(actor)
  return (row) =>
    Object.assign({}, row, unsent, {
      suiGrade: row.suiGrade ?? '',
      collegeName: row.scName ?? '',
      className: row.scClassName ?? '',
      lsName: row.lsName ?? '',
      lisHours: fromHundredths(row.lisHours),
      lisCredit: fromHundredths(row.lisCredit),
      can: supplementCan(row, authorityOver(row)),
    }) as Omit<RowColumns, keyof typeof unsent> &
      Pick<SupplementRow, 'suiGrade' | 'collegeName' | 'className' | 'lsName' | 'lisHours' | 'lisCredit' | 'can'>
}

/** Filters by which the school's records are counted as they are written. */
const kinds = new Set(['lisType', 'lisLevel', 'source', 'lsId'])

/**
 * How many of the visible records that fit the filters are in each state; deleted ones as state 9. Null where they are
 * more than are counted one by one.
 */
export async function countSupplements(ctx: Context, filters: Checked<typeof supplementApi.count>) {
  const { mySup, ...others } = filters
  const names = Object.keys(others).filter((name) => others[name as keyof typeof others] !== undefined)
  if (ctx.scope.whole && !mySup && names.every((name) => kinds.has(name))) return countByState(ctx, others)
  const parts =
    names.length === 0
      ? visibleSupplementParts(ctx).map((part) =>
          (mySup ? part.where('supplement.createBy', '=', ctx.actor.suId) : part).select('lisStatus'),
        )
      : [undefined, supplementTab.deleted].map((flagType) =>
          matchingSupplements(ctx, { ...filters, flagType })
            .select('lisStatus')
            .limit(countedRows + 1),
        )
  const { rows } = await sql<{ lisStatus: string; count: number }>`
      select "lisStatus", count(*)::int "count"
      from (${sql.join(parts, sql` union all `)}) part
      group by 1
      order by 1`.execute(ctx.db)
  const isCounted = names.length === 0 || rows.reduce((sum, { count }) => sum + count, 0) <= countedRows
  return isCounted ? rows : null
}
