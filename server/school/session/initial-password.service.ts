import type { Checked } from '../../../contract/core/call.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { InitialPassword, passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { audit } from '../../core/audit/audit.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { oneTimePassword } from '../../core/secrets/passwords.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { accountOf, setPassword } from '../people/accounts.service.ts'
import { assertNotOutranked } from '../people/rank-check.service.ts'
import { visibleStudents } from '../people/students.service.ts'
import { visibleTeachers } from '../people/teachers.service.ts'
import { refundAttempt, consumeAttempt } from './lockout.ts'
import { endSessions } from './tokens.ts'

/** Days a password given by somebody else can be used for its first and only sign-in. */
export const validDays = 3
const perAdmin = { tries: 5, minutes: 60 }
const perTarget = { tries: 5, minutes: 24 * 60 }

/**
 * Gives a student in reach a random one-time password, told once in the answer. The day of birth confirms that the
 * right one is meant; wrong ones are counted for who asks and whom they ask about, and a right one does not wipe them
 * out, so that it cannot be found out this way (docs/security.md S4).
 */
export async function resetStudent(
  ctx: Context,
  { suId, birth, reason }: Checked<typeof passwordApi.resetByLink> & { reason?: string | undefined },
): Promise<InitialPassword> {
  const student = await visibleStudents(ctx)
    .select(['suiName', 'birth'])
    .where('person.suId', '=', suId)
    .executeTakeFirst()
  if (!student) throw new Failure('not-found')
  if (!student.birth) throw new Failure('birth-missing')
  const { schoolId } = ctx.actor
  const keys = [`reset:${schoolId}:${suId}`, `reset-by:${schoolId}:${ctx.actor.suId}`]
  if (!((await consumeAttempt(ctx, keys[0]!, perTarget)) && (await consumeAttempt(ctx, keys[1]!, perAdmin))))
    throw new Failure('too-often', {}, { retryAfter: 3600 })
  if (student.birth !== birth) {
    await audit(ctx, {
      action: '重置学生密码',
      result: 'refused',
      bizType: 'person',
      bizId: suId,
      bizName: student.suiName,
      reason: '出生日期不符',
    })
    throw new Failure('birth-mismatch')
  }
  await refundAttempt(ctx, keys)
  return give(ctx, suId, student.suiName, '重置学生密码', reason)
}

/** Gives a member of staff in reach a random one-time password. */
export async function resetTeacher(
  ctx: Context,
  { suId, reason }: Checked<typeof passwordApi.resetTeacher>,
): Promise<InitialPassword> {
  const teacher = await visibleTeachers(ctx).select('suiName').where('person.suId', '=', suId).executeTakeFirst()
  if (!teacher) throw new Failure('not-found')
  return give(ctx, suId, teacher.suiName, '重置教师密码', reason)
}

async function give(
  ctx: Context,
  suId: string,
  suiName: string,
  action: string,
  reason = '',
): Promise<InitialPassword> {
  const { schoolId } = ctx.actor
  const password = oneTimePassword()
  const account = await inTransaction(ctx, async (tx) => {
    await assertNotOutranked(tx, [suId])
    await setPassword(tx, schoolId, suId, password, { days: validDays })
    await endSessions(tx, schoolId, suId)
    await audit(tx, { action, bizType: 'person', bizId: suId, bizName: suiName, reason })
    await notifyReset(tx, [suId])
    return accountOf(tx.db, schoolId, suId)
  })
  forgetActors(schoolId, [suId])
  return { suId, suiName, suLoginName: account!.suLoginName, password, validUntil: addDays(ctx.clock.now(), validDays) }
}

/** Tells people that their password was reset and by whom; the password itself never stands in a message. */
export const notifyReset = (tx: Context, suIds: readonly string[]): Promise<void> =>
  notify(tx, {
    suIds,
    type: messageType.system,
    title: '登录密码已重置',
    bizType: 'account',
    link: '/personalCenter/modifyPwd',
    content: `您的登录密码已于 ${tx.clock.now().slice(0, 16)} 由${tx.actor.suNickname}重置，原密码失效，已登录的设备已退出。新密码由经办人当面告知，首次登录时须修改。如非本人要求，请联系辅导员。`,
  })
