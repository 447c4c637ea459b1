import { promisify } from 'node:util'
import { DOMParser } from '@xmldom/xmldom'
import { decrypt } from 'xml-encryption'
import { Failure } from '../../../contract/core/failure.ts'
import { epochOf } from '../../core/base/clock.ts'
import { OutboundFault } from '../../core/base/outbound.ts'
import type { PublicContext } from '../../core/request/context.ts'
import type { Provider, SignInProtocol, ExternalIdentity } from './protocol.ts'
import { momentOf, readAssertion, samlSkewMs, valuesOf } from './saml-assertion.ts'
import { entityIdOf, requestIdOf, samlLibrary, samlLogin } from './saml-client.ts'
import { samlKeyOf } from './saml-key.ts'
import { MetadataFault, samlMetadata, type SamlMetadata } from './saml-metadata.ts'
import { readSound } from './saml-shape.ts'
import { childOf, childrenOf, spaces } from './saml-xml.ts'
import { testSaml } from './test-saml.ts'

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
/** Seconds for which an assertion is remembered: longer than any request is open, which it has to answer. */
const assertionSeconds = 1800
/** Seconds for which a notice may be under way. */
const noticeSeconds = 300

/** Sign-in by SAML 2.0: asked for by redirect, answered by a form, with sign-outs that the provider begins. */
export const samlProtocol: SignInProtocol = {
  loginPage: (ctx, provider, authRequest) => asking(ctx, provider, () => samlLogin(ctx, provider, authRequest)),

  resolveCallback: (ctx, provider, authRequest, { SAMLResponse: answer = '' }) =>
    asking(ctx, provider, async (): Promise<ExternalIdentity> => {
      const { metadata } = await samlMetadata(ctx, provider)
      const xml = decoded(answer)
      const { key } = samlKeyOf(provider, ctx.secrets)
      await assertSoundResponse(xml, { metadata, callback: authRequest.callback, key })
      const { profile } = await samlLibrary(ctx, provider, metadata, authRequest).validatePostResponseAsync({
        SAMLResponse: Buffer.from(xml).toString('base64'),
      })
      const assertion = readAssertion(profile!.getAssertionXml!(), {
        issuer: metadata.entityId,
        audience: entityIdOf(provider, authRequest.callback),
        recipient: authRequest.callback,
        requestId: requestIdOf(ctx, authRequest.state),
        now: new Date(epochOf(ctx.clock.now())),
      })
      const { attribute } = provider.settings
      const { nameId, isTransient, sessionIndex } = assertion
      const [number, ...others] = attribute ? valuesOf(assertion, attribute) : nameId ? [nameId] : []
      if (others.length > 0) throw new Failure('identity-no-number')
      return {
        number: number || null,
        ticket: sessionIndex ?? null,
        // what changes from one sign-in to the next is nothing that can be bound
        subject: isTransient ? null : (nameId ?? null),
        once: { id: `assertion ${assertion.id}`, seconds: assertionSeconds },
      }
    }),

  async signedOut(ctx, provider, { SAMLRequest: asked = '', RelayState: relay = '' }, callback) {
    try {
      const { metadata } = await samlMetadata(ctx, provider)
      const xml = decoded(asked)
      const request = readSound(xml, 'LogoutRequest')
      const { attributes } = request
      const since = epochOf(ctx.clock.now()) - momentOf(attributes.get('IssueInstant') ?? '')
      if (!(Math.abs(since) < noticeSeconds * 1000)) throw new Error('the request is not of now')
      if (attributes.get('Destination') !== callback) throw new Error('the request is for another address')
      const library = samlLibrary(ctx, provider, metadata, { callback })
      const { profile } = await library.validatePostRequestAsync({ SAMLRequest: Buffer.from(xml).toString('base64') })
      const indexes = childrenOf(request, 'protocol', 'SessionIndex').map(({ text }) => text)
      const [ticket] = indexes
      return {
        // of several sessions none is named that the person does not leave: all of theirs end
        ...(ticket && indexes.length === 1 ? { ticket } : { subject: profile!.nameID }),
        notice: { id: `logout ${profile!.ID}`, seconds: noticeSeconds + (2 * samlSkewMs) / 1000 },
        ...(metadata.logoutAnswer && {
          answer: await library.getLogoutResponseUrlAsync(profile!, relay, {}, true),
        }),
      }
    } catch (error) {
      ctx.log.warn({ ...facts(error), providerId: provider.providerId }, 'a notice of a sign-out proves nothing')
      return undefined
    }
  },

  // to be signed out there, somebody would have to be named, and only hashes of names are kept
  logoutPage: async () => undefined,

  test: testSaml,
}

/** The text of a message; throws where it is no whole base64 of UTF-8. Nothing is ever inflated. */
function decoded(message: string): string {
  const plain = message.replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) throw new Error('the message is no base64')
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(plain, 'base64'))
}

/** What the library does not look at, before it looks at anything: the shape, and where the answer is from and for. */
async function assertSoundResponse(
  xml: string,
  { metadata, callback, key }: { metadata: SamlMetadata; callback: string; key: string },
): Promise<void> {
  const response = readSound(xml, 'Response')
  const status = childOf(childOf(response, 'protocol', 'Status'), 'protocol', 'StatusCode')
  const code = status?.attributes.get('Value')
  if (code !== success) {
    const [more] = status?.children ?? []
    throw new Error(`the provider answered ${code} ${more?.attributes.get('Value') ?? ''}`)
  }
  const issuer = childOf(response, 'assertion', 'Issuer')?.text
  if (issuer !== undefined && issuer !== metadata.entityId) throw new Error('the answer is by another issuer')
  const destination = response.attributes.get('Destination')
  if (destination !== undefined && destination !== callback) throw new Error('the answer is for another address')
  if (childOf(response, 'assertion', 'EncryptedAssertion')) {
    const encrypted = new DOMParser()
      .parseFromString(xml, 'text/xml')
      .getElementsByTagNameNS(spaces.assertion, 'EncryptedAssertion')
      .item(0)!
    const open = promisify(
      decrypt as (xml: string, options: object, done: (e: Error | null, text: string) => void) => void,
    )
    readSound(await open(encrypted.toString(), { key, disallowDecryptionWithInsecureAlgorithm: true }), 'Assertion')
  }
}

/** Asks a provider, and makes of what goes wrong a failure for the person; the log gets no assertion. */
async function asking<R>(ctx: PublicContext, { providerId }: Provider, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    ctx.log.warn({ ...facts(error), providerId }, 'a sign-in by a provider came to nothing')
    const isTheirs = error instanceof OutboundFault || error instanceof MetadataFault
    throw new Failure(isTheirs ? 'identity-unavailable' : 'identity-refused')
  }
}

const facts = (error: unknown) => ({ why: error instanceof Error ? error.message.slice(0, 200) : 'unknown' })
