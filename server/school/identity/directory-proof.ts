import { Failure } from '../../../contract/core/failure.ts'
import { networkOf } from '../../core/base/address.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { foldLoginName } from '../people/accounts.service.ts'
import {
  clearAttempts,
  refundAttempt,
  perAddress,
  perName,
  perNameAndPlace,
  placeOf,
  consumeAttempt,
} from '../session/lockout.ts'
import type { FoundInDirectory } from './directory.ts'
import type { Provider } from './protocol.ts'

/**
 * Whom a directory knows by a name and a password. Tries are counted before it is asked, so that nobody guesses by us,
 * and locks nobody out there by more tries than here.
 * @throws Failure `identity-password-wrong`, `identity-unavailable`, or `identity-off` where it is no directory
 */
export async function verifyByDirectory(
  ctx: PublicContext,
  provider: Provider,
  given: { username: string; password: string },
): Promise<FoundInDirectory> {
  if (provider.kind !== 'ldap') throw new Failure('identity-off')
  const name = `directory:${provider.providerId}:${foldLoginName(given.username)}`
  const keys = [`${name}@${placeOf(ctx.origin.ip)}`, name]
  const isAllowed = (await consumeAttempt(ctx, keys[0]!, perNameAndPlace)) && (await consumeAttempt(ctx, name, perName))
  const found = isAllowed ? await asked(ctx, provider, given, keys) : undefined
  if (!found) {
    if (!(await consumeAttempt(ctx, `address:${networkOf(ctx.origin.ip)}`, perAddress)))
      throw new Failure('too-often', {}, { retryAfter: 600 })
    throw new Failure('identity-password-wrong')
  }
  await clearAttempts(ctx, keys)
  return found
}

async function asked(
  ctx: PublicContext,
  provider: Provider,
  { username, password }: { username: string; password: string },
  keys: string[],
): Promise<FoundInDirectory | undefined> {
  const { askDirectory, directoryFaultText } = await import('./directory.ts')
  try {
    return await askDirectory(ctx, provider, username, password)
  } catch (error) {
    // nothing was tried where nobody could be asked
    await refundAttempt(ctx, keys)
    ctx.log.warn({ why: directoryFaultText(error), providerId: provider.providerId }, 'a directory could not be asked')
    throw new Failure('identity-unavailable')
  }
}
