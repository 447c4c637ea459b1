import { Failure } from '../../../contract/core/failure.ts'
import { secondsBetween } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { noPassword } from '../../core/secrets/passwords.ts'
import { accountOf } from '../people/accounts.service.ts'
import { askPassword } from './second-factor.service.ts'

/** Minutes for which a sign-in counts as a proof of those who have no password of their own. */
const freshMinutes = 10

/** Whether somebody has chosen a password; whoever has always come by a provider has not. */
export async function hasOwnPassword({ db, actor }: Context): Promise<boolean> {
  const account = await accountOf(db, actor.schoolId, actor.suId)
  return account !== undefined && account.passwordHash !== noPassword && !account.mustChangePwd
}

/**
 * Asks for a fresh proof that it is the person themselves: their password, or, of those who have none of their own, a
 * sign-in of the last minutes. The second factor of those who have one is asked for by the call.
 * @throws Failure `old-password-wrong` or `sign-in-again`
 */
export async function askOwner(ctx: Context, password = ''): Promise<void> {
  if (await hasOwnPassword(ctx)) return askPassword(ctx, password)
  const session = await from(ctx, 'session')
    .select('createTime')
    .where('sessionId', '=', ctx.actor.sessionId)
    .executeTakeFirst()
  if (!session || secondsBetween(session.createTime, ctx.clock.now()) > freshMinutes * 60)
    throw new Failure('sign-in-again')
}
