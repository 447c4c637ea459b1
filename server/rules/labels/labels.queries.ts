import { sql } from 'kysely'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** The quality labels of a school; everybody may know them. */
export const visibleLabels = (ctx: Context) => from(ctx, 'qualityLabel')

/** All labels in their order, groups first. `usedCount`: scoring rules of any version that name the label. */
export const labelRows = async (ctx: Context) => {
  const rows = await visibleLabels(ctx)
    .select([
      'sqlId',
      'sqlPid',
      'sqlName',
      'sqlCode',
      'sqlDesc',
      'sqlColor',
      'sqlSort',
      'platformId',
      'fullScore',
      'levels',
      'enable',
      'version',
    ])
    .select(
      sql<number>`(
          select count(*)::int
          from "evaluation" e
          where e."schoolId" = "qualityLabel"."schoolId"
            and e."abilityRules" @> jsonb_build_array(jsonb_build_object('sqlId', "qualityLabel"."sqlId"))
        )`.as('usedCount'),
    )
    .select(
      sql<boolean>`exists (
          select
          from "qualityModelLabel" m
          where m."schoolId" = "qualityLabel"."schoolId" and m."sqlId" = "qualityLabel"."sqlId"
        )`.as('inModel'),
    )
    .orderBy(sql`("sqlPid" is not null)`)
    .orderBy('sqlSort')
    .orderBy('sqlId')
    .execute()
  return rows.map((row) => ({ ...row, levels: row.levels as string[] }))
}

export type LabelRow = Awaited<ReturnType<typeof labelRows>>[number]

/**
 * A label on the wire; a group with labels below it, or a label that scores or stands in the model, cannot be deleted.
 */
export function labelOnWire({ actor }: Context, row: LabelRow, childCount: number) {
  const can: ('edit' | 'delete')[] = []
  if (actor.permits.has('label:edit')) can.push('edit')
  if (actor.permits.has('label:edit') && row.usedCount === 0 && !row.inModel && childCount === 0) can.push('delete')
  return { ...row, fullScore: fromHundredths(row.fullScore), can }
}

/**
 * The scoring rules, in all their versions, that give points for a label, with its weight in each; the present ones
 * first.
 */
export async function usesOfLabel({ db, actor }: Context, sqlId: string) {
  const { rows } = await sql<{
    esId: string
    esName: string
    lsFullName: string
    levelName: string
    versionNo: number
    current: boolean
    weight: number
  }>`
      select e."esId", e."esName", e."versionNo", e."current", l."llName" as "levelName",
        (r ->> 'weight')::numeric::int as "weight",
        (
          select string_agg(u."lsName", ' / ' order by cardinality(u."lsPath"))
          from "curriculum" u
          where u."schoolId" = c."schoolId" and u."lsId" = any(c."lsPath")
        ) as "lsFullName"
      from "evaluation" e
      cross join lateral jsonb_array_elements(e."abilityRules") r
      join "curriculum" c on c."schoolId" = e."schoolId" and c."lsId" = e."lsId"
      join "lessonLevel" l on l."schoolId" = e."schoolId" and l."llId" = e."esLessonLevel"
      where e."schoolId" = ${actor.schoolId} and r ->> 'sqlId' = ${sqlId}
      order by not e."current", "lsFullName", l."llSort", e."versionNo" desc
      limit 500`.execute(db)
  return rows
}
