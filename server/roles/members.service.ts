import type { Checked } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { Area } from '../../contract/core/scope.ts'
import type { memberApi } from '../../contract/roles/members.calls.ts'
import { forgetActors } from '../core/actor-cache.ts'
import { among } from '../core/among.ts'
import { audit } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { inScope } from '../core/scope-sql.ts'
import { inTransaction } from '../core/transaction.ts'
import { areaOf, mustBeOwn, namedAreas, parentsOf, targetsOf } from './areas.service.ts'
import { scopeOf, type AreaTarget } from './grants.service.ts'
import { personPlace, targetsColumn, visibleMembers } from './members.queries.ts'
import { visibleRoles } from './roles.queries.ts'

/** Gives people in reach a role, with a control area for those who are new in it. Nothing is given that the giver has not himself. */
export async function addMembers(ctx: Context, { srId, suIds, ...area }: Checked<typeof memberApi.add>) {
  const { schoolId } = ctx.actor
  const done = await inTransaction(ctx, async (tx) => {
    const role = await roleToGrant(tx, srId)
    const people = await tx.db
      .selectFrom('person')
      .select(['person.suId', 'person.suiName'])
      .where('person.schoolId', '=', schoolId)
      .where('person.delFlag', '=', '0')
      .where(among('person.suId', suIds))
      .where(inScope(tx.scope, personPlace))
      .execute()
    if (people.length !== suIds.length) throw new Failure('not-found')
    const targets = targetsOf(area)
    mustBeOwn(tx, role.permits, [scopeOf(role.dataScope, targets)], await parentsOf(tx, [area]))
    const added = await grantToAll(tx, srId, suIds, targets)
    await audit(tx, { action: '添加角色成员', bizType: 'role', bizId: srId, bizName: role.srName, after: { people: people.map(({ suiName }) => suiName), area: await areaNames(tx, targets) } })
    return { affected: added.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

/** Writes memberships with their areas; those who are members already are left alone. Returns who is new. */
export async function grantToAll(tx: Context, srId: string, suIds: readonly string[], targets: readonly AreaTarget[]): Promise<string[]> {
  const { schoolId } = tx.actor
  const rows = suIds.map((suId) => ({ schoolId, srId, suId, grantedBy: tx.actor.suId, grantTime: tx.clock.now() }))
  const added = (await tx.db.insertInto('roleUser').values(rows).onConflict((on) => on.doNothing()).returning('suId').execute()).map(({ suId }) => suId)
  await writeTargets(tx, srId, added, targets)
  return added
}

async function writeTargets(tx: Context, srId: string, suIds: readonly string[], targets: readonly AreaTarget[]): Promise<void> {
  const rows = suIds.flatMap((suId) => targets.map((target) => ({ schoolId: tx.actor.schoolId, srId, suId, ...target })))
  for (let at = 0; at < rows.length; at += 2000) await tx.db.insertInto('controlArea').values(rows.slice(at, at + 2000)).execute()
}

/** Takes a role from people in reach. What the taker could not give he cannot take; the last school administrator stays. */
export async function removeMembers(ctx: Context, { srId, suIds }: Checked<typeof memberApi.remove>) {
  const { schoolId } = ctx.actor
  const done = await inTransaction(ctx, async (tx) => {
    const role = await roleToGrant(tx, srId)
    const members = await visibleMembers(tx).select(['person.suId', 'person.suiName', targetsColumn.as('targets')]).where('roleUser.srId', '=', srId).where(among('roleUser.suId', suIds)).execute()
    if (members.length !== suIds.length) throw new Failure('not-found')
    mustBeOwn(tx, role.permits, members.map(({ targets }) => scopeOf(role.dataScope, targets)), await parentsOf(tx, await knownAreas(tx, members)))
    await tx.db.deleteFrom('roleUser').where('schoolId', '=', schoolId).where('srId', '=', srId).where(among('suId', suIds)).execute()
    if (role.srCode === 'SCHOOL_ADMIN') {
      const left = await tx.db.selectFrom('roleUser').select('suId').where('schoolId', '=', schoolId).where('srId', '=', srId).limit(1).executeTakeFirst()
      if (!left) throw new Failure('last-admin')
    }
    await audit(tx, { action: '移除角色成员', bizType: 'role', bizId: srId, bizName: role.srName, before: { people: members.map(({ suiName }) => suiName) } })
    return { affected: members.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

/** Sets the control area of a member in reach; neither the old nor the new one may exceed the own. */
export async function setArea(ctx: Context, { srId, suId, ...area }: Checked<typeof memberApi.setArea>) {
  const { schoolId } = ctx.actor
  await inTransaction(ctx, async (tx) => {
    const role = await roleToGrant(tx, srId)
    const member = await visibleMembers(tx).select(['person.suiName', targetsColumn.as('targets')]).where('roleUser.srId', '=', srId).where('roleUser.suId', '=', suId).executeTakeFirst()
    if (!member) throw new Failure('not-found')
    const targets = targetsOf(area)
    const parents = await parentsOf(tx, [area, ...(await knownAreas(tx, [member]))])
    mustBeOwn(tx, role.permits, [scopeOf(role.dataScope, targets), scopeOf(role.dataScope, member.targets)], parents)
    await tx.db.deleteFrom('controlArea').where('schoolId', '=', schoolId).where('srId', '=', srId).where('suId', '=', suId).execute()
    await writeTargets(tx, srId, [suId], targets)
    const [before, after] = [await areaNames(tx, member.targets), await areaNames(tx, targets)]
    await audit(tx, { action: '设置管理范围', bizType: 'role', bizId: srId, bizName: `${role.srName}：${member.suiName}`, before: { area: before }, after: { area: after } })
  })
  forgetActors(schoolId, [suId])
  return { affected: 1 }
}

/** A role that may be given now, locked so that it stays as it is until that is done. */
export async function roleToGrant(tx: Context, srId: string) {
  const role = await visibleRoles(tx).select(['srId', 'srName', 'srCode', 'dataScope', 'permits', 'enable']).where('srId', '=', srId).forShare().executeTakeFirst()
  if (!role) throw new Failure('not-found')
  return role
}

/** Areas of members without the targets that have since been deleted; those cover nothing. */
async function knownAreas(tx: Context, members: { targets: AreaTarget[] }[]): Promise<Area[]> {
  const named = await namedAreas(tx.db, tx.actor.schoolId, members.map(({ targets }) => targets))
  return named.map(({ names }) => areaOf(names.filter(({ name }) => name !== '已删除').map(({ kind, target }) => ({ caType: kind as AreaTarget['caType'], caTarget: target }))))
}

const areaNames = async (tx: Context, targets: readonly AreaTarget[]): Promise<string[]> => (await namedAreas(tx.db, tx.actor.schoolId, [targets]))[0]!.names.map(({ name }) => name)
