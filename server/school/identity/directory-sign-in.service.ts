import type { Checked } from '../../../contract/core/call.ts'
import type { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { enterByProvider } from '../session/session.service.ts'
import { provenByDirectory } from './directory-proof.ts'
import { openProvider } from './identity-flow.service.ts'
import { accountBehind, noteUse } from './person-identities.ts'

/** Signs in by the name and the password of a directory. */
export async function enterByDirectory(ctx: PublicContext, input: Checked<typeof identityApi.enter>) {
  const { providerId, username, password, ...proof } = input
  const provider = await openProvider(ctx, providerId)
  const found = await provenByDirectory(ctx, provider, { username, password })
  const account = await accountBehind(ctx, provider, found)
  const came = { providerId, ticketHash: null, subjectHash: null, name: provider.name }
  return enterByProvider(ctx, account, proof, came, () => noteUse(ctx, provider, found.subject))
}
