import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import type { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

type TreeOptions = { scIds?: string[] | undefined; grades?: string[] | undefined }

/** Colleges, majors and classes of the school as three lists in their order: three statements. */
async function placesOf(ctx: Context, { scIds, grades }: TreeOptions) {
  let colleges = from(ctx, 'college').select(['scId', 'scName']).where('enable', '=', enableStatus.enabled)
  let majors = from(ctx, 'major').select(['smId', 'smName', 'scId'])
  let classes = from(ctx, 'schoolClass').select(['scClassId', 'scClassName', 'scClassGrade', 'smId', 'scId'])
  if (scIds) {
    colleges = colleges.where(anyOf('scId', scIds))
    majors = majors.where(anyOf('scId', scIds))
    classes = classes.where(anyOf('scId', scIds))
  }
  if (grades?.length) classes = classes.where(sql<boolean>`"scClassGrade" = any(${grades}::text[])`)
  return Promise.all([
    colleges.orderBy('scSort').orderBy('scName').execute(),
    majors.orderBy('scSort').orderBy('smName').execute(),
    classes.orderBy('scClassGrade', 'desc').orderBy('scClassSort').orderBy('scClassName').execute(),
  ])
}

/** The tree of places; under a right, only the branches in which its area covers something. */
export async function placeTree(ctx: Context, { gradeList, under }: Checked<typeof collegeApi.tree>) {
  const scope = under ? ctx.actor.scopeFor(under) : wholeSchool
  const [colleges, majors, classes] = await placesOf(ctx, { grades: gradeList })
  const inMajor = grouped(
    classes.filter(({ scClassId, smId, scId, scClassGrade }) =>
      scopeIncludes(scope, { college: scId, major: smId, class: scClassId, grade: scClassGrade }),
    ),
    ({ smId }) => smId,
  )
  const inCollege = grouped(
    majors.filter(({ smId, scId }) => inMajor.has(smId) || scopeIncludes(scope, { college: scId, major: smId })),
    ({ scId }) => scId,
  )
  return colleges
    .filter(({ scId }) => inCollege.has(scId) || scopeIncludes(scope, { college: scId }))
    .map(({ scId, scName }) => ({
      id: scId,
      name: scName,
      children: (inCollege.get(scId) ?? []).map(({ smId, smName }) => ({
        id: smId,
        name: smName,
        children: (inMajor.get(smId) ?? []).map(({ scClassId, scClassName, scClassGrade }) => ({
          id: scClassId,
          name: scClassName,
          grade: scClassGrade,
        })),
      })),
    }))
}

/** Majors and classes of some colleges, or of all, as flat lists. */
export async function majorsAndClasses(
  ctx: Context,
  { collegeIdList, gradeList }: Checked<typeof collegeApi.majorAndClass>,
) {
  const [, majors, classes] = await placesOf(ctx, { scIds: collegeIdList, grades: gradeList })
  return {
    majors: majors.map(({ smId, smName, scId }) => ({ id: smId, name: smName, scId })),
    classes: classes.map(({ scClassId, scClassName, scClassGrade, smId, scId }) => ({
      id: scClassId,
      name: scClassName,
      grade: scClassGrade,
      smId,
      scId,
    })),
  }
}
