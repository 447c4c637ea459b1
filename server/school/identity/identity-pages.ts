import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../contract/core/failure.ts'
import {
  bindingPages,
  callbackPath,
  metadataPath,
  signInPages,
  type SignInPage,
} from '../../../contract/school/identity/identity.calls.ts'
import { addressOf, type AppServices } from '../../core/http/http.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { beginSignIn, finishSignIn, returnPageOf, logoutPageOf, signOutByProvider } from './identity-flow.service.ts'

interface Page {
  Params: { id: string }
  Querystring: Record<string, unknown>
  Body: Record<string, unknown> | undefined
}

/** Of one text: a logout request of CAS, the longest of them but for messages of SAML, has some hundreds. */
const maxCharacters = 16_384
/** Of an answer of SAML, with attributes, signatures and encryption; and of the form that brings it. */
const maxMessageCharacters = 262_144
const maxFormBytes = 300_000
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The addresses that browsers are sent to on their way to a provider and back, and that providers tell of sign-outs.
 * Whatever happens, a browser ends at the console's own sign-in page or at the provider's: no address of a request is
 * ever followed.
 */
export function mountIdentity(app: FastifyInstance, services: AppServices): void {
  const base = '/api/schoolbase/identity'
  app.get<Page>(`${base}/start/:id`, (request, reply) => {
    const page = pageNamed(request.query['page'])
    const isBinding = request.query['binds'] === '1'
    return redirect(reply, (isBinding ? bindingPages : signInPages)[page], async () =>
      beginSignIn(contextOf(services, request), idOf(request), {
        challenge: word(request.query['challenge']),
        page,
        isBinding,
        origin: originOf(request),
      }),
    )
  })
  const comeBack = (request: FastifyRequest<Page>, reply: FastifyReply, brought: Record<string, string>) => {
    const { page, isBinding } = returnPageOf(brought['state'] ?? '')
    return redirect(reply, page, async () => {
      const code = await finishSignIn(contextOf(services, request), idOf(request), brought)
      return `${page}?${isBinding ? 'bindingCode' : 'identityCode'}=${code}`
    })
  }
  app.get<Page>(`${callbackPath}:id`, (request, reply) => comeBack(request, reply, wordsOf(request.query)))
  // SAML answers by a form; CAS tells of sign-outs at the address that the ticket was for, the others at the one they
  // were told. No cookie is there to come with a form of another site, or to be missed
  app.post<Page>(`${callbackPath}:id`, { bodyLimit: maxFormBytes }, async (request, reply) => {
    const form = wordsOf(request.body ?? {}, maxMessageCharacters)
    const { SAMLResponse, RelayState: state = '' } = form
    if (SAMLResponse) return comeBack(request, reply, { state, SAMLResponse })
    const followed = await signOutByProvider(contextOf(services, request), idOf(request), {
      form,
      origin: originOf(request),
    })
    reply.header('cache-control', 'no-store')
    return followed?.answer ? reply.redirect(followed.answer, 303) : reply.code(followed ? 200 : 400).send()
  })
  app.get<Page>(`${metadataPath}:id`, async (request, reply) => {
    const { metadataFor } = await import('./saml-client.ts')
    const xml = await metadataFor(contextOf(services, request), idOf(request), originOf(request))
    return reply.header('cache-control', 'no-store').type('application/samlmetadata+xml').send(xml)
  })
  // whoever has left the console is led to the provider's page of signing out, or to the sign-in page
  app.get<Page>(`${base}/leave/:id`, (request, reply) => {
    const back = signInPages[pageNamed(request.query['page'])]
    return redirect(reply, signInPages.console, async () => {
      try {
        return (await logoutPageOf(contextOf(services, request), idOf(request), `${originOf(request)}${back}`)) ?? back
      } catch (error) {
        // the console has been left already; there is nothing to tell
        if (error instanceof Failure) return back
        throw error
      }
    })
  })
}

async function redirect(reply: FastifyReply, page: string, to: () => Promise<string>) {
  // a form that was brought here is not to be brought on
  const status = reply.request.method === 'POST' ? 303 : 302
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  try {
    return await reply.redirect(await to(), status)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return reply.redirect(`${page}?identityFault=${encodeURIComponent(error.reason)}`, status)
  }
}

const originOf = (request: FastifyRequest<Page>): string => `${request.protocol}://${request.host}`
const pageNamed = (name: unknown): SignInPage => (name === 'student' ? 'student' : 'console')

const contextOf = (services: AppServices, request: FastifyRequest<Page>): PublicContext => ({
  ...services,
  origin: { requestId: request.id, ip: addressOf(request), agent: String(request.headers['user-agent'] ?? '') },
  log: services.log.child({ requestId: request.id }),
})

function idOf({ params: { id } }: FastifyRequest<Page>): string {
  if (!isId.test(id)) throw new Failure('identity-off')
  return id
}

/** One text of a query or form; what was given twice or is too long counts as not given. */
const word = (value: unknown, most = maxCharacters): string =>
  typeof value === 'string' && value.length <= most ? value : ''

const wordsOf = (given: Record<string, unknown>, most?: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (word(value, most) ? [[name, word(value, most)]] : [])),
  )
