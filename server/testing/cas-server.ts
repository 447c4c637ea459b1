import { createServer } from 'node:http'
import { randomBytes } from 'node:crypto'
import { atFileEnd } from './file-end.ts'

/** What a CAS server knows of whoever signs in. */
export interface CasPerson {
  user: string
  attributes?: Record<string, string[]>
  /** Services that obtained the ticket in somebody's name. */
  proxies?: string[]
}

const namespace = 'xmlns:cas="http://www.yale.edu/tp/cas"'
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A CAS server after the published protocol 3.0: tickets for one service, good once; answers with namespaces and error
 * codes; single logout by POST to the service. Whoever comes to `/login` is signed in as `person`.
 */
export async function casServer() {
  const tickets = new Map<string, { service: string; person: CasPerson }>()
  const state = {
    person: { user: 'nobody' } as CasPerson,
    answer: undefined as string | undefined,
    status: 200,
    /** How often it was asked anything. */
    asked: 0,
  }
  const issue = (service: string): string => {
    const ticket = `ST-${tickets.size + 1}-${randomBytes(12).toString('hex')}-cas`
    tickets.set(ticket, { service, person: state.person })
    return ticket
  }
  const validate = (service: string, ticket: string, withAttributes: boolean): string => {
    const known = tickets.get(ticket)
    tickets.delete(ticket)
    if (!known) return failure('INVALID_TICKET', `Ticket '${ticket}' not recognized`)
    if (known.service !== service) return failure('INVALID_SERVICE', 'The ticket is for another service')
    const { user, attributes = {}, proxies = [] } = known.person
    const told = Object.entries(attributes).flatMap(([name, values]) =>
      values.map((value) => `<cas:${name}>${escaped(value)}</cas:${name}>`),
    )
    return `<cas:serviceResponse ${namespace}>
  <cas:authenticationSuccess>
    <cas:user>${escaped(user)}</cas:user>
    ${withAttributes ? `<cas:attributes>${told.join('')}</cas:attributes>` : ''}
    ${proxies.length > 0 ? `<cas:proxies>${proxies.map((each) => `<cas:proxy>${each}</cas:proxy>`).join('')}</cas:proxies>` : ''}
  </cas:authenticationSuccess>
</cas:serviceResponse>`
  }
  const failure = (code: string, msg: string) =>
    `<cas:serviceResponse ${namespace}><cas:authenticationFailure code="${code}">${escaped(msg)}</cas:authenticationFailure></cas:serviceResponse>`
  const server = createServer((request, response) => {
    state.asked++
    const { pathname, searchParams } = new URL(request.url!, 'http://cas.invalid')
    const service = searchParams.get('service') ?? ''
    if (pathname === '/cas/login') {
      const back = new URL(service)
      back.searchParams.set('ticket', issue(service))
      return response.writeHead(302, { location: back.href }).end()
    }
    const isValidation = /^\/cas(\/p3)?\/serviceValidate$/.exec(pathname)
    if (!isValidation) return response.writeHead(404).end()
    const body = state.answer ?? validate(service, searchParams.get('ticket') ?? '', Boolean(isValidation[1]))
    return response
      .writeHead(state.status, { 'content-type': 'application/xml', location: 'http://127.0.0.1:1/' })
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  const { port } = server.address() as { port: number }
  return { address: `http://127.0.0.1:${port}/cas`, state, issue }
}

/** Tells a service that the session of a ticket has ended. */
export const casLogout = (service: string, ticket: string) =>
  fetch(service, {
    method: 'POST',
    body: new URLSearchParams({
      logoutRequest: `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1" Version="2.0" IssueInstant="2026-11-25T00:00:00Z"><saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID><samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`,
    }),
  })
