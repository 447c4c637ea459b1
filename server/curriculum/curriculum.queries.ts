import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../contract/core/scope.ts'
import type { Context } from '../core/context.ts'
import { inScope } from '../core/scope-sql.ts'

/** The curriculum is known to everybody of a school; what may be changed of it is a matter of the scope. */
export const visibleCurricula = ({ db, actor }: Context) => db.selectFrom('curriculum').where('curriculum.schoolId', '=', actor.schoolId)

/** `思想成长 / 主题教育`: the names on the path that an array column holds, e.g. `'lesson.lsPath'`. */
export const fullNameOf = (pathColumn: string, schoolColumn: string): RawBuilder<string> => sql<string>`coalesce((
  select string_agg(above."lsName", ' / ' order by cardinality(above."lsPath")) from "curriculum" above
  where above."schoolId" = ${sql.ref(schoolColumn)} and above."lsId" = any(${sql.ref(pathColumn)})), '')`

export type CurriculumRow = Awaited<ReturnType<typeof curriculumRows>>[number]

/** All nodes in their order, parents before children: one statement. `mine` tells whether the node lies in `scope`. */
export const curriculumRows = (ctx: Context, scope: Scope = ctx.scope) =>
  visibleCurricula(ctx)
    .leftJoin('role', (join) => join.onRef('role.schoolId', '=', 'curriculum.schoolId').onRef('role.srId', '=', 'curriculum.ownerRoleId'))
    .select(['lsId', 'lsPid', 'lsPath', 'lsName', 'lsCode', 'lsType', 'lsSort', 'lsColor', 'required', 'minHours', 'maxHours', 'termCap', 'ownerRoleId', 'allowLevels', 'lsFormScheme'])
    .select(['curriculum.enable', 'curriculum.version', 'role.srName as ownerRoleName', inScope(scope, { path: 'curriculum.lsPath' }).as('mine')])
    .orderBy(sql`cardinality("lsPath")`)
    .orderBy('lsSort')
    .orderBy('lsId')
    .execute()

/** Courses in each node and below it, by lsId. */
export async function lessonCounts({ db, actor }: Context): Promise<Map<string, number>> {
  const rows = await sql<{ lsId: string; n: number }>`
    select node as "lsId", count(*)::int as n from "lesson", unnest("lsPath") as node where "schoolId" = ${actor.schoolId} and "delFlag" = '0' group by node`.execute(db)
  return new Map(rows.rows.map(({ lsId, n }) => [lsId, n]))
}

/** What hangs on nodes that are to be deleted, in words; the first that is found. */
export async function hangingOn({ db, actor }: Context, lsIds: string[]): Promise<string | null> {
  const { schoolId } = actor
  const found = await sql<{ what: string | null }>`select case
    when exists (select 1 from "curriculum" where "schoolId" = ${schoolId} and "lsPid" = any(${lsIds}::uuid[]) and "lsId" <> all(${lsIds}::uuid[])) then '下级体系'
    when exists (select 1 from "lesson" where "schoolId" = ${schoolId} and "lsPath" && ${lsIds}::uuid[]) then '课程'
    when exists (select 1 from "supplement" where "schoolId" = ${schoolId} and "lsId" = any(${lsIds}::uuid[])) then '补录记录'
    when exists (select 1 from "evaluation" where "schoolId" = ${schoolId} and "lsId" = any(${lsIds}::uuid[])) then '评价规则'
    when exists (select 1 from "workflow" where "schoolId" = ${schoolId} and "lsIds" && ${lsIds}::uuid[]) then '审批流程'
    when exists (select 1 from "controlArea" where "schoolId" = ${schoolId} and "caType" = 'curriculum' and "caTarget" = any(${lsIds}::text[])) then '成员管理范围' end as what`.execute(db)
  return found.rows[0]?.what ?? null
}

/** Gives a moved node and all that lies below it, courses and supplements included, the path under the new parent. */
export async function movePaths({ db, actor }: Context, lsId: string, oldDepth: number, parentPath: string[]): Promise<void> {
  for (const table of ['curriculum', 'lesson', 'supplement']) {
    await sql`update ${sql.table(table)} set "lsPath" = ${parentPath}::uuid[] || "lsPath"[${sql.lit(oldDepth)}:] where "schoolId" = ${actor.schoolId} and "lsPath" && ${[lsId]}::uuid[]`.execute(db)
  }
}
