import { sql } from 'kysely'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** The award templates of a school; everybody may know them. */
export const visibleTemplates = (ctx: Context) => from(ctx, 'awardTemplate')

const detailColumns = [
  'd.adId',
  'd.atId',
  'd.adName',
  'd.adLevel',
  'd.hours',
  'd.credit',
  'd.points',
  'd.abilityFactor',
  'd.quotaType',
  'd.quota',
  'd.needProof',
  'd.adSort',
] as const

/** The awards of templates in their order, without those taken out that somebody may still hold. */
export const detailRows = (ctx: Context, atIds: string[]) =>
  from(ctx, 'awardDetail as d')
    .select(detailColumns)
    .where(sql<boolean>`d."atId" = any(${atIds}::uuid[])`)
    .orderBy('d.adSort')
    .orderBy('d.adId')
    .execute()
export type DetailRow = Awaited<ReturnType<typeof detailRows>>[number]

/** An award on the wire: amounts as decimal text. */
export const detailOnWire = ({ atId: _, ...row }: DetailRow) => ({
  ...row,
  hours: fromHundredths(row.hours),
  credit: fromHundredths(row.credit),
  points: fromHundredths(row.points),
  abilityFactor: fromHundredths(row.abilityFactor),
})

/**
 * Courses that give awards of each template: those there are (`live`), and with those that were deleted and still point
 * at it (`all`).
 */
export async function templateUses(ctx: Context, atIds: string[]): Promise<Map<string, { live: number; all: number }>> {
  const rows = await from(ctx, 'lesson', { withDeleted: true })
    .select([
      'atId',
      sql<number>`(count(*) filter (where "delFlag" = '0'))::int`.as('live'),
      sql<number>`count(*)::int`.as('all'),
    ])
    .where(anyOf('atId', atIds))
    .groupBy('atId')
    .execute()
  return new Map(rows.map(({ atId, live, all }) => [atId!, { live, all }]))
}

/** How many hold each award of a template; awards nobody holds are not in it. */
export async function givenDetails({ db, actor }: Context, atId: string): Promise<Map<string, number>> {
  const rows = await sql<{
    adId: string
    n: number
  }>`
    select r."adId", count(*)::int "n"
    from "lesson" l
    join "registration" r on r."schoolId" = l."schoolId" and r."liId" = l."liId"
    where l."schoolId" = ${actor.schoolId} and l."atId" = ${atId}::uuid and r."adId" is not null and r."delFlag" = '0'
    group by r."adId"`.execute(db)
  return new Map(rows.rows.map(({ adId, n }) => [adId, n]))
}

/**
 * Locks the courses that give awards of a template, deleted ones too: whoever awards in one of them waits, and then
 * sees what the template has become.
 */
export const lockCourses = (ctx: Context, atId: string) =>
  from(ctx, 'lesson', { withDeleted: true })
    .select('liId')
    .where('atId', '=', atId)
    .orderBy('liId')
    .forUpdate()
    .execute()
