import type { Checked } from '../../contract/core/call.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import type { memberApi } from '../../contract/roles/members.calls.ts'
import { forgetActors } from '../core/actor-cache.ts'
import { audit } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import { visibleStudents } from '../people/students.service.ts'
import { mustBeOwn, parentsOf } from './areas.service.ts'
import { scopeOf } from './grants.service.ts'
import { grantToAll, roleToGrant } from './members.service.ts'

/**
 * Makes a student the league secretary of his own class, which has one. Where there is another already, the caller must say
 * that he is to be replaced. Done twice, it changes nothing.
 */
export async function appointSecretary(ctx: Context, { srId, suId, replace = false }: Checked<typeof memberApi.addSecretary>) {
  const { schoolId } = ctx.actor
  const { affected, touched } = await inTransaction(ctx, async (tx) => {
    const role = await roleToGrant(tx, srId)
    if (role.dataScope !== '4') throw invalidInput([{ field: 'srId', msg: '请选择数据范围为“班级”的角色' }])
    const student = await visibleStudents(tx).select(['person.suiName', 'person.scClassId']).where('person.suId', '=', suId).executeTakeFirst()
    if (!student) throw new Failure('not-found')
    const { scClassId } = student
    if (!scClassId) throw invalidInput([{ field: 'suId', msg: '该学生没有班级' }])
    const target = { caType: 'class' as const, caTarget: scClassId }
    const area = { scIds: [], smIds: [], scClassIds: [scClassId], sdIds: [], grades: [], lsIds: [] }
    mustBeOwn(tx, role.permits, [scopeOf(role.dataScope, [target])], await parentsOf(tx, [area]))
    // one at a time for a class, so that two appointments at once still leave one secretary
    await tx.db.selectFrom('schoolClass').select('scClassId').where('schoolId', '=', schoolId).where('scClassId', '=', scClassId).forUpdate().execute()
    const holders = await secretariesOf(tx, srId, scClassId)
    if (holders.some((holder) => holder.suId === suId)) return { affected: 0, touched: [] }
    if (holders.length > 0 && !replace) throw new Failure('secretary-exists', { name: holders[0]!.suiName })
    await dismiss(tx, srId, scClassId, holders.map((holder) => holder.suId))
    await grantToAll(tx, srId, [suId], [])
    await tx.db.insertInto('controlArea').values({ schoolId, srId, suId, ...target }).onConflict((on) => on.doNothing()).execute()
    await audit(tx, { action: '设为团支书', bizType: 'role', bizId: srId, bizName: role.srName, before: { 团支书: holders.map(({ suiName }) => suiName) }, after: { 团支书: [student.suiName], scClassId } })
    return { affected: 1, touched: [suId, ...holders.map((holder) => holder.suId)] }
  })
  forgetActors(schoolId, touched)
  return { affected }
}

const secretariesOf = (tx: Context, srId: string, scClassId: string) =>
  tx.db
    .selectFrom('controlArea')
    .innerJoin('person', (join) => join.onRef('person.schoolId', '=', 'controlArea.schoolId').onRef('person.suId', '=', 'controlArea.suId'))
    .select(['person.suId', 'person.suiName'])
    .where('controlArea.schoolId', '=', tx.actor.schoolId)
    .where('controlArea.srId', '=', srId)
    .where('controlArea.caType', '=', 'class')
    .where('controlArea.caTarget', '=', scClassId)
    .where('person.suiType', '=', '1')
    .execute()

/** Takes the class from its former secretaries, and the role from those who have no other class. */
async function dismiss(tx: Context, srId: string, scClassId: string, suIds: string[]): Promise<void> {
  const { schoolId } = tx.actor
  for (const suId of suIds) {
    await tx.db.deleteFrom('controlArea').where('schoolId', '=', schoolId).where('srId', '=', srId).where('suId', '=', suId).where('caType', '=', 'class').where('caTarget', '=', scClassId).execute()
    const left = await tx.db.selectFrom('controlArea').select('caTarget').where('schoolId', '=', schoolId).where('srId', '=', srId).where('suId', '=', suId).limit(1).executeTakeFirst()
    if (!left) await tx.db.deleteFrom('roleUser').where('schoolId', '=', schoolId).where('srId', '=', srId).where('suId', '=', suId).execute()
  }
}
