import { sql } from 'kysely'
import type { Db } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { statesAskedFor, type SupplementFilters } from './supplement-filters.queries.ts'

/** What records are counted by as they are written; see the triggers of the table `supplement` and decision 004. */
type KindFilters = Pick<SupplementFilters, 'flagType' | 'lisStatus' | 'lisType' | 'lisLevel' | 'source' | 'lsId'>

/** The numbers of the school's records of a kind. */
function countsOf(ctx: Context, { lisType, lisLevel, source, lsId }: KindFilters) {
  let query = from(ctx, 'supplementCount')
  if (lisType) query = query.where('lisType', '=', lisType)
  if (lisLevel) query = query.where('lisLevel', '=', lisLevel)
  if (source) query = query.where('source', '=', source)
  if (lsId) query = query.where(sql<boolean>`"lsPath" @> ${[lsId]}::uuid[]`)
  return query
}

/** The exact number of records of the school that are of a kind, without looking at any of them. */
export async function countByKind(ctx: Context, filters: KindFilters): Promise<number> {
  const { states, delFlag } = statesAskedFor(filters)
  let query = countsOf(ctx, filters).where('deletedFlag', '=', delFlag)
  for (const state of states) query = query.where('lisStatus', '=', state)
  const { total } = await query
    .select(sql<number>`coalesce(sum("records"), 0)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** How many records of the school that are of a kind are in each state. */
export const countByState = (ctx: Context, filters: KindFilters) =>
  countsOf(ctx, filters)
    .select(['lisStatus', sql<number>`sum("records")::int`.as('count')])
    .groupBy('lisStatus')
    .having(sql<boolean>`sum("records") <> 0`)
    .orderBy('lisStatus')
    .execute()

/** Rows of changes that a school may gather before they are summed up. */
const maxChanges = 200

/**
 * A recurring job: sums up what statements have changed in the numbers of records, school by school. Sums take the
 * place of their rows in one statement, so whoever counts meanwhile sees either, and two runs at once sum up different
 * rows.
 */
export async function sumUpSupplementCounts({ db }: { db: Db }): Promise<void> {
  await sql`
      with summed as (
        delete from "supplementCount"
        where "schoolId" in (
          select "schoolId"
          from "supplementCount"
          group by 1
          having count(*) - count(distinct ("deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath"))
            >= ${maxChanges}
        )
        returning *
      )
      insert into "supplementCount"
        ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
      select "schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", sum("records")
      from summed
      group by 1, 2, 3, 4, 5, 6, 7
      having sum("records") <> 0`.execute(db)
}
