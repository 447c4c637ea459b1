import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { networkOf } from '../../core/base/address.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { accountOfNumber, foldLoginName } from '../people/accounts.service.ts'
import { clearTries, giveBackTry, perAddress, perName, perNameAndPlace, placeOf, takeTry } from '../session/lockout.ts'
import { enterByProvider } from '../session/session.service.ts'
import { askDirectory, directoryFaultText } from './directory.ts'
import { admitted, openProvider } from './identity-flow.service.ts'

/**
 * Signs in by the name and the password of a directory. Tries are counted before it is asked, so that nobody guesses by
 * us, and locks nobody out there by more tries than here.
 */
export async function enterByDirectory(ctx: PublicContext, input: Checked<typeof identityApi.enter>) {
  const { providerId, username, password, ...proof } = input
  const provider = await openProvider(ctx, providerId)
  if (provider.kind !== 'ldap') throw new Failure('identity-off')
  const name = `directory:${providerId}:${foldLoginName(username)}`
  const keys = [`${name}@${placeOf(ctx.origin.ip)}`, name]
  const isAllowed = (await takeTry(ctx, keys[0]!, perNameAndPlace)) && (await takeTry(ctx, name, perName))
  const number = isAllowed ? await numberOf(ctx, provider, { username, password }, keys) : undefined
  if (number === undefined) {
    if (!(await takeTry(ctx, `address:${networkOf(ctx.origin.ip)}`, perAddress)))
      throw new Failure('too-often', {}, { retryAfter: 600 })
    throw new Failure('identity-password-wrong')
  }
  await clearTries(ctx, keys)
  if (!number) throw new Failure('identity-no-number')
  const account = await admitted(ctx, provider, await accountOfNumber(ctx.db, provider.schoolId, number))
  const came = { providerId, ticketHash: null, subjectHash: null, name: provider.name }
  return enterByProvider(ctx, account, proof, came, async () => undefined)
}

async function numberOf(
  ctx: PublicContext,
  provider: Awaited<ReturnType<typeof openProvider>>,
  { username, password }: { username: string; password: string },
  keys: string[],
): Promise<string | undefined> {
  try {
    return await askDirectory(ctx, provider, username, password)
  } catch (error) {
    // nothing was tried where nobody could be asked
    await giveBackTry(ctx, keys)
    ctx.log.warn({ why: directoryFaultText(error), providerId: provider.providerId }, 'a directory could not be asked')
    throw new Failure('identity-unavailable')
  }
}
