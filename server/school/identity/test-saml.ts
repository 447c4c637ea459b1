import { callbackPath } from '../../../contract/school/identity/identity.calls.ts'
import { epochOf } from '../../core/base/clock.ts'
import { askOutbound, OutboundFault } from '../../core/base/outbound.ts'
import { publicOrigin } from '../../core/base/public-origin.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { providerLimits } from './ask-provider.ts'
import { warnDays } from './certificate-warnings.service.ts'
import type { Provider, TestStep } from './protocol.ts'
import { samlSkewMs } from './saml-assertion.ts'
import { samlLogin } from './saml-client.ts'
import { certificatesAt, MetadataFault, samlMetadata, type SamlMetadata } from './saml-metadata.ts'

const dayMs = 86_400_000
/** Enough that nobody has begun it, and short enough to be one. */
const noState = 'test-of-the-console'

/**
 * Whether a provider is one of SAML that can be used: its metadata, certificates and clock, and whether it takes our
 * request.
 */
export async function testSaml(ctx: PublicContext, provider: Provider): Promise<TestStep[]> {
  let found
  try {
    found = await samlMetadata(ctx, provider, true)
  } catch (error) {
    if (!(error instanceof OutboundFault || error instanceof MetadataFault)) throw error
    return [{ name: '元数据', isGood: false, text: error.message }]
  }
  const { metadata, skewMs } = found
  const steps: TestStep[] = [
    { name: '元数据', isGood: true, text: `是 SAML 2.0 身份提供者 ${metadata.entityId.slice(0, 200)}` },
    certificateStep(metadata, new Date(epochOf(ctx.clock.now()))),
  ]
  if (skewMs !== undefined) steps.push(clockStep(skewMs))
  if (steps.some(({ isGood }) => !isGood)) return steps
  steps.push(await loginStep(ctx, provider))
  if (steps.every(({ isGood }) => isGood))
    steps.push({
      name: '退出',
      isGood: true,
      text: metadata.logoutAnswer
        ? '接受对方发起的单点退出（HTTP-POST）'
        : '对方没有单点退出的地址，从对方退出后本系统的会话照常到期',
    })
  return steps
}

function certificateStep(metadata: SamlMetadata, now: Date): TestStep {
  const step = (isGood: boolean, text: string): TestStep => ({ name: '签名证书', isGood, text })
  const { certificates } = metadata
  if (certificates.length === 0)
    return step(false, '元数据中没有可用的签名证书：须为 2048 位以上的 RSA 证书，请联系对方的管理员')
  const valid = certificatesAt(metadata, now).toSorted((a, b) => a.ends.getTime() - b.ends.getTime())
  const days = (ends: Date) => ends.toISOString().slice(0, 10)
  const last = valid.at(-1)
  if (!last)
    return step(
      false,
      `签名证书已全部过期（${certificates.map(({ ends }) => days(ends)).join('、')}），请向对方索取新的元数据`,
    )
  const told = `有 ${valid.length} 个有效的签名证书，到期日 ${valid.map(({ ends }) => days(ends)).join('、')}`
  return last.ends.getTime() - now.getTime() < warnDays * dayMs
    ? step(false, `${told}，${warnDays} 天内将没有有效的证书，请向对方索取新证书的元数据`)
    : step(true, told)
}

function clockStep(skewMs: number): TestStep {
  const seconds = Math.round(skewMs / 1000)
  return Math.abs(skewMs) <= samlSkewMs
    ? { name: '时钟', isGood: true, text: '双方时钟相差不超过 60 秒' }
    : {
        name: '时钟',
        isGood: false,
        text: `对方的时钟比本系统${seconds > 0 ? '快' : '慢'} ${Math.abs(seconds)} 秒，登录会被拒绝，请双方校时（NTP）`,
      }
}

/** What the provider's page says to a request of ours; where only browsers reach it, that is not wrong. */
async function loginStep(ctx: PublicContext, provider: Provider): Promise<TestStep> {
  const step = (isGood: boolean, text: string): TestStep => ({ name: '登录页', isGood, text })
  const origin = publicOrigin(ctx.config)
  if (!origin) return step(true, '没有试：运维尚未设置 PUBLIC_ORIGINS，登录时以实际域名为准')
  const way = { callback: `${origin}${callbackPath}${provider.providerId}`, state: noState }
  try {
    const address = await samlLogin(ctx, provider, way)
    const { status } = await askOutbound(
      { address, method: 'GET', headers: {} },
      ctx.config.outboundPrivate,
      providerLimits,
    )
    return status < 400
      ? step(true, '对方接受本系统的登录请求')
      : step(false, `对方对登录请求答复 ${status}，多为尚未导入本系统的元数据，请在对方导入后再试`)
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error
    return step(true, `服务器不能访问对方的登录页（${error.message}），人员的浏览器能访问即可`)
  }
}
