import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { allowedActions } from '../../core/request/scope-check.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { inUse, rowsOf, controllersOf } from './in-use.ts'

type Filters = Checked<typeof classApi.list>

const rights = { edit: 'class:edit', delete: 'class:delete', grant: 'role:grant' } as const
const sortable = {
  scClassSort: 'schoolClass.scClassSort',
  scClassGrade: 'schoolClass.scClassGrade',
  scClassName: 'schoolClass.scClassName',
  createTime: 'schoolClass.createTime',
}
/** Which columns of a class an area speaks of. */
export const classScopeColumns = {
  college: 'schoolClass.scId',
  major: 'schoolClass.smId',
  class: 'schoolClass.scClassId',
  grade: 'schoolClass.scClassGrade',
}

/** The classes that exist for whoever asks. */
export const visibleClasses = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'schoolClass').where(inScope(scope, classScopeColumns))

/**
 * The league secretary of a class: the student whose role of that name covers it. A relation of one row at most, named
 * `secretary`.
 */
const secretaryOfClass = sql`(
    select p."suId", p."suiName"
    from "controlArea" a
    join "role" r on r."schoolId" = a."schoolId" and r."srId" = a."srId" and r."srCode" = 'LEAGUE_SEC'
    join "person" p on p."schoolId" = a."schoolId"
      and p."suId" = a."suId"
      and p."suiType" = ${sql.lit(personType.student)}
    where a."schoolId" = "schoolClass"."schoolId"
      and a."caType" = 'class'
      and a."caTarget" = "schoolClass"."scClassId"::text
    order by p."suiNumber"
    limit 1
  ) secretary`

function matching(ctx: Context, { scClassName, scId, smId, scClassGrade, counselorId, hasSecretary }: Filters) {
  let query = visibleClasses(ctx)
  if (scClassName) query = query.where(contains('schoolClass.scClassName', scClassName))
  if (scId) query = query.where('schoolClass.scId', '=', scId)
  if (smId) query = query.where('schoolClass.smId', '=', smId)
  if (scClassGrade) query = query.where('schoolClass.scClassGrade', '=', scClassGrade)
  if (counselorId) query = query.where('schoolClass.counselorId', '=', counselorId)
  if (hasSecretary !== undefined)
    query = query.where(sql<boolean>`exists (select from ${secretaryOfClass}) = ${hasSecretary}::boolean`)
  return query
}

/** A page of classes with their college, major, teachers and number of students: two statements. */
export async function listClasses(ctx: Context, input: Filters) {
  const [rows, total] = await Promise.all([
    matching(ctx, input)
      .innerJoin('college', withinSchool('college.scId', 'schoolClass.scId'))
      .innerJoin('major', withinSchool('major.smId', 'schoolClass.smId'))
      .leftJoin('person as counselor', withinSchool('counselor.suId', 'schoolClass.counselorId'))
      .leftJoin('person as head', withinSchool('head.suId', 'schoolClass.headTeacherId'))
      .select([
        'schoolClass.scClassId',
        'scClassName',
        'scClassCode',
        'schoolClass.scId',
        'college.scName',
        'schoolClass.smId',
        'major.smName',
        'scClassGrade',
        'scClassSort',
      ])
      .select(['counselorId', 'counselor.suiName as counselorName', 'headTeacherId', 'head.suiName as headTeacherName'])
      .select([
        sql<string | null>`(select "suId" from ${secretaryOfClass})`.as('leagueSecretaryId'),
        sql<string | null>`(select "suiName" from ${secretaryOfClass})`.as('leagueSecretaryName'),
      ])
      .select(['schoolClass.createName', 'schoolClass.createTime', 'schoolClass.updateTime', 'schoolClass.version'])
      .select([rowsOf('person', 'scClassId', 'schoolClass.scClassId', sql`x."delFlag" = '0'`).as('studentCount')])
      .orderBy(listOrder(input, sortable))
      .orderBy('schoolClass.scClassGrade', 'desc')
      .orderBy('schoolClass.scClassName')
      .orderBy('schoolClass.scClassId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching(ctx, input)),
  ])
  return asPage(
    rows.map((row) => ({
      ...row,
      can: allowedActions(ctx.actor, rights, {
        college: row.scId,
        major: row.smId,
        class: row.scClassId,
        grade: row.scClassGrade,
      }),
    })),
    total,
    input,
  )
}

/** Options of the class drop-down of a major; under a right, those in its area. */
export async function classOptions(
  { db, actor }: Context,
  { majorId, grade, under }: Checked<typeof classApi.options>,
) {
  let query = from({ db, actor }, 'schoolClass').where('schoolClass.smId', '=', majorId)
  if (grade) query = query.where('schoolClass.scClassGrade', '=', grade)
  if (under) query = query.where(inScope(actor.scopeFor(under), classScopeColumns))
  const rows = await query
    .select(['scClassId', 'scClassName', 'scClassGrade'])
    .orderBy('scClassGrade', 'desc')
    .orderBy('scClassSort')
    .orderBy('scClassName')
    .execute()
  return rows.map(({ scClassId, scClassName, scClassGrade }) => ({
    id: scClassId,
    name: scClassName,
    grade: scClassGrade,
  }))
}

/** The years of entry the school has classes of, newest first. */
export async function gradeOptions(ctx: Context) {
  const rows = await from(ctx, 'schoolClass')
    .select('scClassGrade')
    .distinct()
    .orderBy('scClassGrade', 'desc')
    .execute()
  return rows.map(({ scClassGrade }) => ({ id: scClassGrade, name: `${scClassGrade}级` }))
}

/** What still hangs on classes. */
export const classesInUse = inUse({
  table: 'schoolClass',
  id: 'scClassId',
  name: 'scClassName',
  order: 'scClassName',
  counts: { students: rowsOf('person', 'scClassId', 'o.scClassId'), areas: controllersOf('class', 'scClassId') },
})
