import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementStatus, supplementTab } from '../../../contract/core/codes/programme.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { dayOf } from '../../core/base/clock.ts'
import { contains, titleContains, titleHolds } from '../../core/database/paging.ts'
import { plannedByValue } from '../../core/database/pool.ts'
import type { Context } from '../../core/request/context.ts'
import { visibleSupplements } from './supplements.queries.ts'

export type SupplementFilters = Partial<
  Omit<Checked<typeof supplementApi.list>, 'sort' | 'order' | 'current' | 'pageSize'>
>

/** The states that a tab of the list shows; deleted records stand in their own tab only. */
const tabs: Record<string, string> = {
  [supplementTab.awaitingNotice]: supplementStatus.passed,
  [supplementTab.inNotice]: supplementStatus.inNotice,
  [supplementTab.credited]: supplementStatus.credited,
}

/** Which states the filters ask for (all of them have to hold), and whether for deleted records. */
export function statesAskedFor({ flagType, lisStatus }: SupplementFilters): { states: string[]; delFlag: string } {
  const tab = tabs[flagType ?? '']
  return {
    states: [...(tab ? [tab] : []), ...(lisStatus ? [lisStatus] : [])],
    delFlag: flagType === supplementTab.deleted || lisStatus === supplementStatus.deleted ? yesNo.yes : yesNo.no,
  }
}

type Records = ReturnType<typeof visibleSupplements>

/** The visible records that fit the filters. */
export const matchingSupplements = (ctx: Context, filters: SupplementFilters): Records =>
  fittingSupplements(ctx, visibleSupplements(ctx), filters)

/**
 * Those of some records that fit the filters.
 * @param hasText the condition that a title holds a text: by its index, or read from every row where most of them do
 */
export function fittingSupplements(
  ctx: Context,
  records: Records,
  filters: SupplementFilters,
  hasText: typeof titleContains | typeof titleHolds = titleContains,
): Records {
  const { suiName, suiNumber, lisName, lisAward, lisType, lsId, lisLevel, collegeId, suiGrade } = filters
  const { certNo, source, mySup, obtainStart, obtainEnd } = filters
  const { states, delFlag } = statesAskedFor(filters)
  // codes are written into the statement: how many records have each differs by far, and so does the best way
  let query = records.where('supplement.delFlag', '=', sql.lit(delFlag))
  for (const state of states) query = query.where('lisStatus', '=', sql.lit(state))
  if (suiName) query = query.where(contains('person.suiName', suiName))
  if (suiNumber) query = query.where(contains('person.suiNumber', suiNumber))
  if (lisName) query = query.where(hasText('supplement.lisName', lisName))
  if (lisAward) query = query.where('lisAward', '<>', sql.lit('')).where(hasText('supplement.lisAward', lisAward))
  if (certNo) query = query.where('certNo', '<>', sql.lit('')).where(hasText('supplement.certNo', certNo))
  if (lisType) query = query.where('lisType', '=', sql.lit(lisType))
  if (lsId) query = query.where(sql<boolean>`"supplement"."lsPath" @> ${[lsId]}::uuid[]`)
  if (lisLevel) query = query.where('lisLevel', '=', lisLevel)
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (suiGrade) query = query.where('person.suiGrade', '=', suiGrade)
  if (source) query = query.where('supplement.source', '=', source)
  if (mySup) query = query.where('supplement.createBy', '=', ctx.actor.suId)
  if (obtainStart) query = query.where(onDay('>=', obtainStart))
  if (obtainEnd) query = query.where(onDay('<=', obtainEnd))
  return query
}

/** A period may hold a handful of records or nearly all of them. */
const onDay = (than: '>=' | '<=', moment: string) =>
  sql<boolean>`${sql.raw(plannedByValue)} "supplement"."lisObtainDate" ${sql.raw(than)} ${dayOf(moment)}::date`
