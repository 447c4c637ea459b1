import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion, assertInScope } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { majorsInUse, visibleMajors } from './majors.queries.ts'
import { assertColleges } from './places.service.ts'
import { dependentsText, takenFailure } from './uniqueness.ts'

type Form = Checked<typeof majorApi.save>

/**
 * Adds or changes a major. Both the college it leaves and the one it comes to must lie in reach; classes and students
 * move along.
 */
export function saveMajor(ctx: Context, { smId, version, ...fields }: Form) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    await assertColleges(tx, [fields.scId])
    const id = smId ?? newId()
    assertInScope(tx.scope, { college: fields.scId, major: id })
    await assertUnique(tx, smId, fields)
    if (!smId) {
      await tx.db
        .insertInto('major')
        .values({ ...createdColumns(tx), smId: id, ...fields })
        .execute()
      await audit(tx, { action: '新增专业', bizType: 'major', bizId: id, bizName: fields.smName, after: fields })
      return { smId: id }
    }
    const before = await visibleMajors(tx).selectAll().where('smId', '=', smId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    await tx.db
      .updateTable('major')
      .set({ ...fields, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('smId', '=', smId)
      .execute()
    if (before.scId !== fields.scId) {
      await tx.db
        .updateTable('schoolClass')
        .set({ scId: fields.scId, ...updatedColumns(tx) })
        .where('schoolId', '=', schoolId)
        .where('smId', '=', smId)
        .execute()
      await tx.db
        .updateTable('person')
        .set({ suiCollegeId: fields.scId, ...updatedColumns(tx) })
        .where('schoolId', '=', schoolId)
        .where('majorId', '=', smId)
        .execute()
    }
    await audit(tx, {
      action: '编辑专业',
      bizType: 'major',
      bizId: smId,
      bizName: fields.smName,
      ...changedFields(before, fields),
    })
    return { smId }
  })
}

async function assertUnique(
  ctx: Context,
  smId: string | undefined,
  { smName, smCode, scId }: Pick<Form, 'smName' | 'smCode' | 'scId'>,
): Promise<void> {
  const others = await from(ctx, 'major')
    .select(['smId', 'smCode'])
    .where((or) => or.or([or('smCode', '=', smCode), or.and([or('smName', '=', smName), or('scId', '=', scId)])]))
    .execute()
  for (const other of others) {
    if (other.smId === smId) continue
    throw other.smCode === smCode
      ? takenFailure('number-taken', 'smCode', '专业代码', smCode)
      : takenFailure('name-taken', 'smName', '专业', smName)
  }
}

/** Removes majors on which nothing hangs; all or none. */
export function removeMajors(ctx: Context, { ids }: Checked<typeof majorApi.remove>) {
  return inTransaction(ctx, async (tx) => {
    const rows = await visibleMajors(tx)
      .select(['smId', 'smName'])
      .where(anyOf('major.smId', ids))
      .forUpdate()
      .execute()
    if (rows.length !== ids.length) throw new Failure('not-found')
    const [used] = await majorsInUse(tx, ids)
    if (used) {
      const { smName, classes, students, areas } = used
      throw new Failure('major-in-use', {
        name: smName,
        what: dependentsText([
          [classes, '个班级'],
          [students, '名学生'],
          [areas, '名成员的管理范围'],
        ]),
      })
    }
    await tx.db.deleteFrom('major').where('schoolId', '=', tx.actor.schoolId).where(anyOf('smId', ids)).execute()
    await auditMany(
      tx,
      rows.map(({ smId, smName }) => ({ action: '删除专业', bizType: 'major', bizId: smId, bizName: smName })),
    )
    return { affected: rows.length }
  })
}
