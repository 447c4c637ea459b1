import { X509Certificate } from 'node:crypto'
import { epochOf } from '../../core/base/clock.ts'
import { askOutbound, OutboundFault } from '../../core/base/outbound.ts'
import { providerLimits } from './ask-provider.ts'
import type { Provider, ProviderServices } from './protocol.ts'
import { childOf, childrenOf, isNamed, readXml, spaces, type XmlElement } from './saml-xml.ts'

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
/** Bits of the shortest key by which a signature proves anything. */
const fewestBits = 2048
/** Milliseconds for which the metadata of an address is kept, and for which it goes on to hold where nobody answers. */
const keptMs = 5 * 60_000
const staleMs = 24 * 3_600_000

/** What is wrong with the metadata of a provider, in a sentence for the administrator. */
export class MetadataFault extends Error {
  override readonly name = 'MetadataFault'
}

/** What an identity provider says of itself. */
export interface SamlMetadata {
  entityId: string
  /** Where browsers are sent to sign in, by redirect. */
  signOn: string
  /** Where browsers are sent with the answer to a sign-out, by redirect; undefined where it has no such place. */
  logoutAnswer: string | undefined
  /** By which it signs, without those that cannot be used. */
  certificates: SigningCertificate[]
  /** Until when it says that it holds; undefined where it does not say. */
  validUntil: Date | undefined
}

interface SigningCertificate {
  /** As base64 of DER. */
  der: string
  ends: Date
}

/**
 * Reads the metadata of one identity provider.
 * @throws MetadataFault
 */
export function readSamlMetadata(xml: string, now: Date): SamlMetadata {
  const entity = entityOf(xml)
  const until = entity.attributes.get('validUntil')
  if (until !== undefined && !(Date.parse(until) > now.getTime()))
    throw new MetadataFault(`元数据的有效期已过（validUntil 为 ${until.slice(0, 30)}），请向对方索取新的元数据`)
  const entityId = entity.attributes.get('entityID')
  if (!entityId) throw new MetadataFault('元数据中没有 entityID，请向对方索取完整的元数据')
  const role = childrenOf(entity, 'metadata', 'IDPSSODescriptor').find(({ attributes }) =>
    (attributes.get('protocolSupportEnumeration') ?? '').split(/\s+/).includes(spaces.protocol),
  )
  if (!role)
    throw new MetadataFault(
      '元数据中没有 SAML 2.0 的身份提供者（IDPSSODescriptor），请核对是否误用了服务提供者的元数据',
    )
  const signOn = redirectTo(role, 'SingleSignOnService')?.attributes.get('Location')
  if (!signOn) throw new MetadataFault('对方没有 HTTP-Redirect 方式的登录地址，请在对方启用')
  const logout = redirectTo(role, 'SingleLogoutService')?.attributes
  return {
    entityId,
    signOn,
    logoutAnswer: logout?.get('ResponseLocation') ?? logout?.get('Location'),
    certificates: certificatesOf(role),
    validUntil: until === undefined ? undefined : new Date(until),
  }
}

/** The certificates by which a provider may have signed at a moment. */
export const certificatesAt = ({ certificates }: SamlMetadata, now: Date): SigningCertificate[] =>
  certificates.filter(({ ends }) => ends > now)

/** From when on nobody comes in by metadata as they are; undefined where nobody ever did. */
export function endOfMetadata({ certificates, validUntil }: SamlMetadata): Date | undefined {
  const [last] = certificates.map(({ ends }) => ends).toSorted((a, b) => b.getTime() - a.getTime())
  return last && validUntil && validUntil < last ? validUntil : last
}

function entityOf(xml: string): XmlElement {
  let root
  try {
    root = readXml(xml, false)
  } catch {
    throw new MetadataFault('应答不是 XML 格式的元数据，请核对地址或粘贴的内容')
  }
  const entities = isNamed(root, 'metadata', 'EntitiesDescriptor')
    ? childrenOf(root, 'metadata', 'EntityDescriptor').filter(
        (one) => childrenOf(one, 'metadata', 'IDPSSODescriptor').length > 0,
      )
    : [root]
  if (entities.length > 1)
    throw new MetadataFault('元数据中有多个身份提供者，请改用只含本校身份提供者的元数据，或只粘贴它的一段')
  const [entity] = entities
  if (!entity || !isNamed(entity, 'metadata', 'EntityDescriptor'))
    throw new MetadataFault('应答不是 SAML 元数据（没有 EntityDescriptor），请核对地址或粘贴的内容')
  return entity
}

const isWebAddress = (text = '') => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const redirectTo = (role: XmlElement, service: string) =>
  childrenOf(role, 'metadata', service).find(
    ({ attributes }) => attributes.get('Binding') === redirectBinding && isWebAddress(attributes.get('Location')),
  )

function certificatesOf(role: XmlElement): SigningCertificate[] {
  const found = childrenOf(role, 'metadata', 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(childOf(key, 'signature', 'KeyInfo'), 'signature', 'X509Data'))
    .flatMap((data) => childrenOf(data, 'signature', 'X509Certificate'))
  return found.flatMap(({ text }) => {
    const der = text.replaceAll(/\s+/g, '')
    try {
      const { publicKey, validTo } = new X509Certificate(Buffer.from(der, 'base64'))
      const isUsable =
        publicKey.asymmetricKeyType === 'rsa' && (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= fewestBits
      return isUsable ? [{ der, ends: new Date(validTo) }] : []
    } catch {
      return []
    }
  })
}

interface Kept {
  metadata: SamlMetadata
  /** Of the provider's clock and ours, as it was asked; undefined where it did not tell its time. */
  skewMs: number | undefined
  at: number
}
const kept = new Map<string, Kept>()

/**
 * The metadata of a provider: what was pasted, or what its address says, at most five minutes old. Where the address
 * does not answer, what it said within the last day goes on to hold: people sign in elsewhere.
 * @throws MetadataFault or OutboundFault
 */
export async function samlMetadata(
  ctx: ProviderServices,
  provider: Provider,
  isFresh = false,
): Promise<Omit<Kept, 'at'>> {
  const { providerId, version, settings } = provider
  const now = new Date(epochOf(ctx.clock.now()))
  if (settings.metadata) return { metadata: readSamlMetadata(settings.metadata, now), skewMs: undefined }
  const key = `${providerId}:${version}`
  const known = kept.get(key)
  if (known && !isFresh && now.getTime() - known.at < keptMs) return known
  try {
    const { status, headers, text } = await askOutbound(
      { address: settings.address, method: 'GET', headers: {} },
      ctx.config.outboundPrivate,
      providerLimits,
    )
    if (status !== 200) throw new OutboundFault(`对方答复 ${status}，请核对元数据地址`)
    const told = Date.parse(headers.date ?? '')
    const found = {
      metadata: readSamlMetadata(text, now),
      skewMs: Number.isNaN(told) ? undefined : told - Date.now(),
      at: now.getTime(),
    }
    if (kept.size >= 500) kept.clear()
    kept.set(key, found)
    return found
  } catch (error) {
    if (known && !isFresh && error instanceof OutboundFault && now.getTime() - known.at < staleMs) return known
    throw error
  }
}
