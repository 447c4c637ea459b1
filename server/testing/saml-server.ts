import { createRequire } from 'node:module'
import { newSamlKey } from '../school/identity/saml-key.ts'
import { listening } from './oidc-server.ts'

// loaders differ about what a package of this form exports by name
const samlify = createRequire(import.meta.url)('samlify') as typeof import('samlify')

const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings'
const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const statement = (number: string, index: string, at: Date) =>
  `<saml:AuthnStatement AuthnInstant="${at.toISOString()}" SessionIndex="${index}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="urn:oid:2.16.840.1.113730.3.1.3" FriendlyName="employeeNumber" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"><saml:AttributeValue>${number}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`

/** What an identity provider has its browser bring: a form, and where to. */
export interface SamlForm {
  action: string
  fields: Record<string, string>
}

/**
 * The package `samlify` as an identity provider over HTTP. Whoever comes is signed in as `state.number`; it knows this
 * program by the metadata that it reads from it, and checks the signatures of its requests.
 * @param now its clock, in milliseconds since 1970: the program's, where that is not the machine's
 */
export async function samlServer(now: () => number = Date.now) {
  samlify.setSchemaValidator({ validate: async () => 'no schema' })
  const { key, certificate } = await newSamlKey(new Date(now()))
  const state = { number: 'nobody', nameId: 'zhang.san', index: 'session-1', isEncrypted: false, date: '' }
  let program: ReturnType<typeof samlify.ServiceProvider> | undefined
  const address = await listening((request, response) => {
    const { pathname, search } = new URL(request.url!, address)
    if (state.date) response.setHeader('date', state.date)
    if (pathname === '/metadata') return void response.end(provider().getMetadata())
    if (pathname === '/left') return void response.end('left')
    answer(search).then(
      ({ action, fields }) => {
        const inputs = Object.entries(fields).map(
          ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
        )
        response.setHeader('content-type', 'text/html')
        response.end(
          `<body onload="document.forms[0].submit()"><form method="post" action="${action}">${inputs.join('')}`,
        )
      },
      (error: unknown) => void response.writeHead(400).end(String(error)),
    )
  })
  const provider = () =>
    samlify.IdentityProvider({
      entityID: `${address}/metadata`,
      privateKey: key,
      signingCert: certificate,
      isAssertionEncrypted: state.isEncrypted,
      wantAuthnRequestsSigned: true,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      // named in the package's guide, and missing in its types
      ...({
        dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
        keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      } as object),
      nameIDFormat: [nameIdFormat],
      singleSignOnService: [{ Binding: `${bindings}:HTTP-Redirect`, Location: `${address}/sso` }],
      singleLogoutService: [{ Binding: `${bindings}:HTTP-Redirect`, Location: `${address}/left` }],
      loginResponseTemplate: {
        context: samlify.SamlLib.defaultLoginResponseTemplate.context,
        attributes: [],
      } as never,
    })

  /** Signs somebody in who came with a request of this program. */
  async function answer(search: string): Promise<SamlForm> {
    if (!program) throw new Error('this program is not registered')
    const query = Object.fromEntries(new URLSearchParams(search))
    const signed = /^\?(SAMLRequest=.*)&Signature=/.exec(search)![1]!
    const asked = await provider().parseLoginRequest(program, 'redirect', { query, octetString: signed })
    const { id, assertionConsumerServiceUrl: to } = asked.extract['request'] as Record<string, string>
    const expected = program.entityMeta.getAssertionConsumerService('post')
    if (to !== expected) throw new Error(`another address: ${to}`)
    const inMinutes = (minutes: number) => new Date(now() + minutes * 60_000).toISOString()
    const name = `_${Math.random().toString(36).slice(2)}`
    const values: Record<string, string> = {
      ID: `${name}r`,
      AssertionID: `${name}a`,
      Destination: to,
      SubjectRecipient: to,
      InResponseTo: id!,
      Issuer: `${address}/metadata`,
      Audience: program.entityMeta.getEntityID(),
      IssueInstant: inMinutes(0),
      // by the machine's clock too, which the library of this program goes by
      ConditionsNotBefore: new Date(Math.min(now(), Date.now()) - 60_000).toISOString(),
      ConditionsNotOnOrAfter: inMinutes(5),
      SubjectConfirmationDataNotOnOrAfter: inMinutes(5),
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      NameIDFormat: nameIdFormat,
      NameID: state.nameId,
    }
    const { context } = (await provider().createLoginResponse(
      program,
      asked as never,
      'post',
      {},
      {
        customTagReplacement: (template) => ({
          id: values['ID']!,
          context: samlify.SamlLib.replaceTagsByValue(
            template.replace(
              /\{AuthnStatement\}.*(?=<\/saml:Assertion>)/s,
              statement(state.number, state.index, new Date(now())),
            ),
            values,
          ),
        }),
      },
    )) as { context: string }
    return { action: to, fields: { SAMLResponse: context, RelayState: query['RelayState']! } }
  }

  return {
    address: `${address}/metadata`,
    metadata: () => provider().getMetadata(),
    state,
    /** Takes what this program says of itself at an address. */
    async register(metadata: string) {
      const response = await fetch(metadata)
      program = samlify.ServiceProvider({ metadata: await response.text(), wantLogoutRequestSigned: true })
    },
    /** What the browser is given that comes by this address. */
    async signedIn(login: string): Promise<SamlForm> {
      return answer(new URL(login).search)
    },
    /** What the browser of somebody who signs out here is given for this program. */
    signedOut(index: string): SamlForm {
      const { context } = provider().createLogoutRequest(program!, 'post', {
        logoutNameID: state.nameId,
        sessionIndex: index,
      } as never) as unknown as { context: string }
      return {
        action: program!.entityMeta.getSingleLogoutService('post') as string,
        fields: { SAMLRequest: context },
      }
    },
  }
}
