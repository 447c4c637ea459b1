import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementStatus, supplementTab } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { supplementCan } from './supplement-life.ts'
import { initiatedBy, supplementAuthorities, visibleSupplements } from './supplements.queries.ts'

export type SupplementFilters = Partial<
  Omit<Checked<typeof supplementApi.list>, 'sort' | 'order' | 'current' | 'pageSize'>
>

const sortable = {
  createTime: 'supplement.createTime',
  lisObtainDate: 'supplement.lisObtainDate',
  lisName: 'supplement.lisName',
  suiNumber: 'person.suiNumber',
  lisHours: 'supplement.lisHours',
  lisPublictyEdate: 'supplement.lisPublictyEdate',
}

/** The states that a tab of the list shows; deleted records stand in their own tab only. */
const tabs: Record<string, string> = {
  [supplementTab.awaitingNotice]: supplementStatus.passed,
  [supplementTab.inNotice]: supplementStatus.inNotice,
  [supplementTab.credited]: supplementStatus.credited,
}

/** The visible records that fit the filters. */
export function matchingSupplements(
  ctx: Context,
  {
    suiName,
    suiNumber,
    lisName,
    lisAward,
    lisType,
    flagType,
    lisStatus,
    lsId,
    lisLevel,
    collegeId,
    suiGrade,
    certNo,
    source,
    mySup,
    obtainStart,
    obtainEnd,
  }: SupplementFilters,
) {
  const isDeleted = flagType === supplementTab.deleted || lisStatus === supplementStatus.deleted
  let query = visibleSupplements(ctx).where(
    'supplement.delFlag',
    '=',
    isDeleted ? sql.lit(yesNo.yes) : sql.lit(yesNo.no),
  )
  const status = tabs[flagType ?? '']
  if (status) query = query.where('lisStatus', '=', status)
  if (lisStatus) query = query.where('lisStatus', '=', lisStatus)
  if (suiName) query = query.where(contains('person.suiName' as never, suiName))
  if (suiNumber) query = query.where(contains('person.suiNumber' as never, suiNumber))
  if (lisName) query = query.where(contains('supplement.lisName' as never, lisName))
  if (lisAward) query = query.where(sql<boolean>`strpos("supplement"."lisAward", ${lisAward}) > 0`)
  if (certNo) query = query.where(sql<boolean>`strpos("supplement"."certNo", ${certNo}) > 0`)
  if (lisType) query = query.where('lisType', '=', lisType)
  if (lsId) query = query.where(sql<boolean>`"supplement"."lsPath" @> ${[lsId]}::uuid[]`)
  if (lisLevel) query = query.where('lisLevel', '=', lisLevel)
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (suiGrade) query = query.where('person.suiGrade', '=', suiGrade)
  if (source) query = query.where('supplement.source', '=', source)
  if (mySup) query = query.where('supplement.createBy', '=', ctx.actor.suId)
  if (obtainStart) query = query.where('lisObtainDate', '>=', dayOf(obtainStart))
  if (obtainEnd) query = query.where('lisObtainDate', '<=', dayOf(obtainEnd))
  return query
}

/** A page of records: the keys of the page, its exact total, then the rows of those keys. */
export async function listSupplements(ctx: Context, input: Checked<typeof supplementApi.list>) {
  const matching = matchingSupplements(ctx, input)
  const [keys, total] = await Promise.all([
    matching
      .select('supplement.lisId')
      .orderBy(listOrder(input, sortable, input.order ?? 'desc'))
      .orderBy('supplement.lisId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching),
  ])
  return asPage(
    await rowsOf(
      ctx,
      keys.map(({ lisId }) => lisId),
    ),
    total,
    input,
  )
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
    .select(initiatedBy(ctx.actor))

type RowColumns = Awaited<ReturnType<ReturnType<typeof supplementRows>['executeTakeFirstOrThrow']>>

async function rowsOf(ctx: Context, lisIds: string[]): Promise<SupplementRow[]> {
  if (lisIds.length === 0) return []
  const rows = await supplementRows(ctx).where(anyOf('supplement.lisId', lisIds)).execute()
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

/** How many of the visible records are in each state; deleted ones as state 9. */
export const countSupplements = (ctx: Context, { mySup }: Checked<typeof supplementApi.count>) => {
  let query = visibleSupplements(ctx)
  if (mySup) query = query.where('supplement.createBy', '=', ctx.actor.suId)
  return query
    .select(['lisStatus', sql<number>`count(*)::int`.as('count')])
    .groupBy('lisStatus')
    .orderBy('lisStatus')
    .execute()
}
