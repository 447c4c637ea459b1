import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../../contract/core/scope.ts'
import type { CurriculumUses } from '../../../contract/rules/curriculum/curriculum.schema.ts'
import type { StarRule } from '../../../contract/rules/curriculum/star-rule.ts'
import type { SupplementWindow } from '../../../contract/rules/curriculum/supplement-window.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool, type SchoolReader } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'

/** The curriculum is known to everybody of a school; what may be changed of it is a matter of the scope. */
export const visibleCurricula = (ctx: SchoolReader) => from(ctx, 'curriculum')

/** `思想成长 / 主题教育`: the names on the path that an array column holds, e.g. `'lesson.lsPath'`. */
export const fullNameOf = (pathColumn: string, schoolColumn: string): RawBuilder<string> => sql<string>`coalesce((
  select string_agg(above."lsName", ' / ' order by cardinality(above."lsPath")) from "curriculum" above
  where above."schoolId" = ${sql.ref(schoolColumn)} and above."lsId" = any(${sql.ref(pathColumn)})), '')`

export type CurriculumRow = Awaited<ReturnType<typeof curriculumRows>>[number]

/** All nodes in their order, parents before children: one statement. `mine` tells whether the node lies in `scope`. */
export async function curriculumRows(ctx: SchoolReader & { scope: Scope }, scope: Scope = ctx.scope) {
  const rows = await visibleCurricula(ctx)
    .leftJoin('role', withinSchool('role.srId', 'curriculum.ownerRoleId'))
    .select([
      'lsId',
      'lsPid',
      'lsPath',
      'lsName',
      'lsCode',
      'lsType',
      'lsSort',
      'lsIcon',
      'lsColor',
      'required',
      'minHours',
      'maxHours',
      'termCap',
      'ownerRoleId',
      'allowLevels',
      'lsFormScheme',
    ])
    .select(['allowSup', 'supWindow', 'supProofs', 'supNote', 'starRule'])
    .select([
      'curriculum.enable',
      'curriculum.version',
      'role.srName as ownerRoleName',
      inScope(scope, { path: 'curriculum.lsPath' }).as('mine'),
    ])
    .orderBy(sql`cardinality("lsPath")`)
    .orderBy('lsSort')
    .orderBy('lsId')
    .execute()
  return rows.map((row) => ({
    ...row,
    supWindow: row.supWindow as SupplementWindow | null,
    starRule: row.starRule as StarRule | null,
  }))
}

/** Courses in each node and below it, by lsId. */
export async function lessonCounts({ db, actor }: Context): Promise<Map<string, number>> {
  const rows = await sql<{ lsId: string; n: number }>`
      select node as "lsId", count(*)::int as n
      from "lesson", unnest("lsPath") as node
      where "schoolId" = ${actor.schoolId} and "delFlag" = '0'
      group by node`.execute(db)
  return new Map(rows.rows.map(({ lsId, n }) => [lsId, n]))
}

/** What hangs on nodes and on all below them: one statement. */
export async function usesOf({ db, actor }: Context, lsIds: string[]): Promise<CurriculumUses> {
  const { schoolId } = actor
  const { rows } = await sql<CurriculumUses>`
      with below as (
        select array_agg("lsId") as "ids", array_agg("lsId"::text) as "texts"
        from "curriculum"
        where "schoolId" = ${schoolId} and "lsPath" && ${lsIds}::uuid[]
      ), counted as (
        -- supplements are counted as they are written: a module may hold a hundred thousand
        select coalesce(sum("records") filter (where "deletedFlag" = ${sql.lit(yesNo.no)}), 0)::int as "supplements",
          coalesce(sum("records") filter (where "deletedFlag" = ${sql.lit(yesNo.yes)}), 0)::int as "gone"
        from "supplementCount"
        where "schoolId" = ${schoolId} and "lsPath" && ${lsIds}::uuid[]
      )
      select (
        select count(*)::int
        from "curriculum"
        where "schoolId" = ${schoolId} and "lsId" = any(below."ids") and "lsId" <> all(${lsIds}::uuid[])
      ) as "children",
        (
          select count(*)::int
          from "lesson"
          where "schoolId" = ${schoolId} and "lsPath" && ${lsIds}::uuid[] and "delFlag" = '0'
        ) as "lessons",
        counted."supplements",
        (
          select count(*)::int
          from "lesson"
          where "schoolId" = ${schoolId} and "lsPath" && ${lsIds}::uuid[] and "delFlag" <> '0'
        ) + counted."gone" as "gone",
        (
          select count(distinct ("lsId", "esLessonLevel"))::int
          from "evaluation"
          where "schoolId" = ${schoolId} and "lsId" = any(below."ids")
        ) as "rules",
        (select count(*)::int from "workflow" where "schoolId" = ${schoolId} and "lsIds" && below."ids") as "flows",
        (select count(*)::int from "transformation" where "schoolId" = ${schoolId} and "scopeLsIds" && below."ids") as
        "conversions",
        (select count(*)::int from "thresholdBase" where "schoolId" = ${schoolId} and "lsId" = any(below."ids")) as
        "bases",
        (
          select count(distinct "suId")::int
          from "controlArea"
          where "schoolId" = ${schoolId} and "caType" = 'curriculum' and "caTarget" = any(below."texts")
        ) as "areas"
      from below, counted`.execute(db)
  return rows[0]!
}

/** Whether anything was credited to nodes, and so must still be told by their names. */
export async function areCredited({ db, actor }: Context, lsIds: string[]): Promise<boolean> {
  const { rows } = await sql<{
    yes: boolean
  }>`select exists (
      select
      from "creditLedger"
      where "schoolId" = ${actor.schoolId} and "lsId" = any(${lsIds}::uuid[])
    ) as "yes"`.execute(db)
  return rows[0]!.yes
}

/** Gives a moved node and all that lies below it, courses and supplements included, the path under the new parent. */
export async function movePaths(
  { db, actor }: Context,
  lsId: string,
  oldDepth: number,
  parentPath: string[],
): Promise<void> {
  for (const table of ['curriculum', 'lesson', 'supplement']) {
    await sql`
      update ${sql.table(table)}
      set "lsPath" = ${parentPath}::uuid[] || "lsPath"[${sql.lit(oldDepth)}:]
      where "schoolId" = ${actor.schoolId} and "lsPath" && ${[lsId]}::uuid[]`.execute(db)
  }
}
