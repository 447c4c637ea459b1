import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { newSamlKey, type SamlKey } from '../school/identity/saml-key.ts'
import { listening } from './oidc-server.ts'
import type { SamlForm } from './saml-server.ts'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const namespaces =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

/** What is wrong with the next answer of the hostile provider. */
export interface SamlWrong {
  /** Of the answer and the assertion, where it is not what was asked. */
  issuer?: string
  audience?: string
  recipient?: string
  destination?: string
  inResponseTo?: string
  /** Seconds from now. */
  from?: number
  until?: number
  /** Another part of the assertion or of the answer, before it is signed. */
  before?: (xml: string) => string
  /** What is signed; the assertion unless something is said. */
  signs?: ('Assertion' | 'Response')[]
  /** By a key that is not published. */
  isForged?: boolean
  signature?: string
  digest?: string
  transforms?: string[]
  /** What becomes of the answer once it is signed. */
  after?: (xml: string) => string
  /** What becomes of the text that the form carries. */
  carried?: (base64: string) => string
  relay?: string
}

/** An identity provider of SAML that says what a test tells it to. */
export async function hostileSaml() {
  const other = await newSamlKey(new Date())
  let key = await newSamlKey(new Date())
  const state = { number: 'nobody', published: [key.certificate], metadata: undefined as string | undefined }
  const address = await listening((_, response) => void response.end(state.metadata ?? metadata(state.published)))

  const metadata = (certificates: string[]) =>
    `<?xml version="1.0"?><!-- of the campus --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="urn:hostile"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificates
      .map(
        (one) =>
          `<md:KeyDescriptor><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${one.replaceAll(/-----[A-Z ]+-----/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      .join(
        '',
      )}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${address}/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`

  function signed(xml: string, what: string, wrong: SamlWrong): string {
    const by: SamlKey = wrong.isForged ? other : key
    const signer = new SignedXml({
      privateKey: by.key,
      publicCert: by.certificate,
      signatureAlgorithm: wrong.signature ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: exclusive,
    })
    const path = `//*[local-name(.)='${what}']`
    signer.addReference({
      xpath: path,
      transforms: wrong.transforms ?? ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
      digestAlgorithm: wrong.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    })
    signer.computeSignature(xml, {
      prefix: 'ds',
      location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    })
    return signer.getSignedXml()
  }

  /** What a browser is given that came by this address of its sign-in page. */
  function answered(login: string, wrong: SamlWrong = {}): SamlForm {
    const asked = new URL(login).searchParams
    const request = inflateRawSync(Buffer.from(asked.get('SAMLRequest')!, 'base64')).toString()
    const of = (pattern: RegExp) => pattern.exec(request)![1]!
    const callback = of(/AssertionConsumerServiceURL="([^"]+)"/)
    const to = wrong.inResponseTo ?? of(/ ID="([^"]+)"/)
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
    const name = Math.random().toString(36).slice(2)
    const issuer = `<saml:Issuer>${wrong.issuer ?? 'urn:hostile'}</saml:Issuer>`
    const until = at(wrong.until ?? 300)
    const plain = `<samlp:Response ${namespaces} ID="_r${name}" Version="2.0" IssueInstant="${at(0)}" Destination="${wrong.destination ?? callback}" InResponseTo="${to}">${issuer}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ${namespaces} ID="_a${name}" Version="2.0" IssueInstant="${at(0)}">${issuer}<saml:Subject><saml:NameID>zhang.san</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${wrong.recipient ?? callback}" InResponseTo="${to}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(wrong.from ?? -10)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${wrong.audience ?? of(/Issuer[^>]*>([^<]+)</)}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="s1"><saml:AuthnContext/></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="no"><saml:AttributeValue>${state.number}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`
    let xml = wrong.before?.(plain) ?? plain
    for (const what of wrong.signs ?? ['Assertion']) xml = signed(xml, what, wrong)
    const carried = Buffer.from(wrong.after?.(xml) ?? xml).toString('base64')
    return {
      action: callback,
      fields: {
        SAMLResponse: wrong.carried?.(carried) ?? carried,
        RelayState: wrong.relay ?? asked.get('RelayState')!,
      },
    }
  }

  /** A request that ends what is signed in, as a form for the program. */
  function logout(
    callback: string,
    wrong: Pick<SamlWrong, 'isForged'> & { at?: number; signs?: boolean } = {},
  ): SamlForm {
    const at = new Date(Date.now() + (wrong.at ?? 0) * 1000).toISOString()
    const plain = `<samlp:LogoutRequest ${namespaces} ID="_l${Math.random().toString(36).slice(2)}" Version="2.0" IssueInstant="${at}" Destination="${callback}"><saml:Issuer>urn:hostile</saml:Issuer><saml:NameID>zhang.san</saml:NameID><samlp:SessionIndex>s1</samlp:SessionIndex></samlp:LogoutRequest>`
    const xml = wrong.signs === false ? plain : signed(plain, 'LogoutRequest', wrong.isForged ? { isForged: true } : {})
    return { action: callback, fields: { SAMLRequest: Buffer.from(xml).toString('base64') } }
  }

  return {
    address,
    state,
    answered,
    logout,
    metadata,
    /** Signs by another key from now on, of which nothing is published yet. */
    async rotate() {
      key = await newSamlKey(new Date())
      return key.certificate
    },
  }
}
