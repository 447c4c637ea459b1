import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Area } from '../../../contract/core/scope.ts'
import type { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { areaOf, assertWithinOwnRights, namedAreas, parentsOf, targetsOf } from './areas.service.ts'
import { againstDuty } from './exclusive-duties.ts'
import { scopeOf, type AreaTarget } from './grants.service.ts'
import { personScopeColumns, targetsColumn, visibleMembers } from './members.queries.ts'
import { visibleRoles } from './roles.queries.ts'
import { assertSingleSecretary } from './secretaries.queries.ts'

/**
 * Gives people in reach a role, with a control area and perhaps an end for those who are new in it. Nothing is given
 * that the giver has not themselves, and nothing to themselves.
 */
export async function addMembers(ctx: Context, { srId, suIds, endDate, ...area }: Checked<typeof memberApi.add>) {
  const { schoolId } = ctx.actor
  assertInFuture(ctx, endDate)
  const done = await inTransaction(ctx, async (tx) => {
    const role = await roleToGrant(tx, srId)
    const people = await from({ db: tx.db, schoolId }, 'person')
      .select(['person.suId', 'person.suiName'])
      .where(anyOf('person.suId', suIds))
      .where(inScope(tx.scope, personScopeColumns))
      .execute()
    if (people.length !== suIds.length) throw new Failure('not-found')
    const targets = targetsOf(area)
    assertWithinOwnRights(tx, role.permits, [scopeOf(role.dataScope, targets)], await parentsOf(tx, [area]))
    assertNotSelf(tx, suIds)
    await assertDutiesApart(tx, role, suIds)
    await assertSingleSecretary(tx, role, suIds, targets)
    const added = await grantToAll(tx, srId, suIds, targets, endDate)
    await audit(tx, {
      action: '添加角色成员',
      bizType: 'role',
      bizId: srId,
      bizName: role.srName,
      after: {
        people: people.map(({ suiName }) => suiName),
        area: await areaNames(tx, targets),
        ...(endDate && { endDate }),
      },
    })
    return { affected: added.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

/** Writes memberships with their areas; those who are members already are left alone. Returns who is new. */
async function grantToAll(
  tx: Context,
  srId: string,
  suIds: readonly string[],
  targets: readonly AreaTarget[],
  endDate: string | null = null,
): Promise<string[]> {
  const { schoolId } = tx.actor
  const rows = suIds.map((suId) => ({
    schoolId,
    srId,
    suId,
    endDate,
    grantedBy: tx.actor.suId,
    grantTime: tx.clock.now(),
  }))
  const added = (
    await tx.db
      .insertInto('roleUser')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .returning('suId')
      .execute()
  ).map(({ suId }) => suId)
  await writeTargets(tx, srId, added, targets)
  return added
}

async function writeTargets(
  tx: Context,
  srId: string,
  suIds: readonly string[],
  targets: readonly AreaTarget[],
): Promise<void> {
  const rows = suIds.flatMap((suId) =>
    targets.map((target) => ({ schoolId: tx.actor.schoolId, srId, suId, ...target })),
  )
  for (let at = 0; at < rows.length; at += 2000)
    await tx.db
      .insertInto('controlArea')
      .values(rows.slice(at, at + 2000))
      .execute()
}

/**
 * Takes a role from people in reach. What the taker could not give they cannot take; the last school administrator
 * stays.
 */
export async function removeMembers(ctx: Context, { srId, suIds }: Checked<typeof memberApi.remove>) {
  const { schoolId } = ctx.actor
  const done = await inTransaction(ctx, async (tx) => {
    const { role, members } = await membersToChange(tx, srId, suIds)
    await tx.db
      .deleteFrom('roleUser')
      .where('schoolId', '=', schoolId)
      .where('srId', '=', srId)
      .where(anyOf('suId', suIds))
      .execute()
    await assertAdminRemains(tx, role)
    await audit(tx, {
      action: '移除角色成员',
      bizType: 'role',
      bizId: srId,
      bizName: role.srName,
      before: { people: members.map(({ suiName }) => suiName) },
    })
    return { affected: members.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

/**
 * Sets the last day on which memberships hold, or lets them hold until they are taken back. The giver's own are not
 * their to prolong.
 */
export async function setEnd(ctx: Context, { srId, suIds, ...given }: Checked<typeof memberApi.setEnd>) {
  const { schoolId } = ctx.actor
  const endDate = given.endDate ?? null
  assertInFuture(ctx, endDate)
  const done = await inTransaction(ctx, async (tx) => {
    const { role, members } = await membersToChange(tx, srId, suIds)
    assertNotSelf(tx, suIds)
    await tx.db
      .updateTable('roleUser')
      .set({ endDate })
      .where('schoolId', '=', schoolId)
      .where('srId', '=', srId)
      .where(anyOf('suId', suIds))
      .execute()
    await assertAdminRemains(tx, role)
    await audit(tx, {
      action: '设置成员的有效期',
      bizType: 'role',
      bizId: srId,
      bizName: role.srName,
      before: Object.fromEntries(members.map((one) => [one.suiName, one.endDate])),
      after: { people: members.map(({ suiName }) => suiName), endDate },
    })
    return { affected: members.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

/** Sets the control area of a member in reach; neither the old nor the new one may exceed the own. */
export async function setArea(ctx: Context, { srId, suId, ...area }: Checked<typeof memberApi.setArea>) {
  const { schoolId } = ctx.actor
  await inTransaction(ctx, async (tx) => {
    const { role, members } = await membersToChange(tx, srId, [suId])
    const [member] = members
    const targets = targetsOf(area)
    assertWithinOwnRights(tx, role.permits, [scopeOf(role.dataScope, targets)], await parentsOf(tx, [area]))
    assertNotSelf(tx, [suId])
    await assertSingleSecretary(tx, role, [suId], targets)
    await tx.db
      .deleteFrom('controlArea')
      .where('schoolId', '=', schoolId)
      .where('srId', '=', srId)
      .where('suId', '=', suId)
      .execute()
    await writeTargets(tx, srId, [suId], targets)
    const [before, after] = [await areaNames(tx, member!.targets), await areaNames(tx, targets)]
    await audit(tx, {
      action: '设置管理范围',
      bizType: 'role',
      bizId: srId,
      bizName: `${role.srName}：${member!.suiName}`,
      before: { area: before },
      after: { area: after },
    })
  })
  forgetActors(schoolId, [suId])
  return { affected: 1 }
}

/** A role that may be given now, locked so that it stays as it is until that is done. */
export async function roleToGrant(tx: Context, srId: string) {
  const role = await visibleRoles(tx)
    .select(['srId', 'srName', 'srCode', 'dataScope', 'permits', 'enable'])
    .where('srId', '=', srId)
    .forShare()
    .executeTakeFirst()
  if (!role) throw new Failure('not-found')
  return role
}

/** Members in reach whose role and area the caller could give themselves; all of them or none. */
async function membersToChange(tx: Context, srId: string, suIds: readonly string[]) {
  const role = await roleToGrant(tx, srId)
  // two administrators who take the role from each other at the same time must not both succeed
  if (role.srCode === 'SCHOOL_ADMIN') await lockSchool(tx, 'school-admins')
  const members = await visibleMembers(tx)
    .select(['person.suId', 'person.suiName', 'roleUser.endDate', targetsColumn.as('targets')])
    .where('roleUser.srId', '=', srId)
    .where(anyOf('roleUser.suId', suIds))
    .execute()
  if (members.length !== suIds.length) throw new Failure('not-found')
  assertWithinOwnRights(
    tx,
    role.permits,
    members.map(({ targets }) => scopeOf(role.dataScope, targets)),
    await parentsOf(tx, await knownAreas(tx, members)),
  )
  return { role, members }
}

/** Nobody gives themselves a role or a wider one: somebody else must want it too. */
export function assertNotSelf({ actor }: Pick<Context, 'actor'>, suIds: readonly string[]): void {
  if (suIds.includes(actor.suId)) throw new Failure('own-grant')
}

function assertInFuture({ clock }: Pick<Context, 'clock'>, endDate: string | null | undefined): void {
  if (endDate && endDate < dayOf(clock.now())) throw invalidInput([{ field: 'endDate', msg: '有效期不能早于今天' }])
}

/** There is always a school administrator whose role does not end by itself. */
async function assertAdminRemains(tx: Context, { srId, srCode }: { srId: string; srCode: string }): Promise<void> {
  if (srCode !== 'SCHOOL_ADMIN') return
  const left = await from(tx, 'roleUser')
    .select('suId')
    .where('srId', '=', srId)
    .where('endDate', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!left) throw new Failure('last-admin')
}

/**
 * Refuses a duty to those who hold one that excludes it. Their accounts are locked, so that two such grants at once
 * cannot both succeed.
 */
async function assertDutiesApart(
  tx: Context,
  role: { srCode: string; srName: string },
  suIds: readonly string[],
): Promise<void> {
  const against = againstDuty(role.srCode)
  if (against.length === 0) return
  await from(tx, 'account').select('suId').where(anyOf('suId', suIds)).orderBy('suId').forNoKeyUpdate().execute()
  const held = await from(tx, 'roleUser')
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .innerJoin('person', withinSchool('person.suId', 'roleUser.suId'))
    .select(['person.suiName', 'role.srName'])
    .where(anyOf('roleUser.suId', suIds))
    .where('role.srCode', 'in', against)
    .limit(1)
    .executeTakeFirst()
  if (held) throw new Failure('duties-exclusive', { name: held.suiName, held: held.srName, wanted: role.srName })
}

/** Areas of members without the targets that have since been deleted; those cover nothing. */
async function knownAreas(tx: Context, members: { targets: AreaTarget[] }[]): Promise<Area[]> {
  const named = await namedAreas(
    tx.db,
    tx.actor.schoolId,
    members.map(({ targets }) => targets),
  )
  return named.map(({ names }) =>
    areaOf(
      names
        .filter(({ name }) => name !== '已删除')
        .map(({ kind, target }) => ({ caType: kind as AreaTarget['caType'], caTarget: target })),
    ),
  )
}

const areaNames = async (tx: Context, targets: readonly AreaTarget[]): Promise<string[]> =>
  (await namedAreas(tx.db, tx.actor.schoolId, [targets]))[0]!.names.map(({ name }) => name)
