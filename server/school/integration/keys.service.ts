import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus, serviceKeyState, type ServiceKeyState } from '../../../contract/core/codes/platform.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { keyPrefix, type serviceKeyApi } from '../../../contract/school/integration/keys.calls.ts'
import { auditMany, audit } from '../../core/audit/audit.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { newId } from '../../core/base/ids.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import type { Context } from '../../core/request/context.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { assertWithinOwnRights, namedAreas, parentsOf, targetsOf } from '../roles/areas.service.ts'
import { scopeOf, type AreaTarget } from '../roles/grants.service.ts'
import { roleToGrant } from '../roles/members.service.ts'
import { visibleRoles } from '../roles/roles.queries.ts'
import { permitsOfKey } from './key-rights.ts'

type CallInput<K extends keyof typeof serviceKeyApi> = Checked<(typeof serviceKeyApi)[K]>

/** Keys that hold, and that a school may have; and the longest time one may hold, in days. */
const maxKeys = 50
const maxDays = 366 * 2

/** What is kept of a key: its SHA-256. */
export const keyHashOf = (key: string): Buffer => sha256(key)

/** The keys of a school with their roles. */
export const visibleKeys = (ctx: Context) =>
  from(ctx, 'serviceKey').innerJoin('role', withinSchool('role.srId', 'serviceKey.srId'))

/** How a key stands on a day. */
const stateOn = (today: string) => sql<ServiceKeyState>`case
  when "serviceKey"."revokeTime" is not null then ${serviceKeyState.revoked}
  when "serviceKey"."endDate" < ${today}::date then ${serviceKeyState.ended}
  else ${serviceKeyState.valid} end`

/** Keys, those that hold first. The keys themselves are known to nobody. */
export async function listKeys(ctx: Context, input: CallInput<'list'>) {
  const state = stateOn(dayOf(ctx.clock.now()))
  let query = visibleKeys(ctx)
  if (input.keyName) query = query.where('serviceKey.keyName', 'like', likeText(input.keyName))
  if (input.keyState) query = query.where(state, '=', input.keyState)
  const total = await countOf(query)
  const rows = await query
    .select([
      'serviceKey.keyId',
      'serviceKey.keyName',
      'serviceKey.prefix',
      'serviceKey.srId',
      'role.srName',
      'role.dataScope',
      'serviceKey.targets',
      'serviceKey.networks',
      'serviceKey.perMinute',
      'serviceKey.endDate',
      'serviceKey.lastTime',
      'serviceKey.lastIp',
      'serviceKey.createName',
      'serviceKey.createTime',
      state.as('keyState'),
    ])
    .orderBy(state)
    .orderBy('serviceKey.createTime', 'desc')
    .orderBy('serviceKey.keyId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  const areas = await namedAreas(
    ctx.db,
    ctx.actor.schoolId,
    rows.map(({ targets }) => targets as AreaTarget[]),
  )
  const records = rows.map(({ targets: _, ...row }, at) => {
    const can: 'revoke'[] = row.keyState === serviceKeyState.valid ? ['revoke'] : []
    return { ...row, area: areas[at]!, can }
  })
  return asPage(records, total, input)
}

/** The roles whose rights, as far as a key may have them, the caller has themselves. */
export async function rolesForKeys(ctx: Context) {
  const rows = await visibleRoles(ctx)
    .select(['srId', 'srName', 'dataScope', 'permits'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('srSort')
    .execute()
  return rows
    .filter(({ permits }) => permitsOfKey(permits).every((permit) => ctx.actor.permits.has(permit)))
    .map(({ permits: _, ...row }) => row)
}

/**
 * Makes a key. Nobody gives it more than they have; it is told this once. Those who make one wait for each other, for
 * names and number are looked at before.
 */
export const addKey = (ctx: Context, { keyName, srId, networks, perMinute, endDate, ...area }: CallInput<'add'>) =>
  inLockedTransaction(ctx, 'service-keys', async (tx) => {
    const today = dayOf(tx.clock.now())
    if (endDate < today) throw invalidInput([{ field: 'endDate', msg: '有效期不能早于今天' }])
    if (endDate > addDays(today, maxDays)) throw invalidInput([{ field: 'endDate', msg: '有效期最长两年' }])
    const valid = visibleKeys(tx).where(stateOn(today), '=', serviceKeyState.valid)
    if ((await countOf(valid)) >= maxKeys) throw new Failure('too-many-keys', { n: maxKeys })
    if (await valid.select('serviceKey.keyId').where('serviceKey.keyName', '=', keyName).executeTakeFirst())
      throw new Failure('name-taken', { what: '程序密钥', name: keyName })
    const role = await roleToGrant(tx, srId)
    const targets = targetsOf(area)
    const scope = scopeOf(role.dataScope, targets)
    assertWithinOwnRights(tx, permitsOfKey(role.permits), [scope], await parentsOf(tx, [area]))
    const keyId = newId()
    const key = keyPrefix + randomBytes(32).toString('base64url')
    const prefix = key.slice(0, keyPrefix.length + 6)
    await tx.db
      .insertInto('serviceKey')
      .values({
        ...createdColumns(tx),
        keyId,
        keyName,
        prefix,
        keyHash: keyHashOf(key),
        srId,
        targets: JSON.stringify(targets),
        networks,
        perMinute: Number(perMinute),
        endDate,
      })
      .execute()
    await audit(tx, {
      action: '新增程序密钥',
      bizType: 'serviceKey',
      bizId: keyId,
      bizName: keyName,
      after: { 开头: prefix, 角色: role.srName, ...area, networks, perMinute, endDate },
    })
    return { keyId, key }
  })

/** Ends keys for good; they stay in the list, for the trail names them. */
export async function revokeKeys(ctx: Context, { keyIds }: CallInput<'revoke'>) {
  const done = await inTransaction(ctx, async (tx) => {
    const rows = await from(tx, 'serviceKey')
      .select(['keyId', 'keyName', 'prefix', 'revokeTime'])
      .where(anyOf('keyId', keyIds))
      .orderBy('keyId')
      .forUpdate()
      .execute()
    if (rows.length !== keyIds.length) throw new Failure('not-found')
    const open = rows.filter(({ revokeTime }) => revokeTime === null)
    if (open.length === 0) return { affected: 0 }
    await tx.db
      .updateTable('serviceKey')
      .set({ revokeTime: tx.clock.now(), revokeName: tx.actor.suNickname, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(
        anyOf(
          'keyId',
          open.map(({ keyId }) => keyId),
        ),
      )
      .execute()
    await auditMany(
      tx,
      open.map(({ keyId, keyName, prefix }) => ({
        action: '撤销程序密钥',
        bizType: 'serviceKey',
        bizId: keyId,
        bizName: keyName,
        before: { 开头: prefix },
      })),
    )
    return { affected: open.length }
  })
  forgetActors(ctx.actor.schoolId, keyIds)
  return done
}
