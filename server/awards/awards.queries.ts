import { sql } from 'kysely'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { Context } from '../core/context.ts'

/** The award templates of a school; everybody may know them. */
export const visibleTemplates = ({ db, actor }: Context) => db.selectFrom('awardTemplate').where('awardTemplate.schoolId', '=', actor.schoolId)

const detailColumns = ['d.adId', 'd.atId', 'd.adName', 'd.hours', 'd.credit', 'd.points', 'd.quotaType', 'd.quota', 'd.needProof', 'd.adSort'] as const

/** The awards of templates in their order, without those taken out that somebody may still hold. */
export const detailRows = ({ db, actor }: Context, atIds: string[]) =>
  db.selectFrom('awardDetail as d').select(detailColumns).where('d.schoolId', '=', actor.schoolId).where(sql<boolean>`d."atId" = any(${atIds}::uuid[])`).where('d.delFlag', '=', '0').orderBy('d.adSort').orderBy('d.adId').execute()
export type DetailRow = Awaited<ReturnType<typeof detailRows>>[number]

/** An award on the wire: amounts as decimal text. */
export const detailOnWire = ({ atId: _, ...row }: DetailRow) => ({ ...row, hours: fromHundredths(row.hours), credit: fromHundredths(row.credit), points: fromHundredths(row.points) })

/** Courses that give awards of each template, deleted ones included: they still point at it. */
export async function templateUses({ db, actor }: Context, atIds: string[]): Promise<Map<string, number>> {
  const rows = await db.selectFrom('lesson').select(['atId', sql<number>`count(*)::int`.as('n')]).where('schoolId', '=', actor.schoolId).where(sql<boolean>`"atId" = any(${atIds}::uuid[])`).groupBy('atId').execute()
  return new Map(rows.map(({ atId, n }) => [atId!, n]))
}

/** Which awards of a template have been given to somebody. */
export async function givenDetails({ db, actor }: Context, atId: string): Promise<Set<string>> {
  const rows = await sql<{ adId: string }>`select d."adId" from "awardDetail" d where d."schoolId" = ${actor.schoolId} and d."atId" = ${atId}::uuid and exists (
    select 1 from "lesson" l join "registration" r on r."schoolId" = l."schoolId" and r."liId" = l."liId" and r."adId" = d."adId" where l."schoolId" = d."schoolId" and l."atId" = d."atId")`.execute(db)
  return new Set(rows.rows.map(({ adId }) => adId))
}
