import { sql } from 'kysely'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Area, Scope } from '../../../contract/core/scope.ts'
import type { ControlArea } from '../../../contract/school/roles/roles.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import type { Db } from '../../core/database/pool.ts'
import { areaFields, type AreaKind, type AreaTarget } from './grants.service.ts'
import { within, type Parents } from './own-reach.ts'
import { lockRows } from '../../core/database/lock-rows.ts'

type DbAndActor = Pick<Context, 'db' | 'actor'>

/** The rows that a control area is kept as. */
export const targetsOf = (area: Area): AreaTarget[] =>
  (Object.keys(areaFields) as AreaKind[]).flatMap((caType) =>
    [...new Set(area[areaFields[caType]])].map((caTarget) => ({ caType, caTarget })),
  )

/** Finds where the targets of areas lie; refuses targets that the school does not have. */
export async function parentsOf(asking: DbAndActor, areas: readonly Area[]): Promise<Parents> {
  const all = (field: keyof Area) => new Set(areas.flatMap((area) => area[field])).size
  // a node is deleted after a look at who names it, and must not be named meanwhile
  await lockRows(
    asking,
    'curriculum',
    areas.flatMap(({ lsIds }) => lsIds),
    'share',
  )
  const [parents, others] = await Promise.all([knownParents(asking, areas), countOthers(asking, areas)])
  const missing = [
    ['scIds', '学院', others.colleges],
    ['smIds', '专业', parents.majors.size],
    ['scClassIds', '班级', parents.classes.size],
    ['sdIds', '部门', others.departments],
    ['lsIds', '课程体系', parents.nodes.size],
  ] as const
  const faults = missing
    .filter(([field, , found]) => found !== all(field))
    .map(([field, label]) => ({ field, msg: `所选${label}不存在或已删除` }))
  if (faults.length > 0) throw invalidInput(faults)
  return parents
}

/** Where those targets of areas lie that exist: three statements. */
export async function knownParents({ db, actor }: DbAndActor, areas: readonly Area[]): Promise<Parents> {
  const all = (field: keyof Area) => [...new Set(areas.flatMap((area) => area[field]))]
  const { schoolId } = actor
  const [majors, classes, nodes] = await Promise.all([
    from({ db, schoolId }, 'major')
      .select(['smId', 'scId'])
      .where(anyOf('smId', all('smIds')))
      .execute(),
    from({ db, schoolId }, 'schoolClass')
      .select(['scClassId', 'scId', 'smId', 'scClassGrade as grade'])
      .where(anyOf('scClassId', all('scClassIds')))
      .execute(),
    from({ db, schoolId }, 'curriculum')
      .select(['lsId', 'lsPath'])
      .where(anyOf('lsId', all('lsIds')))
      .execute(),
  ])
  return {
    majors: new Map(majors.map((one) => [one.smId, one])),
    classes: new Map(classes.map((one) => [one.scClassId, one])),
    nodes: new Map(nodes.map((one) => [one.lsId, one.lsPath])),
  }
}

const countOthers = ({ db, actor }: DbAndActor, areas: readonly Area[]) =>
  sql<{ colleges: number; departments: number }>`select (
      select count(*)::int
      from "college"
      where "schoolId" = ${actor.schoolId} and "scId" = any(${areas.flatMap(({ scIds }) => scIds)}::uuid[])
    ) "colleges",
      (
        select count(*)::int
        from "department"
        where "schoolId" = ${actor.schoolId} and "sdId" = any(${areas.flatMap(({ sdIds }) => sdIds)}::uuid[])
      ) "departments"`
    .execute(db)
    .then(({ rows }) => rows[0]!)

/**
 * Refuses to give (or take) rights over more than the caller has them for themselves, or over more than their right to
 * give covers.
 */
export function assertWithinOwnRights(
  { actor }: Pick<Context, 'actor'>,
  permits: readonly string[],
  scopes: readonly Scope[],
  parents: Parents,
): void {
  for (const permit of ['role:grant', ...permits]) {
    const own = actor.scopeFor(permit as `${string}:${string}`)
    if (!actor.permits.has(permit) || !scopes.every((scope) => within(own, scope, parents)))
      throw new Failure('grant-exceeds-own')
  }
}

/** Control areas with the names of their targets: one statement whatever their number. */
export async function namedAreas(
  db: Db,
  schoolId: string,
  targetLists: readonly (readonly AreaTarget[])[],
): Promise<ControlArea[]> {
  const all = targetLists.flat()
  const idsOf = (kind: AreaKind) => [
    ...new Set(all.filter(({ caType }) => caType === kind).map(({ caTarget }) => caTarget)),
  ]
  const { rows } = await sql<{ target: string; name: string }>`
      select "scId"::text "target", "scName" "name"
      from "college"
      where "schoolId" = ${schoolId} and "scId" = any(${idsOf('college')}::uuid[])
      union all
      select m."smId"::text, c."scName" || ' / ' || m."smName"
      from "major" m
      join "college" c on c."schoolId" = m."schoolId" and c."scId" = m."scId"
      where m."schoolId" = ${schoolId} and m."smId" = any(${idsOf('major')}::uuid[])
      union all
      select "scClassId"::text, "scClassName"
      from "schoolClass"
      where "schoolId" = ${schoolId} and "scClassId" = any(${idsOf('class')}::uuid[])
      union all
      select "sdId"::text, "sdName"
      from "department"
      where "schoolId" = ${schoolId} and "sdId" = any(${idsOf('department')}::uuid[])
      union all
      select "lsId"::text, "lsName"
      from "curriculum"
      where "schoolId" = ${schoolId} and "lsId" = any(${idsOf('curriculum')}::uuid[])`.execute(db)
  const names = new Map(rows.map(({ target, name }) => [target, name]))
  return targetLists.map((targets) => ({
    ...areaOf(targets),
    names: targets.map(({ caType, caTarget }) => ({
      kind: caType,
      target: caTarget,
      name: caType === 'grade' ? `${caTarget}级` : (names.get(caTarget) ?? '已删除'),
    })),
  }))
}

/** The area that targets make together. */
export function areaOf(targets: readonly AreaTarget[]): Area {
  const area: Area = { scIds: [], smIds: [], scClassIds: [], sdIds: [], grades: [], lsIds: [] }
  for (const { caType, caTarget } of targets) area[areaFields[caType]].push(caTarget)
  return area
}
