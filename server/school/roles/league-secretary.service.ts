import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { audit } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { visibleStudents } from '../people/students.service.ts'
import { areaOf, assertWithinOwnRights, parentsOf } from './areas.service.ts'
import { scopeOf } from './grants.service.ts'
import { assertNotSelf, roleToGrant } from './members.service.ts'
import { lockedSecretaries, secretariesOf, type Appointment } from './secretaries.queries.ts'

/**
 * Makes a student the league secretary of their own class, which has one. Where there is another already, the caller
 * must say that they are to be replaced. Done twice, it changes nothing.
 */
export async function appointSecretary(
  ctx: Context,
  { srId, suId, replace = false }: Checked<typeof memberApi.addSecretary>,
) {
  const { affected, touched } = await inTransaction(ctx, async (tx) => {
    const role = await secretaryRole(tx, srId)
    const student = await visibleStudents(tx)
      .select(['person.suiName', 'person.scClassId', 'person.suiStatus'])
      .where('person.suId', '=', suId)
      .executeTakeFirst()
    if (!student) throw new Failure('not-found')
    const { scClassId } = student
    if (!scClassId) throw invalidInput([{ field: 'suId', msg: '该学生没有班级' }])
    await assertOwnClass(tx, role, scClassId)
    assertNotSelf(tx, [suId])
    const holders = await lockedSecretaries(tx, srId, [scClassId])
    if (holders.some((holder) => holder.suId === suId)) return { affected: 0, touched: [] }
    if (!isInSchool(student.suiStatus))
      throw invalidInput([{ field: 'suId', msg: `${student.suiName} 不是在读或延期学生，不能设为团支书` }])
    if (holders.length > 0 && !replace) throw new Failure('secretary-exists', { name: holders[0]!.suiName })
    await replaceSecretaries(tx, srId, [{ scClassId, suId }])
    await audit(tx, {
      action: '设为团支书',
      bizType: 'role',
      bizId: srId,
      bizName: role.srName,
      before: { 团支书: holders.map(({ suiName }) => suiName) },
      after: { 团支书: [student.suiName], scClassId },
    })
    return { affected: 1, touched: [suId, ...holders.map((holder) => holder.suId)] }
  })
  forgetActors(ctx.actor.schoolId, touched)
  return { affected }
}

/** Takes the class from its league secretary; without one, nothing happens. */
export async function dismissSecretary(ctx: Context, { srId, scClassId }: Checked<typeof memberApi.dismissSecretary>) {
  const holders = await inTransaction(ctx, async (tx) => {
    const role = await secretaryRole(tx, srId)
    await assertOwnClass(tx, role, scClassId)
    const found = await lockedSecretaries(tx, srId, [scClassId])
    if (found.length === 0) return found
    await dismiss(tx, srId, found)
    await audit(tx, {
      action: '免去团支书',
      bizType: 'role',
      bizId: srId,
      bizName: role.srName,
      before: { 团支书: found.map(({ suiName }) => suiName), scClassId },
    })
    return found
  })
  forgetActors(
    ctx.actor.schoolId,
    holders.map(({ suId }) => suId),
  )
  return { affected: holders.length }
}

async function secretaryRole(tx: Context, srId: string) {
  const role = await roleToGrant(tx, srId)
  if (role.dataScope !== dataScope.schoolClass)
    throw invalidInput([{ field: 'srId', msg: '请选择数据范围为“班级”的角色' }])
  return role
}

async function assertOwnClass(
  tx: Context,
  role: { permits: string[]; dataScope: string },
  scClassId: string,
): Promise<void> {
  const target = { caType: 'class' as const, caTarget: scClassId }
  assertWithinOwnRights(tx, role.permits, [scopeOf(role.dataScope, [target])], await parentsOf(tx, [areaOf([target])]))
}

/**
 * Gives each class the one secretary that is told for it and dismisses whoever was it before. A constant number of
 * statements.
 */
export async function replaceSecretaries(
  tx: Context,
  srId: string,
  appointments: readonly Appointment[],
): Promise<void> {
  const { actor, clock, db } = tx
  const wanted = new Set(appointments.map(({ scClassId, suId }) => `${scClassId} ${suId}`))
  const former = await secretariesOf(
    tx,
    srId,
    appointments.map(({ scClassId }) => scClassId),
  )
  await dismiss(
    tx,
    srId,
    former.filter(({ scClassId, suId }) => !wanted.has(`${scClassId} ${suId}`)),
  )
  const rows = recordset(
    appointments.map(({ scClassId, suId }) => ({ scClassId, suId })),
    { scClassId: 'uuid', suId: 'uuid' },
  )
  await sql`
    insert into "roleUser" ("schoolId", "srId", "suId", "grantedBy", "grantTime")
    select distinct ${actor.schoolId}::text, ${srId}::uuid, r."suId", ${actor.suId}::uuid, ${clock.now()}::timestamptz
    from ${rows}
    on conflict do nothing`.execute(db)
  await sql`
    insert into "controlArea" ("schoolId", "srId", "suId", "caType", "caTarget")
    select ${actor.schoolId}::text, ${srId}::uuid, r."suId", 'class', r."scClassId"::text
    from ${rows}
    on conflict do nothing`.execute(db)
}

/** Takes classes from their secretaries, and the role from those who have no other class. */
export async function dismiss(
  { actor, db }: Context,
  srId: string,
  appointments: readonly Appointment[],
): Promise<void> {
  if (appointments.length === 0) return
  const rows = recordset(
    appointments.map(({ scClassId, suId }) => ({ scClassId, suId })),
    { scClassId: 'uuid', suId: 'uuid' },
  )
  await sql`
    delete from "controlArea" a using ${rows}
    where a."schoolId" = ${actor.schoolId}
      and a."srId" = ${srId}
      and a."suId" = r."suId"
      and a."caType" = 'class'
      and a."caTarget" = r."scClassId"::text`.execute(db)
  await sql`
    delete from "roleUser" u using ${rows}
    where u."schoolId" = ${actor.schoolId}
      and u."srId" = ${srId}
      and u."suId" = r."suId"
      and not exists (
        select
        from "controlArea" a
        where a."schoolId" = u."schoolId" and a."srId" = u."srId" and a."suId" = u."suId"
      )`.execute(db)
}
