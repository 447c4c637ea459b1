import type { Checked } from '../../../contract/core/call.ts'
import { isMasked } from '../../../contract/school/people/people.fields.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { piiRight } from './person-facts.ts'
import { studentScopeColumns, visibleStudents } from './students.service.ts'
import { teacherScopeColumns, visibleTeachers } from './teachers.service.ts'
import { personColumns } from '../organisation/person-columns.ts'

type Input = Checked<typeof studentApi.similar>
type People = ReturnType<typeof visibleStudents>

/** Students who may be the one about to be added, so that nobody is on file twice. It hints and refuses nothing. */
export const similarStudents = (ctx: Context, input: Input) =>
  similar(ctx, input, visibleStudents(ctx), studentScopeColumns)
/** The same for members of staff. */
export const similarTeachers = (ctx: Context, input: Input) =>
  similar(ctx, input, visibleTeachers(ctx), teacherScopeColumns)

/**
 * By name and day of birth for those who may see it; each find is on record, since it tells a birth. For everybody else
 * by name and college, so that the answer never depends on what they may not see.
 */
async function similar(
  ctx: Context,
  { suiName, birth, suiCollegeId, suId }: Input,
  people: People,
  place: typeof studentScopeColumns | typeof teacherScopeColumns,
) {
  const byBirth = ctx.actor.permits.has(piiRight)
  if (
    byBirth
      ? !birth || isMasked(birth) || !/^\d{4}-\d\d-\d\d$/.test(birth) || Number.isNaN(Date.parse(birth))
      : !suiCollegeId
  )
    return { byBirth, people: [] }
  let query = people.where('person.suiName', '=', suiName)
  query = byBirth
    ? query.where('person.birth', '=', birth!).where(inScope(ctx.actor.scopeFor(piiRight), place))
    : query.where('person.suiCollegeId', '=', suiCollegeId!)
  if (suId) query = query.where('person.suId', '<>', suId)
  const found = await query
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select(personColumns)
    .orderBy('person.suiNumber')
    .limit(5)
    .execute()
  if (byBirth)
    await auditMany(
      ctx,
      found.map((one) => ({
        action: '核对重复人员',
        bizType: 'person',
        bizId: one.suId,
        bizName: `${one.suiName}（${one.suiNumber}）`,
        after: { 比对: '姓名与出生日期' },
      })),
    )
  return { byBirth, people: found }
}
