import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newReadableCode } from '../../core/secrets/readable-code.ts'
import { networkOf } from '../../core/base/address.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { addMinutes } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { systemId } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { findAccount, foldLoginName, setPassword } from '../people/accounts.service.ts'
import { assertSchoolActive, isSuspended } from '../school/school.service.ts'
import { afterwards } from './afterwards.ts'
import { codeDigest, deliverCode } from './delivery.ts'
import { consumeAttempt } from './lockout.ts'
import { assertNewPassword } from './session.service.ts'
import { endSessions } from './tokens.ts'

const codeMinutes = 10
const codeTries = 5

/**
 * Password recovery in two steps told apart by their fields (docs/security.md S5). Without a code: one is made and
 * delivered, and the answer is the same, and as fast, whether the account exists or not. With a code: the password is
 * replaced.
 */
export async function retrievePwd(ctx: PublicContext, input: Checked<typeof sessionApi.retrievePwd>) {
  if (input.code && input.newPassword) return useCode(ctx, input, input.code, input.newPassword)
  if (!(await consumeAttempt(ctx, `retrieve:${networkOf(ctx.origin.ip)}`, { tries: 5, minutes: 60 })))
    throw new Failure('too-often', {}, { retryAfter: 3600 })
  afterwards(ctx, 'reset code not delivered', () => sendCode(ctx, input))
  return answer(ctx, '若信息匹配，验证码已发送，请在 10 分钟内使用')
}

const answer = ({ config }: PublicContext, message: string) => ({ message, passwordProfile: config.passwordProfile })

async function sendCode(
  ctx: PublicContext,
  { schoolId, username, contact }: Checked<typeof sessionApi.retrievePwd>,
): Promise<void> {
  const account = await findAccount(ctx.db, schoolId, username)
  if (!account || account.suStatus !== accountStatus.active || (await isSuspended(ctx, schoolId))) return
  if (!(await consumeAttempt(ctx, `retrieve:${schoolId}:${account.suId}`, { tries: 3, minutes: 1440 }))) return
  const code = newReadableCode(8)
  const now = ctx.clock.now()
  const codeHash = codeDigest(account.suId, code)
  const expireTime = addMinutes(now, codeMinutes)
  // the code counts if and when it is on its way
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .insertInto('resetRequest')
      .values({ rqId: newId(), schoolId, suId: account.suId, codeHash, expireTime, createTime: now })
      .execute()
    await deliverCode(tx, {
      schoolId,
      suId: account.suId,
      name: account.suiName,
      number: account.suiNumber,
      email: account.suiEmail,
      hasPhone: account.suiPhone !== null,
      contact: contact ?? null,
      code,
      expireTime,
    })
  })
}

async function useCode(
  ctx: PublicContext,
  { schoolId, username }: { schoolId: string; username: string },
  code: string,
  newPassword: string,
) {
  const account = await findAccount(ctx.db, schoolId, username)
  const request = await openRequest(ctx, schoolId, account?.suId ?? systemId)
  // the same statements for whoever has no account or has asked for no code: the time they take must not tell
  const key = request?.rqId ?? `${schoolId}:${foldLoginName(username)}`
  const isAllowed = await consumeAttempt(ctx, `reset:${key}`, { tries: codeTries, minutes: 60 })
  const expected = request?.codeHash ?? randomBytes(32)
  const isRight = timingSafeEqual(expected, codeDigest(account?.suId ?? systemId, code.toUpperCase()))
  if (!account || !request || !isAllowed || !isRight) throw new Failure('reset-code-wrong')
  await assertSchoolActive(ctx, schoolId)
  await assertNewPassword(ctx, account, newPassword)
  await inTransaction(ctx, async (tx) => {
    const used = await tx.db
      .updateTable('resetRequest')
      .set({ usedTime: tx.clock.now(), sealedMessage: null })
      .where('rqId', '=', request.rqId)
      .where('usedTime', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw new Failure('reset-code-wrong')
    await setPassword(tx, schoolId, account.suId, newPassword)
    await endSessions(tx, schoolId, account.suId)
    await writeAudit(tx, { schoolId, actorId: account.suId, actorName: account.suNickname }, [
      { action: '找回密码', bizType: 'person', bizId: account.suId },
    ])
  })
  return answer(ctx, '密码已重置，请使用新密码登录')
}

/** The newest request of a person, where it is still open. */
async function openRequest(ctx: PublicContext, schoolId: string, suId: string) {
  const newest = await from({ db: ctx.db, schoolId }, 'resetRequest')
    .select(['rqId', 'codeHash', 'usedTime', 'expireTime'])
    .where('suId', '=', suId)
    .orderBy('createTime', 'desc')
    .orderBy('rqId', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && newest.usedTime === null && newest.expireTime > ctx.clock.now() ? newest : undefined
}
