import { childOf, childrenOf, isNamed, readXml, type XmlElement } from './saml-xml.ts'

/** Milliseconds by which the provider's clock may differ from ours. */
export const samlSkewMs = 60_000

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** For whom and what an assertion has to be. */
interface Expected {
  issuer: string
  audience: string
  /** The address at which it was received. */
  recipient: string
  /** The id of our request that it answers. */
  requestId: string
  now: Date
}

/** What an assertion says of somebody. */
export interface Assertion {
  id: string
  nameId: string | undefined
  /** Whether the name is of this sign-in alone, and another one the next time. */
  isTransient: boolean
  sessionIndex: string | undefined
  attributes: { name: string; friendlyName: string | undefined; values: string[] }[]
}

/**
 * Reads an assertion, the signature of which has been found right.
 * @param xml what was signed, and nothing else
 * @throws where it is not for us, not now, or answers another request
 */
export function readAssertion(xml: string, expected: Expected): Assertion {
  const assertion = readXml(xml, true)
  if (!isNamed(assertion, 'assertion', 'Assertion') || assertion.attributes.get('Version') !== '2.0')
    throw new Error('no assertion of SAML 2.0')
  const id = assertion.attributes.get('ID')
  if (!id) throw new Error('the assertion has no ID')
  if (childOf(assertion, 'assertion', 'Issuer')?.text !== expected.issuer)
    throw new Error('the assertion is by another issuer')
  const subject = childOf(assertion, 'assertion', 'Subject')
  if (!childrenOf(subject, 'assertion', 'SubjectConfirmation').some((one) => confirms(one, expected)))
    throw new Error('the subject is not confirmed for this request, at this address and now')
  assertConditions(childOf(assertion, 'assertion', 'Conditions'), expected)
  const [signedIn] = childrenOf(assertion, 'assertion', 'AuthnStatement')
  if (!signedIn) throw new Error('the assertion does not say that anybody has signed in')
  assertTimes(signedIn, 'SessionNotOnOrAfter', expected.now)
  const nameId = childOf(subject, 'assertion', 'NameID')
  return {
    id,
    nameId: nameId?.text || undefined,
    isTransient: nameId?.attributes.get('Format') === transient,
    sessionIndex: signedIn.attributes.get('SessionIndex') || undefined,
    attributes: childrenOf(assertion, 'assertion', 'AttributeStatement')
      .flatMap((statement) => childrenOf(statement, 'assertion', 'Attribute'))
      .map((one) => ({
        name: one.attributes.get('Name') ?? '',
        friendlyName: one.attributes.get('FriendlyName'),
        values: childrenOf(one, 'assertion', 'AttributeValue').map(({ text }) => text),
      })),
  }
}

/** The values of an attribute by its name, or else by its friendly name. */
export function valuesOf({ attributes }: Assertion, wanted: string): string[] {
  const named = attributes.filter(({ name }) => name === wanted)
  const found = named.length > 0 ? named : attributes.filter(({ friendlyName }) => friendlyName === wanted)
  return found.flatMap(({ values }) => values)
}

function confirms(confirmation: XmlElement, { recipient, requestId, now }: Expected): boolean {
  const data = childOf(confirmation, 'assertion', 'SubjectConfirmationData')
  if (confirmation.attributes.get('Method') !== bearer || !data) return false
  const { attributes } = data
  if (attributes.get('Recipient') !== recipient || attributes.get('InResponseTo') !== requestId) return false
  if (!attributes.has('NotOnOrAfter')) return false
  try {
    assertTimes(data, 'NotOnOrAfter', now)
    return true
  } catch {
    return false
  }
}

function assertConditions(conditions: XmlElement | undefined, { audience, now }: Expected): void {
  if (!conditions) throw new Error('the assertion has no conditions')
  assertTimes(conditions, 'NotOnOrAfter', now)
  const restrictions = childrenOf(conditions, 'assertion', 'AudienceRestriction')
  const isForUs = (one: XmlElement) => childrenOf(one, 'assertion', 'Audience').some(({ text }) => text === audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs))
    throw new Error('the assertion is for another audience')
  if (conditions.children.some(({ name }) => !knownConditions.includes(name)))
    throw new Error('the assertion has a condition that is not known')
}

/**
 * Whether a moment lies between `NotBefore` and the end that an element has, a minute of skew allowed.
 * @throws where it does not
 */
function assertTimes({ attributes }: XmlElement, end: string, now: Date): void {
  const [from, until] = [attributes.get('NotBefore'), attributes.get(end)]
  if (from !== undefined && !(momentOf(from) <= now.getTime() + samlSkewMs)) throw new Error('it does not hold yet')
  if (until !== undefined && !(momentOf(until) > now.getTime() - samlSkewMs)) throw new Error('it holds no longer')
}

/** A moment as SAML writes it; not a number where it is none. */
export const momentOf = (text: string): number =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
