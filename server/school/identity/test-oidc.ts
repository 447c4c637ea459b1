import * as oidc from 'openid-client'
import { OutboundFault } from '../../core/base/outbound.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { askProvider } from './ask-provider.ts'
import { networkFault, oidcClient, signatures } from './oidc-client.ts'
import type { Provider, TestStep } from './protocol.ts'

/** A code that no provider has issued, and an address that is told with it. */
const noCode = 'test-of-the-console'
const noCallback = 'https://test.invalid/?state=test&code='

/**
 * Whether a provider is one of OpenID Connect that can be used: what it says of itself, its keys, and whether it knows
 * this program, by a code that nobody has: a provider that takes our secret refuses the code alone.
 */
export async function testOidc(ctx: PublicContext, provider: Provider): Promise<TestStep[]> {
  const steps: TestStep[] = []
  let client: oidc.Configuration
  try {
    client = await oidcClient(ctx, provider, true)
  } catch (error) {
    steps.push({ name: '连接', isGood: false, text: discoveryFault(error, provider) })
    return steps
  }
  const metadata = client.serverMetadata()
  steps.push({ name: '连接', isGood: true, text: `${new URL(provider.settings.address).host} 是 OpenID Connect 服务` })
  const fault = metadataFault(metadata)
  steps.push({ name: '协议', isGood: !fault, text: fault ?? '支持授权码登录与签名校验' })
  if (fault) return steps
  steps.push(await keysOf(ctx, metadata.jwks_uri!))
  steps.push(await clientStep(client))
  if (steps.every(({ isGood }) => isGood))
    steps.push({
      name: '退出',
      isGood: true,
      text: `${metadata['backchannel_logout_supported'] ? '支持' : '未声明支持'}后台退出通知，${
        metadata.end_session_endpoint ? '支持' : '不支持'
      }从本系统发起退出`,
    })
  return steps
}

function discoveryFault(error: unknown, { settings: { address } }: Provider): string {
  const fault = networkFault(error)
  if (fault) return fault.message
  const { code = '', cause } = error as { code?: string; cause?: { status?: number; body?: { issuer?: string } } }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return `对方自称 ${String(cause?.body?.issuer ?? '').slice(0, 100)}，与所填的服务地址不一致，请按对方的 issuer 填写`
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    return `${address} 下没有 /.well-known/openid-configuration（答复 ${cause?.status ?? '异常'}），请核对服务地址`
  return '应答不是 OpenID Connect 的配置，请核对服务地址'
}

function metadataFault(metadata: oidc.ServerMetadata): string | undefined {
  if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
    return '对方的配置不完整：须有 authorization_endpoint、token_endpoint 与 jwks_uri'
  if (metadata.response_types_supported && !metadata.response_types_supported.includes('code'))
    return '对方不支持授权码方式（response_types_supported 中没有 code）'
  const signing = metadata.id_token_signing_alg_values_supported as string[] | undefined
  if (signing && !signing.some((one) => signatures.includes(one)))
    return `对方只提供 ${signing.join('、')} 签名，本系统须用公钥校验，请改用 RS256 或 ES256`
  const challenges = metadata.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256')) return '对方不支持 PKCE 的 S256，请在对方启用'
  return undefined
}

async function keysOf(ctx: PublicContext, address: string): Promise<TestStep> {
  try {
    const { keys } = JSON.parse(await askProvider(ctx, address)) as { keys: { use?: string; kty: string }[] }
    const usable = keys.filter(({ use, kty }) => use !== 'enc' && kty !== 'oct').length
    return usable > 0
      ? { name: '公钥', isGood: true, text: `有 ${usable} 个签名公钥` }
      : { name: '公钥', isGood: false, text: '对方没有公布签名公钥，请联系该服务的管理员' }
  } catch (error) {
    return {
      name: '公钥',
      isGood: false,
      text: error instanceof OutboundFault ? error.message : '公钥地址的应答不是公钥，请联系该服务的管理员',
    }
  }
}

async function clientStep(client: oidc.Configuration): Promise<TestStep> {
  const step = (isGood: boolean, text: string): TestStep => ({ name: '客户端', isGood, text })
  const back = new URL(`${noCallback}${noCode}`)
  const { issuer, authorization_response_iss_parameter_supported: tellsIssuer } = client.serverMetadata()
  if (tellsIssuer) back.searchParams.set('iss', issuer)
  try {
    await oidc.authorizationCodeGrant(client, back, { expectedState: 'test', pkceCodeVerifier: 'x'.repeat(43) })
    return step(false, '对方接受了一个不存在的授权码，不能用于登录，请联系该服务的管理员')
  } catch (error) {
    const fault = networkFault(error)
    if (fault) return step(false, fault.message)
    const told = error instanceof oidc.ResponseBodyError ? error.error : undefined
    const isRefused = told === 'invalid_client' || error instanceof oidc.WWWAuthenticateChallengeError
    if (isRefused) return step(false, '对方不认可客户端编号或密钥，请核对')
    if (told === 'unauthorized_client') return step(false, '对方不允许该客户端使用授权码方式，请在对方启用')
    if (told === 'invalid_grant') return step(true, '对方认可客户端编号与密钥（按协议拒绝了测试授权码）')
    return step(false, `对方答复不符合协议${told ? `（${told.slice(0, 60)}）` : ''}，请联系该服务的管理员`)
  }
}
