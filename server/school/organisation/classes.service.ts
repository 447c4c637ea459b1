import type { Checked } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion, assertInScope } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { classesInUse, visibleClasses } from './classes.queries.ts'
import { assertMajorOfCollege } from './places.service.ts'
import { dependentsText, takenFailure } from './uniqueness.ts'

type Form = Checked<typeof classApi.save>

/** Adds or changes a class. Its new place must lie in reach as its old one does; its students move along. */
export function saveClass(ctx: Context, { scClassId, version, ...given }: Form) {
  const fields = {
    ...given,
    scClassCode: given.scClassCode ?? '',
    counselorId: given.counselorId ?? null,
    headTeacherId: given.headTeacherId ?? null,
  }
  const { scId, smId, scClassGrade, scClassName } = fields
  return inTransaction(ctx, async (tx) => {
    const id = scClassId ?? newId()
    await assertMajorOfCollege(tx, smId, scId)
    assertInScope(tx.scope, { college: scId, major: smId, class: id, grade: scClassGrade })
    await assertUnique(tx, scClassId, fields)
    await assertTeachers(tx, fields)
    if (!scClassId) {
      await tx.db
        .insertInto('schoolClass')
        .values({ ...createdColumns(tx), scClassId: id, ...fields })
        .execute()
      await audit(tx, { action: '新增班级', bizType: 'schoolClass', bizId: id, bizName: scClassName, after: fields })
      return { scClassId: id }
    }
    const { schoolId } = tx.actor
    const before = await visibleClasses(tx)
      .selectAll()
      .where('scClassId', '=', scClassId)
      .forUpdate()
      .executeTakeFirst()
    assertVersion(tx, before, version)
    await tx.db
      .updateTable('schoolClass')
      .set({ ...fields, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('scClassId', '=', scClassId)
      .execute()
    if (before.smId !== smId || before.scId !== scId || before.scClassGrade !== scClassGrade) {
      await tx.db
        .updateTable('person')
        .set({ suiCollegeId: scId, majorId: smId, suiGrade: scClassGrade, ...updatedColumns(tx) })
        .where('schoolId', '=', schoolId)
        .where('scClassId', '=', scClassId)
        .execute()
    }
    await audit(tx, {
      action: '编辑班级',
      bizType: 'schoolClass',
      bizId: scClassId,
      bizName: scClassName,
      ...changedFields(before, fields),
    })
    return { scClassId }
  })
}

async function assertUnique(
  ctx: Context,
  scClassId: string | undefined,
  { scClassName, smId, scClassGrade }: Pick<Form, 'scClassName' | 'smId' | 'scClassGrade'>,
): Promise<void> {
  const other = await from(ctx, 'schoolClass')
    .select('scClassId')
    .where('smId', '=', smId)
    .where('scClassGrade', '=', scClassGrade)
    .where('scClassName', '=', scClassName)
    .executeTakeFirst()
  if (other && other.scClassId !== scClassId) throw takenFailure('name-taken', 'scClassName', '班级', scClassName)
}

/** Counselor and head teacher are members of the school's staff. */
async function assertTeachers(
  ctx: Context,
  { counselorId, headTeacherId }: { counselorId: string | null; headTeacherId: string | null },
): Promise<void> {
  const wanted = [counselorId, headTeacherId].filter((one) => one !== null)
  const rows = await from(ctx, 'person')
    .select('suId')
    .where(anyOf('suId', wanted))
    .where('suiType', '<>', personType.student)
    .execute()
  const known = new Set(rows.map(({ suId }) => suId))
  if (counselorId && !known.has(counselorId))
    throw invalidInput([{ field: 'counselorId', msg: '所选辅导员不存在或已删除' }])
  if (headTeacherId && !known.has(headTeacherId))
    throw invalidInput([{ field: 'headTeacherId', msg: '所选班主任不存在或已删除' }])
}

/** Removes classes without students; all or none. */
export function removeClasses(ctx: Context, { ids }: Checked<typeof classApi.remove>) {
  return inTransaction(ctx, async (tx) => {
    const rows = await visibleClasses(tx)
      .select(['scClassId', 'scClassName'])
      .where(anyOf('schoolClass.scClassId', ids))
      .forUpdate()
      .execute()
    if (rows.length !== ids.length) throw new Failure('not-found')
    const [used] = await classesInUse(tx, ids)
    if (used)
      throw new Failure('class-in-use', {
        name: used.scClassName,
        what: dependentsText([
          [used.students, '名学生'],
          [used.areas, '名成员的管理范围'],
        ]),
      })
    await tx.db
      .deleteFrom('schoolClass')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('scClassId', ids))
      .execute()
    await auditMany(
      tx,
      rows.map(({ scClassId, scClassName }) => ({
        action: '删除班级',
        bizType: 'schoolClass',
        bizId: scClassId,
        bizName: scClassName,
      })),
    )
    return { affected: rows.length }
  })
}
