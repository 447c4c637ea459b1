import { randomBytes } from 'node:crypto'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { audit } from '../../core/audit/audit.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { Holder } from './factor-codes.service.ts'

/** For how many days a device is not asked for a code, and how many of a person are remembered; the oldest goes. */
const rememberedDays = 30
const devicesPerPerson = 10

/** Remembers the device that asks. @returns the token by which it is known; only its hash is kept */
export async function rememberDevice(ctx: PublicContext, { schoolId, suId }: Holder): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  await ctx.db
    .insertInto('trustedDevice')
    .values({
      schoolId,
      deviceId: newId(),
      suId,
      tokenHash: sha256(token),
      agent: ctx.origin.agent.slice(0, 300),
      ip: ctx.origin.ip,
      createTime: now,
      lastUsed: now,
      expireTime: addDays(now, rememberedDays),
    })
    .execute()
  const kept = from({ db: ctx.db, schoolId }, 'trustedDevice')
    .select('deviceId')
    .where('suId', '=', suId)
    .orderBy('createTime', 'desc')
    .orderBy('deviceId', 'desc')
    .limit(devicesPerPerson)
  await ctx.db
    .deleteFrom('trustedDevice')
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .where('deviceId', 'not in', kept)
    .execute()
  return token
}

/** Whether a token is that of a device of this person which is still remembered. */
export async function isTrusted(ctx: PublicContext, { schoolId, suId }: Holder, token: string): Promise<boolean> {
  const now = ctx.clock.now()
  const { numUpdatedRows } = await ctx.db
    .updateTable('trustedDevice')
    .set({ lastUsed: now })
    .where('tokenHash', '=', sha256(token))
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .where('expireTime', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The devices of the person that are not asked for a code, the latest used first. */
export const listDevices = ({ db, actor, clock }: Context) =>
  from({ db, actor }, 'trustedDevice')
    .select(['deviceId', 'agent', 'ip', 'createTime', 'lastUsed', 'expireTime'])
    .where('suId', '=', actor.suId)
    .where('expireTime', '>', clock.now())
    .orderBy('lastUsed', 'desc')
    .orderBy('deviceId')
    .execute()

/** Has one of the person's devices, or all of them, asked for a code again. Sessions go on. */
export async function forgetDevices(ctx: Context, { deviceId }: Checked<typeof secondFactorApi.forget>) {
  const { schoolId, suId } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    let devices = tx.db.deleteFrom('trustedDevice').where('schoolId', '=', schoolId).where('suId', '=', suId)
    if (deviceId) devices = devices.where('deviceId', '=', deviceId)
    const affected = Number((await devices.executeTakeFirstOrThrow()).numDeletedRows)
    if (deviceId && affected === 0) throw new Failure('not-found')
    if (affected > 0) await audit(tx, { action: '取消记住的设备', bizType: 'session', after: { devices: affected } })
    return { affected }
  })
}
