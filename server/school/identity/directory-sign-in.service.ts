import type { Checked } from '../../../contract/core/call.ts'
import type { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { enterByProvider } from '../session/session.service.ts'
import { verifyByDirectory } from './directory-proof.ts'
import { openProvider } from './identity-flow.service.ts'
import { accountOfIdentity, recordIdentityUse } from './person-identities.ts'

/** Signs in by the name and the password of a directory. */
export async function enterByDirectory(ctx: PublicContext, input: Checked<typeof identityApi.enter>) {
  const { providerId, username, password, ...proof } = input
  const provider = await openProvider(ctx, providerId)
  const found = await verifyByDirectory(ctx, provider, { username, password })
  const account = await accountOfIdentity(ctx, provider, found)
  const cameBy = { providerId, ticketHash: null, subjectHash: null, name: provider.name }
  return enterByProvider(ctx, account, proof, cameBy, () => recordIdentityUse(ctx, provider, found.subject))
}
