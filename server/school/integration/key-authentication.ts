import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { keyPrefix } from '../../../contract/school/integration/keys.calls.ts'
import { dayOf, secondsBetween } from '../../core/base/clock.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { actorOf, wasGood } from '../../core/request/actor-cache.ts'
import type { Actor, PublicContext } from '../../core/request/context.ts'
import { quotaColumns, quotaOf } from '../../core/request/quotas.ts'
import { isListed } from '../../core/base/outbound.ts'
import { scopeOf, scopesUnder, type AreaTarget } from '../roles/grants.service.ts'
import { unavailableReason } from '../school/school-status.ts'
import { permitsOfKey } from './key-rights.ts'
import { keyHashOf } from './keys.service.ts'

/** Whether a bearer token is a program's key and not a session's. */
export const isServiceKey = (token: string): boolean => token.startsWith(keyPrefix)

/**
 * Who a program's key speaks for: the key itself, with the rights of its role and the area it was given. Unknown,
 * revoked and ended keys, those of a role that is switched off, and those that come from elsewhere are refused alike.
 * @param onUnknownToken as for sessions
 */
export async function authenticateKey(
  ctx: PublicContext,
  key: string,
  onUnknownToken: () => void = () => {},
): Promise<Actor> {
  const hash = keyHashOf(key)
  // what is known of a key holds for the address it was looked up for
  const known = `${hash.toString('base64')} ${ctx.origin.ip}`
  if (!wasGood(known)) onUnknownToken()
  const now = ctx.clock.now()
  return actorOf(known, now, () => lookUp(ctx, hash, now))
}

async function lookUp({ db, origin }: PublicContext, hash: Buffer, now: string): Promise<Actor> {
  const row = await db
    .selectFrom('serviceKey')
    .innerJoin('role', withinSchool('role.srId', 'serviceKey.srId'))
    .innerJoin('school', 'school.schoolId', 'serviceKey.schoolId')
    .leftJoin('schoolQuota', 'schoolQuota.schoolId', 'serviceKey.schoolId')
    .select(quotaColumns)
    .select([
      'serviceKey.schoolId',
      'serviceKey.keyId',
      'serviceKey.keyName',
      'serviceKey.prefix',
      'serviceKey.targets',
      'serviceKey.networks',
      'serviceKey.perMinute',
      'serviceKey.lastTime',
      'serviceKey.lastIp',
      'role.srId',
      'role.srName',
      'role.srCode',
      'role.permits',
      'role.dataScope',
      'school.suspendedTime',
      'school.moveState',
      'school.movedTo',
    ])
    .where('serviceKey.keyHash', '=', hash)
    .where('serviceKey.revokeTime', 'is', null)
    .where('serviceKey.endDate', '>=', sql<string>`${dayOf(now)}::date`)
    .where('role.enable', '=', enableStatus.enabled)
    .executeTakeFirst()
  if (!row || (row.networks.length > 0 && !(origin.ip && isListed(origin.ip, row.networks))))
    throw new Failure('token-invalid')
  const reason = unavailableReason(row)
  if (reason) throw reason
  if (!row.lastTime || row.lastIp !== origin.ip || secondsBetween(row.lastTime, now) >= 60)
    await db
      .updateTable('serviceKey')
      .set({ lastTime: now, lastIp: origin.ip })
      .where('schoolId', '=', row.schoolId)
      .where('keyId', '=', row.keyId)
      .execute()
  const { srId, srName, srCode } = row
  const permits = permitsOfKey(row.permits)
  const grants = [{ srId, srName, srCode, permits, scope: scopeOf(row.dataScope, row.targets as AreaTarget[]) }]
  return {
    schoolId: row.schoolId,
    suId: row.keyId,
    suNickname: `程序 ${row.keyName}`,
    suLoginName: row.prefix,
    sessionId: '',
    mustChangePwd: false,
    ...quotaOf(row),
    program: { perMinute: row.perMinute },
    permits: new Set(permits),
    roleIds: [srId],
    scopeFor: scopesUnder(grants),
  }
}
