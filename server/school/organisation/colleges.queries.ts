import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import type { Permit } from '../../../contract/core/call.ts'
import { allowedActions } from '../../core/request/scope-check.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { inUse, rowsOf, controllersOf } from './in-use.ts'

type Filters = Checked<typeof collegeApi.list>

const rights = { edit: 'college:edit', delete: 'college:delete' } as const
const sortable = {
  scSort: 'college.scSort',
  scName: 'college.scName',
  scCode: 'college.scCode',
  createTime: 'college.createTime',
}

/** The colleges that exist for whoever asks. */
export const visibleColleges = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'college').where(inScope(scope, { college: 'college.scId' }))

function matching(ctx: Context, { scName, scCode, enable }: Filters) {
  let query = visibleColleges(ctx)
  if (scName) query = query.where(contains('college.scName', scName))
  if (scCode) query = query.where(contains('college.scCode', scCode))
  if (enable) query = query.where('college.enable', '=', enable)
  return query
}

/** A page of colleges with what hangs on each: two statements. */
export async function listColleges(ctx: Context, input: Filters) {
  const [rows, total] = await Promise.all([
    matching(ctx, input)
      .select([
        'scId',
        'scName',
        'scCode',
        'scShort',
        'scType',
        'scLeader',
        'scPhone',
        'scSort',
        'enable',
        'createName',
        'createTime',
        'updateTime',
        'version',
      ])
      .select([
        rowsOf('major', 'scId', 'college.scId').as('majorCount'),
        rowsOf('schoolClass', 'scId', 'college.scId').as('classCount'),
        rowsOf(
          'person',
          'suiCollegeId',
          'college.scId',
          sql`x."suiType" = ${sql.lit(personType.student)} and x."delFlag" = '0'`,
        ).as('studentCount'),
      ])
      .orderBy(listOrder(input, sortable))
      .orderBy('college.scId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching(ctx, input)),
  ])
  return asPage(
    rows.map((row) => ({ ...row, can: allowedActions(ctx.actor, rights, { college: row.scId }) })),
    total,
    input,
  )
}

/**
 * Options of the college drop-down. Under a right they are the colleges that the right's area touches: a college
 * admin's own, a counselor's by the classes they lead.
 */
export async function collegeOptions({ db, actor }: Context, { under }: { under?: Permit | undefined }) {
  let query = from({ db, actor }, 'college').where('college.enable', '=', enableStatus.enabled)
  if (under) {
    const scope = actor.scopeFor(under)
    const ownClasses = from({ db, actor }, 'schoolClass')
      .select('schoolClass.scId')
      .where(
        inScope(scope, {
          college: 'schoolClass.scId',
          major: 'schoolClass.smId',
          class: 'schoolClass.scClassId',
          grade: 'schoolClass.scClassGrade',
        }),
      )
    query = query.where((or) =>
      or.or([or('college.scId', 'in', ownClasses), inScope(scope, { college: 'college.scId' })]),
    )
  }
  const rows = await query
    .select(['college.scId', 'college.scName'])
    .orderBy('college.scSort')
    .orderBy('college.scName')
    .execute()
  return rows.map(({ scId, scName }) => ({ id: scId, name: scName }))
}

/** What still hangs on colleges. */
export const collegesInUse = inUse({
  table: 'college',
  id: 'scId',
  name: 'scName',
  order: 'scSort',
  counts: {
    majors: rowsOf('major', 'scId', 'o.scId'),
    students: rowsOf('person', 'suiCollegeId', 'o.scId', sql`x."suiType" = ${sql.lit(personType.student)}`),
    teachers: rowsOf('person', 'suiCollegeId', 'o.scId', sql`x."suiType" <> ${sql.lit(personType.student)}`),
    lessons: rowsOf('lesson', 'liCollegeId', 'o.scId'),
    areas: controllersOf('college', 'scId'),
  },
})
