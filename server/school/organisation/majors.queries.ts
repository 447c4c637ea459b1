import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { allowedActions } from '../../core/request/scope-check.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { inUse, rowsOf, controllersOf } from './in-use.ts'

type Filters = Checked<typeof majorApi.list>

const rights = { edit: 'major:edit', delete: 'major:delete' } as const
const sortable = {
  scSort: 'major.scSort',
  smName: 'major.smName',
  smCode: 'major.smCode',
  createTime: 'major.createTime',
}

/** The majors that exist for whoever asks. */
export const visibleMajors = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'major').where(inScope(scope, { college: 'major.scId', major: 'major.smId' }))

function matching(ctx: Context, { smName, smCode, scId, eduLevel }: Filters) {
  let query = visibleMajors(ctx)
  if (smName) query = query.where(contains('major.smName', smName))
  if (smCode) query = query.where(contains('major.smCode', smCode))
  if (scId) query = query.where('major.scId', '=', scId)
  if (eduLevel) query = query.where('major.eduLevel', '=', eduLevel)
  return query
}

/** A page of majors with their college and what hangs on each: two statements. */
export async function listMajors(ctx: Context, input: Filters) {
  const [rows, total] = await Promise.all([
    matching(ctx, input)
      .innerJoin('college', withinSchool('college.scId', 'major.scId'))
      .select([
        'major.smId',
        'smName',
        'smCode',
        'major.scId',
        'college.scName',
        'eduLevel',
        'years',
        'major.scSort',
        'major.createName',
        'major.createTime',
        'major.updateTime',
        'major.version',
      ])
      .select([
        rowsOf('schoolClass', 'smId', 'major.smId').as('classCount'),
        rowsOf('person', 'majorId', 'major.smId', sql`x."delFlag" = '0'`).as('studentCount'),
      ])
      .orderBy(listOrder(input, sortable))
      .orderBy('major.smCode')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching(ctx, input)),
  ])
  return asPage(
    rows.map((row) => ({ ...row, can: allowedActions(ctx.actor, rights, { college: row.scId, major: row.smId }) })),
    total,
    input,
  )
}

/** Options of the major drop-down of a college; under a right, those its area touches. */
export async function majorOptions({ db, actor }: Context, { id, under }: Checked<typeof majorApi.options>) {
  let query = from({ db, actor }, 'major').where('major.scId', '=', id)
  if (under) {
    const scope = actor.scopeFor(under)
    const ownClasses = from({ db, actor }, 'schoolClass')
      .select('schoolClass.smId')
      .where(
        inScope(scope, {
          college: 'schoolClass.scId',
          major: 'schoolClass.smId',
          class: 'schoolClass.scClassId',
          grade: 'schoolClass.scClassGrade',
        }),
      )
    query = query.where((or) =>
      or.or([or('major.smId', 'in', ownClasses), inScope(scope, { college: 'major.scId', major: 'major.smId' })]),
    )
  }
  const rows = await query.select(['smId', 'smName']).orderBy('scSort').orderBy('smName').execute()
  return rows.map(({ smId, smName }) => ({ id: smId, name: smName }))
}

/** What still hangs on majors. */
export const majorsInUse = inUse({
  table: 'major',
  id: 'smId',
  name: 'smName',
  order: 'scSort',
  counts: {
    classes: rowsOf('schoolClass', 'smId', 'o.smId'),
    students: rowsOf('person', 'majorId', 'o.smId'),
    areas: controllersOf('major', 'smId'),
  },
})
