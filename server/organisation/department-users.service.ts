import type { Checked } from '../../contract/core/call.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import type { departmentApi } from '../../contract/organisation/departments.calls.ts'
import { among } from '../core/among.ts'
import { audit } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import { ownDepartments, personInReach } from './departments.queries.ts'

/** Puts people into a department in reach; those who are in it already stay as they are. */
export function addDepartmentUsers(ctx: Context, { sdId, suIds, post = '' }: Checked<typeof departmentApi.addUsers>) {
  return inTransaction(ctx, async (tx) => {
    const department = await departmentInReach(tx, sdId)
    const people = await tx.db.selectFrom('person').select(['suId', 'suiName']).where('schoolId', '=', tx.actor.schoolId).where(among('suId', suIds)).where('delFlag', '=', '0').execute()
    if (people.length !== suIds.length) throw new Failure('not-found')
    const added = await tx.db
      .insertInto('departmentUser')
      .values(people.map(({ suId }) => ({ schoolId: tx.actor.schoolId, sdId, suId, post })))
      .onConflict((on) => on.doNothing())
      .returning('suId')
      .execute()
    await audit(tx, { action: '添加部门成员', bizType: 'department', bizId: sdId, bizName: department.sdName, after: { post, people: people.map(({ suiName }) => suiName) } })
    return { affected: added.length }
  })
}

/** Takes people out of a department in reach; all of them must be in it. */
export function removeDepartmentUsers(ctx: Context, { sdId, suIds }: Checked<typeof departmentApi.removeUsers>) {
  return inTransaction(ctx, async (tx) => {
    const department = await departmentInReach(tx, sdId)
    const removed = await tx.db.deleteFrom('departmentUser').where('schoolId', '=', tx.actor.schoolId).where('sdId', '=', sdId).where(among('suId', suIds)).returning('suId').execute()
    if (removed.length !== suIds.length) throw new Failure('not-found')
    await audit(tx, { action: '移除部门成员', bizType: 'department', bizId: sdId, bizName: department.sdName, before: { suIds } })
    return { affected: removed.length }
  })
}

/** Sets the departments a person belongs to. Those he leaves and those he joins must lie in reach; the others stay untouched. */
export function setRelations(ctx: Context, { suId, relations }: Checked<typeof departmentApi.setRelations>) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    const person = await personInReach(tx, suId).select(['suId', 'suiName']).forUpdate().executeTakeFirst()
    if (!person) throw new Failure('not-found')
    const wanted = new Map(relations.map(({ sdId, post = '', sdSort }) => [sdId, { sdId, post, sdSort }]))
    if (wanted.size !== relations.length) throw invalidInput([{ field: 'relations', msg: '同一部门只能填写一次' }])
    const before = await tx.db.selectFrom('departmentUser').select(['sdId', 'post', 'sdSort']).where('schoolId', '=', schoolId).where('suId', '=', suId).execute()
    const had = new Map(before.map((one) => [one.sdId, one]))
    const gone = before.filter(({ sdId }) => !wanted.has(sdId))
    const altered = [...wanted.values()].filter((one) => had.get(one.sdId)?.post !== one.post || had.get(one.sdId)?.sdSort !== one.sdSort)
    const touched = [...gone, ...altered].map(({ sdId }) => sdId)
    const reachable = await ownDepartments(tx).select('sdId').where(among('department.sdId', touched)).execute()
    if (reachable.length !== touched.length) throw new Failure('out-of-reach')
    if (touched.length > 0) await tx.db.deleteFrom('departmentUser').where('schoolId', '=', schoolId).where('suId', '=', suId).where(among('sdId', touched)).execute()
    if (altered.length > 0) await tx.db.insertInto('departmentUser').values(altered.map((one) => ({ schoolId, suId, ...one }))).execute()
    await audit(tx, { action: '调整人员所在部门', bizType: 'person', bizId: suId, bizName: person.suiName, before: { relations: before }, after: { relations: [...wanted.values()] } })
    return { affected: touched.length }
  })
}

async function departmentInReach(tx: Context, sdId: string): Promise<{ sdName: string }> {
  const department = await ownDepartments(tx).select('sdName').where('department.sdId', '=', sdId).executeTakeFirst()
  if (!department) throw new Failure('not-found')
  return department
}
