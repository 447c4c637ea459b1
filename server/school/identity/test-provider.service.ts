import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { consumeAttempt, type Allowance } from '../session/lockout.ts'
import { protocolOf } from './protocols.ts'
import { providerOf } from './providers.service.ts'

/** Enough to set a provider up, too few to look for what else listens in a network that the operator has opened. */
const tests: Allowance = { tries: 30, minutes: 10 }

/** Asks a provider as a sign-in would, and tells step by step what is right and what is wrong. */
export async function testProvider(ctx: Context, { providerId }: Checked<typeof identityApi.test>) {
  const provider = await providerOf(ctx, providerId)
  if (!provider || provider.schoolId !== ctx.actor.schoolId) throw new Failure('not-found')
  if (!(await consumeAttempt(ctx, `identity-test:${provider.schoolId}`, tests)))
    throw new Failure('too-often', {}, { retryAfter: 600 })
  const steps = await (provider.kind === 'ldap'
    ? (await import('./directory.ts')).testDirectory(ctx, provider)
    : (await protocolOf(provider)).test(ctx, provider))
  if (steps.every(({ isGood }) => isGood) && !provider.enabled)
    steps.push({ name: '启用', isGood: false, text: '尚未启用，登录页上还没有按钮' })
  return { steps }
}
