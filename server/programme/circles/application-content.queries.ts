import { sql } from 'kysely'
import { circleApplyType, circleAuthStatus } from '../../../contract/core/codes/programme.ts'
import type { Difference } from '../../../contract/core/difference.ts'
import type { DictionaryType } from '../../../contract/core/dictionary.ts'
import { labelIn } from '../../../contract/core/fields.ts'
import { circleForm } from '../../../contract/programme/circles/circles.schema.ts'
import { differencesBetween, wordsOf, type ContentField } from '../../core/base/submitted-content.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'

/** What an application asks, and for which circle and person. */
interface Application {
  caType: string
  ciId: string
  cpiPersonId: string
  applyReason: string
  materials: readonly string[]
  crYear: number | null
  crResult: string | null
  crStar: string | null
}

type Field = keyof typeof circleForm
const dictionaries: Partial<Record<Field, DictionaryType>> = { ciLevel: 'circle_level', joinMode: 'circle_join_mode' }

/**
 * What an application says, field by field in words; founding says the whole circle, as it is stored now.
 */
export async function applicationContent(ctx: Context, asked: Application): Promise<ContentField[]> {
  const names = await namesOf(ctx, [asked.cpiPersonId, ...asked.materials])
  const own: ContentField[] = [
    { field: 'cpiPersonId', label: '申请对象', value: wordsOf(asked.cpiPersonId, {}, names) },
    { field: 'applyReason', label: '申请说明', value: wordsOf(asked.applyReason) },
    { field: 'materials', label: '材料', value: wordsOf(asked.materials, {}, names) },
    { field: 'crYear', label: '年审年度', value: wordsOf(asked.crYear) },
    { field: 'crResult', label: '自评结果', value: wordsOf(asked.crResult, { dictionary: 'circle_review' }) },
    { field: 'crStar', label: '自评星级', value: wordsOf(asked.crStar, { dictionary: 'circle_star' }) },
  ]
  return asked.caType === circleApplyType.founding ? circleContent(ctx, asked.ciId) : own
}

async function circleContent(ctx: Context, ciId: string): Promise<ContentField[]> {
  const circle = await from(ctx, 'circle').selectAll().where('ciId', '=', ciId).executeTakeFirstOrThrow()
  const { rows } = await sql<{ teacherIds: string[]; personIds: string[] }>`
    select array(
        select "suId"::text
        from "circleTeacher"
        where "schoolId" = ${ctx.actor.schoolId} and "ciId" = ${ciId}::uuid
        order by "suId"
      ) as "teacherIds",
      array(
        select "suId"::text
        from "circleMember"
        where "schoolId" = ${ctx.actor.schoolId} and "ciId" = ${ciId}::uuid and "quitTime" is null
        order by "suId"
      ) as "personIds"`.execute(ctx.db)
  const values = { ...circle, ...rows[0]! }
  const names = await namesOf(ctx, [
    ...[circle.ciClass, circle.ciCollegeId, circle.guideUnitId, circle.charterFile, circle.cpiPersonId].flatMap(
      (id) => id ?? [],
    ),
    ...circle.imgList,
    ...values.teacherIds,
    ...values.personIds,
  ])
  return (Object.keys(circleForm) as Field[]).map((field) => ({
    field,
    label: labelIn(circleForm[field]) ?? field,
    value: wordsOf(values[field], { dictionary: dictionaries[field] }, names),
  }))
}

async function namesOf({ db, actor }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select a."id"::text, coalesce(
        (
          select "suiName" || '（' || "suiNumber" || '）'
          from "person"
          where "schoolId" = ${actor.schoolId} and "suId" = a."id"
        ), (select "ccName" from "circleClass" where "schoolId" = ${actor.schoolId} and "ccId" = a."id"),
        (select "scName" from "college" where "schoolId" = ${actor.schoolId} and "scId" = a."id"),
        (select "sdName" from "department" where "schoolId" = ${actor.schoolId} and "sdId" = a."id"),
        (select "fileName" from "file" where "schoolId" = ${actor.schoolId} and "fileId" = a."id"), a."id"::text
      ) as "name"
    from unnest(${[...new Set(ids)]}::uuid[]) a("id")`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * How an application differs from the last one of its kind for the circle (of joining: for the person) that was refused
 * or withdrawn; nothing where the last one was granted, or where there is none.
 */
export async function differencesOf(
  { db, actor }: Context,
  { caType, ciId, cpiPersonId }: Application,
  content: readonly ContentField[],
): Promise<Difference[]> {
  let query = from({ db, actor }, 'circleApply')
    .select(['ciAuthStatus', 'content'])
    .where('ciId', '=', ciId)
    .where('caType', '=', caType)
    .where('ciAuthStatus', '<>', circleAuthStatus.pending)
  if (caType === circleApplyType.joining) query = query.where('cpiPersonId', '=', cpiPersonId)
  const last = await query
    .orderBy(sql`"ciAuthStatus" = ${sql.lit(circleAuthStatus.withdrawn)}`)
    .orderBy('applyTime', 'desc')
    .orderBy('caId', 'desc')
    .executeTakeFirst()
  if (!last || last.ciAuthStatus === circleAuthStatus.passed || last.content === null) return []
  return differencesBetween(last.content as unknown as ContentField[], content)
}
