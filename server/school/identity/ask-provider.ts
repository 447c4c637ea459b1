import { askOutbound, OutboundFault } from '../../core/base/outbound.ts'
import type { PublicContext } from '../../core/request/context.ts'

/** How long a provider may take, and how much it may say. */
export const providerLimits = { timeoutMs: 10_000, maxBytes: 262_144 }

/** Whether a text is an address that a provider may have: complete, without credentials, question or fragment. */
export function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\s?#\\]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && !username && !password
}

/** Whether a text is an address that a directory may have. */
export const isDirectoryAddress = (text: string): boolean =>
  /^ldaps?:\/\/[^\s/?#@\\]+\/?$/.test(text) && URL.canParse(text)

/**
 * Asks a provider of the campus for a text. Like every address that a school types in it is one of the internet, or of
 * the networks that the operator allows.
 * @throws OutboundFault, in words for the administrator
 */
export async function askProvider({ config }: Pick<PublicContext, 'config'>, address: string): Promise<string> {
  const { status, text } = await askOutbound(
    { address, method: 'GET', headers: {} },
    config.outboundPrivate,
    providerLimits,
  )
  if (status !== 200) throw new OutboundFault(`对方答复 ${status}，请核对服务地址`)
  return text
}
