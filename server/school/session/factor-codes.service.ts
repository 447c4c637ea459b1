import { sql } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { notifyEach } from '../../platform/notifications/notify.service.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { systemContext } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { sealedKey, unseal } from '../../core/secrets/field-crypto.ts'
import { clearAttempts, perNameAndPlace, consumeAttempt } from './lockout.ts'
import { foldCode, isTotp, newRecoveryCodes, stepOf } from './totp.ts'

/** Whose codes they are. */
export interface Holder {
  schoolId: string
  suId: string
}

/**
 * Uses a code of somebody's second factor: one of the authenticator, or a recovery code. Each is good for one use, also
 * of many requests at once.
 * @returns whether it was right
 */
export async function useCode(ctx: PublicContext, holder: Holder, given: string): Promise<boolean> {
  const code = foldCode(given)
  return isTotp(code) ? useTotp(ctx, holder, code) : useRecoveryCode(ctx, holder, code)
}

/** The step of the code is kept: neither it nor an earlier one is taken a second time (docs/security.md S21). */
async function useTotp(ctx: PublicContext, { schoolId, suId }: Holder, code: string): Promise<boolean> {
  const account = await from({ db: ctx.db, schoolId }, 'account')
    .select('totpSecret')
    .where('suId', '=', suId)
    .executeTakeFirst()
  const secret = unseal(account?.totpSecret ?? null, ctx.secrets)
  const step = secret === null ? undefined : stepOf(secret, code, ctx.clock.now())
  if (step === undefined) return false
  const { numUpdatedRows } = await ctx.db
    .updateTable('account')
    .set({ totpStep: step })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .where('totpSecret', 'is not', null)
    .where((eb) => eb.or([eb('totpStep', 'is', null), eb('totpStep', '<', step)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whoever has used one is told how many are left, so that a code used by somebody else does not pass unnoticed. */
async function useRecoveryCode(ctx: PublicContext, { schoolId, suId }: Holder, code: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('recoveryCode')
      .set({ usedTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .where('codeHash', '=', hashOf(tx, suId, code))
      .where('usedTime', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    const left = await codesLeft(tx, { schoolId, suId })
    const content = `刚才有人用恢复码通过了您的身份验证，还剩 ${left} 个。如非本人操作，请立即修改密码并更换恢复码。`
    const notice = { suId, title: '恢复码已使用', content, link: '/personalCenter/account' }
    await notifyEach({ ...systemContext(tx, schoolId), db: tx.db }, [notice], messageType.system)
    return true
  })
}

/** How many recovery codes of a person have not been used. */
export async function codesLeft({ db }: Pick<PublicContext, 'db'>, { schoolId, suId }: Holder): Promise<number> {
  const { left } = await from({ db, schoolId }, 'recoveryCode')
    .select(sql<number>`count(*)::int`.as('left'))
    .where('suId', '=', suId)
    .where('usedTime', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/** Gives a person ten new recovery codes; those before are worth nothing any more. Only keyed hashes are kept. */
export async function renewRecoveryCodes(tx: Context, { schoolId, suId }: Holder): Promise<string[]> {
  const codes = newRecoveryCodes()
  await dropRecoveryCodes(tx, { schoolId, suId })
  const createTime = tx.clock.now()
  await tx.db
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ schoolId, suId, codeHash: hashOf(tx, suId, foldCode(code)), createTime })))
    .execute()
  return codes
}

const dropRecoveryCodes = ({ db }: Pick<PublicContext, 'db'>, { schoolId, suId }: Holder) =>
  db.deleteFrom('recoveryCode').where('schoolId', '=', schoolId).where('suId', '=', suId).execute()

/** Takes a person's second factor away, with its codes and the devices that were remembered. */
export async function removeFactor(tx: PublicContext, holder: Holder): Promise<void> {
  const { schoolId, suId } = holder
  await tx.db
    .updateTable('account')
    .set({ totpSecret: null, totpTime: null, totpStep: null, totpPending: null, totpPendingUntil: null })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .execute()
  await dropRecoveryCodes(tx, holder)
  await tx.db.deleteFrom('trustedDevice').where('schoolId', '=', schoolId).where('suId', '=', suId).execute()
}

/**
 * Asks somebody who is signed in for something only they know. Tries are counted as those of a sign-in are, so that
 * whoever finds an open screen does not get to guess.
 * @param isRight whether what they gave is right
 * @throws Failure `too-often` after five wrong ones, else the given refusal
 */
export async function askPerson(
  ctx: Context,
  refusal: 'totp-wrong' | 'old-password-wrong',
  isRight: () => Promise<boolean>,
): Promise<void> {
  const { schoolId, suId } = ctx.actor
  const key = `${refusal === 'totp-wrong' ? 'code' : 'password'}:${schoolId}:${suId}`
  if (!(await consumeAttempt(ctx, key, perNameAndPlace))) throw new Failure('too-often', {}, { retryAfter: 900 })
  if (!(await isRight())) {
    await audit(ctx, { action: '再次验证身份', result: 'refused', bizType: 'session' })
    throw new Failure(refusal)
  }
  await clearAttempts(ctx, [key])
}

const hashOf = (ctx: PublicContext, suId: string, code: string): Buffer =>
  sealedKey(`recovery:${suId}:${code}`, ctx.secrets)!
