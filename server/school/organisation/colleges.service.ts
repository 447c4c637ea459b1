import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion, assertInScope } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { collegesInUse, visibleColleges } from './colleges.queries.ts'
import { dependentsText, takenFailure } from './uniqueness.ts'

type Form = Checked<typeof collegeApi.save>

/**
 * Adds a college, or changes one in reach. Only who may edit the whole school adds any: a new one lies in nobody's
 * area.
 */
export function saveCollege(ctx: Context, { scId, version, ...given }: Form) {
  const fields = {
    ...given,
    scShort: given.scShort ?? '',
    scLeader: given.scLeader ?? '',
    scPhone: given.scPhone ?? '',
  }
  return inTransaction(ctx, async (tx) => {
    await assertUnique(tx, scId, fields)
    if (!scId) return { scId: await addCollege(tx, fields) }
    const before = await visibleColleges(tx).selectAll().where('scId', '=', scId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    await tx.db
      .updateTable('college')
      .set({ ...fields, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('scId', '=', scId)
      .execute()
    await audit(tx, {
      action: '编辑学院',
      bizType: 'college',
      bizId: scId,
      bizName: fields.scName,
      ...changedFields(before, fields),
    })
    return { scId }
  })
}

async function addCollege(
  tx: Context,
  fields: Omit<Form, 'scId' | 'version' | 'scShort' | 'scLeader' | 'scPhone'> & {
    scShort: string
    scLeader: string
    scPhone: string
  },
): Promise<string> {
  const scId = newId()
  assertInScope(tx.scope, { college: scId })
  await tx.db
    .insertInto('college')
    .values({ ...createdColumns(tx), scId, ...fields })
    .execute()
  await audit(tx, { action: '新增学院', bizType: 'college', bizId: scId, bizName: fields.scName, after: fields })
  return scId
}

/** Names and codes are one of a kind in a school, whoever may see the other record. */
async function assertUnique(
  ctx: Context,
  scId: string | undefined,
  { scName, scCode }: { scName: string; scCode: string },
): Promise<void> {
  const others = await from(ctx, 'college')
    .select(['scId', 'scName', 'scCode'])
    .where((or) => or.or([or('scName', '=', scName), or('scCode', '=', scCode)]))
    .execute()
  for (const other of others) {
    if (other.scId === scId) continue
    throw other.scName === scName
      ? takenFailure('name-taken', 'scName', '学院', scName)
      : takenFailure('number-taken', 'scCode', '学院编码', scCode)
  }
}

/** Removes colleges on which nothing hangs; one that is in use or out of reach, and none is removed. */
export function removeColleges(ctx: Context, { collegeIdList }: Checked<typeof collegeApi.remove>) {
  return inTransaction(ctx, async (tx) => {
    const rows = await visibleColleges(tx)
      .select(['scId', 'scName'])
      .where(anyOf('college.scId', collegeIdList))
      .forUpdate()
      .execute()
    if (rows.length !== collegeIdList.length) throw new Failure('not-found')
    const [used] = await collegesInUse(tx, collegeIdList)
    if (used) {
      const { scName, majors, students, teachers, lessons, areas } = used
      const what = dependentsText([
        [majors, '个专业'],
        [students, '名学生'],
        [teachers, '名教师'],
        [lessons, '门课程'],
        [areas, '名成员的管理范围'],
      ])
      throw new Failure('college-in-use', { name: scName, what })
    }
    await tx.db
      .deleteFrom('college')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('scId', collegeIdList))
      .execute()
    await auditMany(
      tx,
      rows.map(({ scId, scName }) => ({ action: '删除学院', bizType: 'college', bizId: scId, bizName: scName })),
    )
    return { affected: rows.length }
  })
}
