import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../contract/core/failure.ts'
import { addressOf, type AppServices } from '../../core/http/http.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { beginSignIn, finishSignIn, signOutByProvider } from './identity-flow.service.ts'

interface Page {
  Params: { id: string }
  Querystring: Record<string, unknown>
  Body: Record<string, unknown> | undefined
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The addresses that browsers are sent to on their way to a provider and back, and that providers tell of sign-outs.
 * Whatever happens, a browser ends at the console's own sign-in page or at the provider's: no address of a request is
 * ever followed.
 */
export function mountIdentity(app: FastifyInstance, services: AppServices): void {
  const base = '/api/schoolbase/identity'
  app.get<Page>(`${base}/start/:id`, (request, reply) =>
    redirect(reply, async () =>
      beginSignIn(
        contextOf(services, request),
        idOf(request),
        word(request.query['challenge']),
        `${request.protocol}://${request.host}`,
      ),
    ),
  )
  app.get<Page>(`${base}/callback/:id`, (request, reply) =>
    redirect(reply, async () => {
      const { query } = request
      const given = { state: word(query['state']), ticket: word(query['ticket']) }
      if (!given.state || !given.ticket) throw new Failure('identity-refused')
      return `/?identityCode=${await finishSignIn(contextOf(services, request), idOf(request), given)}`
    }),
  )
  // CAS tells of sign-outs at the address that the ticket was for
  app.post<Page>(`${base}/callback/:id`, async (request, reply) => {
    await signOutByProvider(contextOf(services, request), idOf(request), word(request.body?.['logoutRequest'], 16_384))
    return reply.header('cache-control', 'no-store').code(204).send()
  })
}

async function redirect(reply: FastifyReply, to: () => Promise<string>) {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  try {
    return await reply.redirect(await to(), 302)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return reply.redirect(`/?identityFault=${encodeURIComponent(error.reason)}`, 302)
  }
}

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
const word = (value: unknown, most = 512): string => (typeof value === 'string' && value.length <= most ? value : '')
