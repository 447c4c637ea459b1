import { yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { from } from '../../core/database/tenant.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { accountOf, accountOfNumber, type AccountRow } from '../people/accounts.service.ts'
import type { Provider, ExternalIdentity } from './protocol.ts'
import { audienceOf } from './sign-in-methods.service.ts'

/**
 * Whose account it is that a provider vouches for: of whoever has bound it, else by the number, where the provider's
 * setting has numbers matched. Whoever may not come in by it is refused.
 */
export async function accountOfIdentity(
  ctx: PublicContext,
  provider: Provider,
  { number, subject }: Pick<ExternalIdentity, 'number' | 'subject'>,
): Promise<AccountRow> {
  const { schoolId, providerId, settings } = provider
  const bound =
    subject === null
      ? undefined
      : await from({ db: ctx.db, schoolId }, 'personIdentity')
          .select('suId')
          .where('providerId', '=', providerId)
          .where('subject', '=', subject)
          .executeTakeFirst()
  if (bound) return admitted(ctx, provider, await accountOf(ctx.db, schoolId, bound.suId))
  if (!settings.matchesNumber) throw new Failure('identity-unbound')
  if (!number) throw new Failure('identity-no-number')
  return admitted(ctx, provider, await accountOfNumber(ctx.db, schoolId, number))
}

/** Notes that somebody has come in by an account at a provider, where it is bound. */
export async function recordIdentityUse(
  ctx: PublicContext,
  { schoolId, providerId }: Provider,
  subject: string | null,
) {
  if (subject === null) return
  await ctx.db
    .updateTable('personIdentity')
    .set({ lastTime: ctx.clock.now() })
    .where('schoolId', '=', schoolId)
    .where('providerId', '=', providerId)
    .where('subject', '=', subject)
    .execute()
}

/** Whoever has an account in use, and is among those whom the provider is for; others are refused. */
export async function admitted(
  ctx: PublicContext,
  { audience }: Provider,
  account: AccountRow | undefined,
): Promise<AccountRow> {
  if (account?.suStatus !== accountStatus.active || account.delFlag !== yesNo.no) throw new Failure('identity-unknown')
  if (!audience.includes(await audienceOf(ctx, account))) throw new Failure('identity-not-for-you')
  return account
}
