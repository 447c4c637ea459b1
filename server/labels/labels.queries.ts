import { sql } from 'kysely'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { Context } from '../core/context.ts'

/** The quality labels of a school; everybody may know them. */
export const visibleLabels = ({ db, actor }: Context) => db.selectFrom('qualityLabel').where('qualityLabel.schoolId', '=', actor.schoolId)

/** All labels in their order, groups first. `usedCount`: scoring rules of any version that name the label. */
export const labelRows = (ctx: Context) =>
  visibleLabels(ctx)
    .select(['sqlId', 'sqlPid', 'sqlName', 'sqlCode', 'sqlDesc', 'sqlColor', 'sqlSort', 'platformId', 'fullScore', 'enable', 'version'])
    .select(
      sql<number>`(select count(*)::int from "evaluation" e where e."schoolId" = "qualityLabel"."schoolId" and e."abilityRules" @> jsonb_build_array(jsonb_build_object('sqlId', "qualityLabel"."sqlId")))`.as('usedCount'),
    )
    .orderBy(sql`("sqlPid" is not null)`)
    .orderBy('sqlSort')
    .orderBy('sqlId')
    .execute()

export type LabelRow = Awaited<ReturnType<typeof labelRows>>[number]

/** A label on the wire; a group with labels below it, or a label that scores, cannot be deleted. */
export function labelOnWire({ actor }: Context, row: LabelRow, childCount: number) {
  const can: ('edit' | 'delete')[] = []
  if (actor.permits.has('label:edit')) can.push('edit')
  if (actor.permits.has('label:edit') && row.usedCount === 0 && childCount === 0) can.push('delete')
  return { ...row, fullScore: fromHundredths(row.fullScore), can }
}
