import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { takeTry, type Allowance } from '../session/lockout.ts'
import { casValidate, readCasAnswer } from './cas.ts'
import { askProvider } from './ask-provider.ts'
import { providerOf } from './providers.service.ts'

/** A ticket that no server has issued, and an address that is told with it. */
const ticket = 'ST-0-test-of-the-console'
const service = 'https://test.invalid/'

/** Enough to set a provider up, too few to look for what else listens in a network that the operator has opened. */
const tests: Allowance = { tries: 30, minutes: 10 }

/**
 * Asks a provider about a ticket that nobody has: a CAS server refuses it in the words of the protocol, and anything
 * else is no CAS server.
 */
export async function testProvider(ctx: Context, { providerId }: Checked<typeof identityApi.test>) {
  const provider = await providerOf(ctx, providerId)
  if (!provider || provider.schoolId !== ctx.actor.schoolId) throw new Failure('not-found')
  if (!(await takeTry(ctx, `identity-test:${provider.schoolId}`, tests)))
    throw new Failure('too-often', {}, { retryAfter: 600 })
  const { address, attribute } = provider.settings
  const steps: { name: string; isGood: boolean; text: string }[] = []
  let xml: string
  try {
    xml = await askProvider(ctx, casValidate(address, service, ticket, attribute ? 3 : 2))
  } catch (error) {
    steps.push({ name: '连接', isGood: false, text: (error as Error).message })
    return { steps }
  }
  steps.push({ name: '连接', isGood: true, text: `${new URL(address).host} 有应答` })
  try {
    const answer = readCasAnswer(xml)
    steps.push(
      'code' in answer
        ? { name: '协议', isGood: true, text: `是 CAS 服务（按协议拒绝了测试票据：${answer.code}）` }
        : { name: '协议', isGood: false, text: '对方接受了一张不存在的票据，不能用于登录，请联系该服务的管理员' },
    )
  } catch {
    steps.push({ name: '协议', isGood: false, text: '应答不是 CAS 协议的内容，请核对服务地址（通常以 /cas 结尾）' })
  }
  if (steps.at(-1)!.isGood && !provider.enabled)
    steps.push({ name: '启用', isGood: false, text: '尚未启用，登录页上还没有按钮' })
  return { steps }
}
