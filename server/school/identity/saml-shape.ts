import { childOf, childrenOf, isNamed, readXml, spaces, within, type Space, type XmlElement } from './saml-xml.ts'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = `${spaces.signature}enveloped-signature`
const signatures = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digests = [`${spaces.encryption}sha256`, `${spaces.encryption}sha512`]
const contentCiphers = [
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  `${spaces.encryption}aes128-cbc`,
  `${spaces.encryption}aes256-cbc`,
]
const keyCiphers = [`${spaces.encryption}rsa-oaep-mgf1p`]
/**
 * Elements that libraries look for by name wherever they are, and the only namespace and place in which they may be.
 */
const places: Record<string, { space: Space; in: string[] }> = {
  Response: { space: 'protocol', in: [] },
  LogoutRequest: { space: 'protocol', in: [] },
  Assertion: { space: 'assertion', in: ['Response'] },
  EncryptedAssertion: { space: 'assertion', in: ['Response'] },
  EncryptedID: { space: 'assertion', in: ['LogoutRequest'] },
  EncryptedData: { space: 'encryption', in: ['EncryptedAssertion', 'EncryptedID'] },
  Signature: { space: 'signature', in: ['Response', 'Assertion', 'LogoutRequest'] },
}

/**
 * Reads a message of SAML that is formed as an honest one is: each thing once and at its place, so that what is signed
 * and what is read cannot be two things (signature wrapping), with algorithms that still hold.
 * @param root what it has to be: `Assertion` where it was encrypted
 * @throws where it is not
 */
export function readSound(xml: string, root: 'Response' | 'Assertion' | 'LogoutRequest'): XmlElement {
  const message = readXml(xml, true)
  if (message.name !== root) throw new Error(`the message is no ${root}`)
  const ids = new Set<string>()
  const seen = new Map<XmlElement | undefined, Set<string>>()
  for (const [element, parent] of within(message)) {
    for (const [name, value] of element.attributes)
      if (/^id$/i.test(name) && ids.size === ids.add(value).size) throw new Error('an ID is there twice')
    const place = places[element.name]
    if (!place) continue
    const isAtPlace = parent ? place.in.includes(parent.name) : element.name === root
    if (!isAtPlace || element.space !== spaces[place.space])
      throw new Error(`${element.name} is where it has no business`)
    // one assertion, and one signature of each thing
    const kind = element.name.replace('Encrypted', '')
    const before = seen.get(parent) ?? new Set()
    if (before.has(kind)) throw new Error(`${kind} is there twice`)
    seen.set(parent, before.add(kind))
    if (element.name === 'Signature') assertSignature(element, parent!)
    if (element.name === 'EncryptedData') assertCiphers(element)
  }
  return message
}

/** A signature of what it stands in as a whole. */
function assertSignature(signature: XmlElement, signed: XmlElement): void {
  const parts = signature.children.map(({ name }) => name).join(' ')
  const info = childOf(signature, 'signature', 'SignedInfo')
  const reference = childOf(info, 'signature', 'Reference')
  const method = childOf(info, 'signature', 'SignatureMethod')
  const transforms = childrenOf(childOf(reference, 'signature', 'Transforms'), 'signature', 'Transform')
  const by = (element: XmlElement | undefined) => element?.attributes.get('Algorithm') ?? ''
  const [canonical, digest] = [
    childOf(info, 'signature', 'CanonicalizationMethod'),
    childOf(reference, 'signature', 'DigestMethod'),
  ]
  const id = signed.attributes.get('ID')
  if (
    !/^SignedInfo SignatureValue( KeyInfo)?$/.test(parts) ||
    info?.children.length !== 3 ||
    !id ||
    reference?.attributes.get('URI') !== `#${id}` ||
    method?.children.length !== 0 ||
    transforms.map(by).join(' ') !== `${enveloped} ${exclusive}`
  )
    throw new Error('the signature is not of what it stands in')
  if (by(canonical) !== exclusive || !signatures.includes(by(method)) || !digests.includes(by(digest)))
    throw new Error(`the algorithms of the signature are not allowed: ${by(method)} ${by(digest)}`.slice(0, 200))
}

function assertCiphers(data: XmlElement): void {
  const by = (element: XmlElement | undefined) =>
    childOf(element, 'encryption', 'EncryptionMethod')?.attributes.get('Algorithm') ?? ''
  const keys = [...within(data)].map(([element]) => element).filter(({ name }) => name === 'EncryptedKey')
  const [key] = keys
  if (
    keys.length !== 1 ||
    !key ||
    !isNamed(key, 'encryption', 'EncryptedKey') ||
    !contentCiphers.includes(by(data)) ||
    !keyCiphers.includes(by(key))
  )
    throw new Error(`the encryption is not allowed: ${by(data)} ${by(key)}`.slice(0, 200))
}
