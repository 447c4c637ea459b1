import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { outboundFaultText } from '../../core/base/outbound.ts'
import type { Context } from '../../core/request/context.ts'
import { casValidate, readCasAnswer } from './cas.ts'
import { askProvider } from './provider-request.ts'
import { providerOf } from './providers.service.ts'

/** A ticket that no server has issued, and an address that is told with it. */
const ticket = 'ST-0-test-of-the-console'
const service = 'https://test.invalid/'

/**
 * Asks a provider about a ticket that nobody has: a CAS server refuses it in the words of the protocol, and anything
 * else is no CAS server.
 */
export async function testProvider(ctx: Context, { providerId }: Checked<typeof identityApi.test>) {
  const provider = await providerOf(ctx, providerId)
  if (!provider || provider.schoolId !== ctx.actor.schoolId) throw new Failure('not-found')
  const { address, attribute } = provider.settings
  const steps: { name: string; isGood: boolean; text: string }[] = []
  let xml: string
  try {
    xml = await askProvider(casValidate(address, service, ticket, attribute ? 3 : 2), {
      allowsLocal: ctx.config.allowLocalProviders,
    })
  } catch (error) {
    steps.push({ name: '连接', isGood: false, text: faultText(error) })
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

/** What `askProvider` tells for the log, in words for the administrator. */
function faultText(error: unknown): string {
  const { message } = error as Error
  const status = /answered (\d+)/.exec(message)?.[1]
  if (status) return `对方答复 ${status}，请核对服务地址`
  if (message.includes('closed to providers')) return '该地址是本机或链路本地地址，须由运维设置 ALLOW_LOCAL_PROVIDERS=1'
  if (message.includes('too large')) return '对方的应答过大，不是 CAS 服务，请核对服务地址'
  return outboundFaultText(error)
}
