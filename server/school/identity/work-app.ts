import { askOutbound, OutboundFault } from '../../core/base/outbound.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { dropToken, keepToken, keptToken, type TokenService } from '../integration/app-tokens.ts'
import { providerLimits } from './ask-provider.ts'
import type { Provider, ProviderServices } from './protocol.ts'

type Answer = Record<string, unknown>

/** What 企业微信 or 钉钉 refused, by its own code. */
export class WorkApiError extends Error {
  override readonly name = 'WorkApiError'
  readonly code: number | string
  constructor(code: number | string, said: unknown) {
    super(typeof said === 'string' ? said.replace(/\s+/g, ' ').slice(0, 200) : '')
    this.code = code
  }
}

/** An address without the stroke at its end. */
export const trimmed = (address: string): string => address.replace(/\/+$/, '')

/** The secret of the application. */
export const secretOf = ({ sealedSecret }: Provider, { secrets }: ProviderServices): string =>
  unseal(sealedSecret, secrets) ?? ''

/**
 * Asks for JSON.
 * @throws OutboundFault where nothing that can be read came back; WorkApiError where the other side refused
 */
export async function requestWorkApi(
  { config }: ProviderServices,
  address: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { status, text } = await askOutbound(
    body
      ? {
          address,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }
      : { address, method: 'GET', headers },
    config.outboundPrivate,
    providerLimits,
  )
  const answer = objectIn(text)
  if (!answer) throw new OutboundFault(`应答不是约定的内容（HTTP ${status}），请核对接口地址`)
  const { errcode, errmsg, code, message, sub_code: subCode, sub_msg: subMessage } = answer
  // 钉钉 wraps what its gateway refuses
  if (errcode === 88 && subCode !== undefined) throw new WorkApiError(Number(subCode) || 88, subMessage ?? errmsg)
  if (typeof errcode === 'number' && errcode !== 0) throw new WorkApiError(errcode, errmsg)
  if (status !== 200) throw new WorkApiError(typeof code === 'string' && code ? code : status, message)
  return answer
}

function objectIn(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined
  } catch {
    return undefined
  }
}

/** Asks what takes the application's token; one that is taken no more is replaced once. */
export async function requestAsApp(
  ctx: ProviderServices,
  service: TokenService,
  provider: Provider,
  path: string,
  { params = {}, body }: { params?: Record<string, string>; body?: object } = {},
): Promise<Answer> {
  for (let isAgain = false; ; isAgain = true) {
    const query = new URLSearchParams({ access_token: await tokenOf(ctx, service, provider), ...params })
    try {
      return await requestWorkApi(
        ctx,
        `${trimmed(provider.settings.address)}${path}?${query.toString()}`,
        body ? { body } : {},
      )
    } catch (error) {
      const isStale = error instanceof WorkApiError && service.staleToken.includes(Number(error.code))
      if (isAgain || !isStale) throw error
      dropToken(keyOf(provider))
    }
  }
}

const keyOf = ({ schoolId, providerId, version }: Provider): string => `${schoolId}/${providerId} ${version}`

/** The token of an application. */
async function tokenOf(ctx: ProviderServices, service: TokenService, provider: Provider): Promise<string> {
  const key = keyOf(provider)
  const kept = keptToken(key)
  if (kept) return kept
  const path = service.tokenPath(provider.settings.clientId, secretOf(provider, ctx))
  const { access_token: token, expires_in: seconds } = await requestWorkApi(
    ctx,
    `${trimmed(provider.settings.address)}${path}`,
  )
  if (typeof token !== 'string' || !token) throw new OutboundFault(`${service.name}没有给出访问凭证，请核对接口地址`)
  keepToken(key, token, seconds)
  return token
}

/** Forgets the token of an application, so that a test asks for one as things are now. */
export const forgetToken = (provider: Provider): void => dropToken(keyOf(provider))

/** A text of an answer, such as a number; undefined where it is none. */
export function textIn(answer: unknown, name: string): string | undefined {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, name)) return undefined
  const value: unknown = Reflect.get(answer, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined
}
