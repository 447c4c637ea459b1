import { SaxesParser } from 'saxes'

const casSpace = 'http://www.yale.edu/tp/cas'
const samlSpace = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** What a CAS server answers about a ticket: whose it is and what else it tells of them, or why it is refused. */
type CasAnswer = { user: string; attributes: ReadonlyMap<string, string[]> } | { code: string }

/** The page where somebody signs in at a CAS server, to come back to `service`. */
export const casLogin = (address: string, service: string): string =>
  `${trimmed(address)}/login?service=${encodeURIComponent(service)}`

/** The page where somebody signs out at a CAS server, to come back to `service` where it allows that. */
export const casLogout = (address: string, service: string): string =>
  `${trimmed(address)}/logout?service=${encodeURIComponent(service)}`

/** The question whose a ticket is, in version 3 of the protocol, which version 2 servers know by another path. */
export const casValidate = (address: string, service: string, ticket: string, version: 2 | 3): string =>
  `${trimmed(address)}${version === 3 ? '/p3' : ''}/serviceValidate?service=${encodeURIComponent(service)}&ticket=${encodeURIComponent(ticket)}`

const trimmed = (address: string) => address.replace(/\/+$/, '')

/**
 * Reads the answer of `serviceValidate`. Only elements of CAS's own namespace count, at the places where the protocol
 * has them: what an attribute holds is never taken for the user.
 * @throws where it is no such answer
 */
export function readCasAnswer(xml: string): CasAnswer {
  let user: string | undefined
  let code: string | undefined
  let proxied = false
  const attributes = new Map<string, string[]>()
  readXml(xml, (path, text, attribute) => {
    const [root, outcome, field, name] = path
    if (root !== `${casSpace} serviceResponse`) return
    if (outcome === `${casSpace} authenticationFailure` && path.length === 2)
      code = attribute('code') ?? 'INTERNAL_ERROR'
    if (outcome !== `${casSpace} authenticationSuccess`) return
    if (field === `${casSpace} user` && path.length === 3) user = user === undefined ? text : ''
    if (field === `${casSpace} proxies`) proxied = true
    if (field === `${casSpace} attributes` && path.length === 4) {
      const local = name!.slice(name!.indexOf(' ') + 1)
      attributes.set(local, [...(attributes.get(local) ?? []), text])
    }
  })
  if (code !== undefined && user === undefined) return { code }
  // a ticket that another service obtained in somebody's name is no sign-in of theirs
  if (proxied) return { code: 'INVALID_TICKET_SPEC' }
  if (!user || code !== undefined) throw new Error('the provider gave no answer of the CAS protocol')
  return { user, attributes }
}

/** The ticket whose session has ended, out of a logout request; undefined where it is none. */
export function readLogoutRequest(xml: string): string | undefined {
  let ticket: string | undefined
  try {
    readXml(xml, (path, text) => {
      if (path.join('/') === `${samlSpace} LogoutRequest/${samlSpace} SessionIndex`) ticket = text
    })
  } catch {
    return undefined
  }
  return ticket || undefined
}

/** Goes through a document without entities of its own and tells each element when it ends, by its path of names. */
function readXml(
  xml: string,
  onElement: (path: string[], text: string, attribute: (name: string) => string | undefined) => void,
): void {
  const parser = new SaxesParser({ xmlns: true })
  const open: { name: string; text: string; attributes: Record<string, { value: string }> }[] = []
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a document type is not allowed')
  })
  parser.on('opentag', (tag) => {
    if (open.length >= 20) throw new Error('the document is nested too deeply')
    open.push({ name: `${tag.uri} ${tag.local}`, text: '', attributes: tag.attributes })
  })
  const add = (text: string) => {
    const last = open.at(-1)
    if (last) last.text += text
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    const path = open.map(({ name }) => name)
    const { text, attributes } = open.pop()!
    onElement(path, text.trim(), (name) => attributes[name]?.value)
  })
  parser.write(xml).close()
}
