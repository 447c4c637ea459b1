import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { namedAreas } from './areas.service.ts'
import type { AreaTarget } from './grants.service.ts'
import { personColumns, isNamed } from '../organisation/person-columns.ts'

/** Which columns of a person an area speaks of. */
export const personScopeColumns = {
  college: 'person.suiCollegeId',
  major: 'person.majorId',
  class: 'person.scClassId',
  grade: 'person.suiGrade',
}

/** The memberships of roles that exist for whoever asks: those of people in their area. */
export const visibleMembers = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'roleUser')
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .innerJoin('person', withinSchool('person.suId', 'roleUser.suId'))
    .where('person.delFlag', '=', sql.lit(yesNo.no))
    .where(inScope(scope, personScopeColumns))

/** The control area of a membership, as a column of {@link visibleMembers}. */
export const targetsColumn = sql<AreaTarget[]>`coalesce(
    (
      select json_agg(
        json_build_object('caType', a."caType", 'caTarget', a."caTarget") order by a."caType", a."caTarget"
      )
      from "controlArea" a
      where a."schoolId" = "roleUser"."schoolId" and a."srId" = "roleUser"."srId" and a."suId" = "roleUser"."suId"
    ), '[]'
  )`

/** A page of members with their control areas: three statements. */
export async function listMembers(ctx: Context, input: Checked<typeof memberApi.list>) {
  const { srId, suId, search, suiCollegeId } = input
  let query = visibleMembers(ctx)
  if (srId) query = query.where('roleUser.srId', '=', srId)
  if (suId) query = query.where('roleUser.suId', '=', suId)
  if (search) query = query.where(isNamed(search))
  if (suiCollegeId) query = query.where('person.suiCollegeId', '=', suiCollegeId)
  const [rows, total] = await Promise.all([
    query
      .innerJoin('account', withinSchool('account.suId', 'person.suId'))
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select(['roleUser.srId', 'role.srName', 'role.srCode', 'role.dataScope', 'role.permits', ...personColumns])
      .leftJoin('person as giver', withinSchool('giver.suId', 'roleUser.grantedBy'))
      .select([
        'account.suStatus',
        'roleUser.grantTime',
        'giver.suiName as grantName',
        'roleUser.endDate',
        'person.suiCollegeId',
        'person.majorId',
        'person.scClassId',
        'person.suiGrade',
        targetsColumn.as('targets'),
      ])
      .orderBy(
        listOrder(input, {
          srSort: 'role.srSort',
          suiNumber: 'person.suiNumber',
          suiName: 'person.suiName',
          grantTime: 'roleUser.grantTime',
          endDate: 'roleUser.endDate',
        }),
      )
      .orderBy('person.suiNumber')
      .orderBy('roleUser.srId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const areas = await namedAreas(
    ctx.db,
    ctx.actor.schoolId,
    rows.map(({ targets }) => targets),
  )
  const mayGrant = ctx.actor.permits.has('role:grant')
  const reach = ctx.actor.scopeFor('role:grant')
  const records = rows.map(
    ({ permits, targets: _, suiCollegeId: college, majorId: major, scClassId, suiGrade: grade, ...row }, at) => {
      // nobody changes their own roles: see `assertNotSelf`
      const granted =
        mayGrant &&
        row.suId !== ctx.actor.suId &&
        scopeIncludes(reach, { college, major, class: scClassId, grade }) &&
        permits.every((permit) => ctx.actor.permits.has(permit))
      return { ...row, area: areas[at]!, can: granted ? (['grant'] as 'grant'[]) : [] }
    },
  )
  return asPage(records, total, input)
}

/** The control area of one member. */
export async function memberArea(ctx: Context, { srId, suId }: Checked<typeof memberApi.area>) {
  const row = await visibleMembers(ctx)
    .select(targetsColumn.as('targets'))
    .where('roleUser.srId', '=', srId)
    .where('roleUser.suId', '=', suId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return (await namedAreas(ctx.db, ctx.actor.schoolId, [row.targets]))[0]!
}
