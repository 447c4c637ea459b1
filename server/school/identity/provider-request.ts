import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const milliseconds = 10_000
const mostBytes = 262_144

/** Whether a text is an address that a provider may have: complete, without credentials, question or fragment. */
export function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\s?#\\]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && !username && !password
}

/**
 * Whether an address belongs to the machine itself or to its link, where metadata services live. A campus has private
 * addresses, so these are open.
 */
export const isLocalAddress = (address: string): boolean =>
  !['unicast', 'private', 'uniqueLocal', 'carrierGradeNat'].includes(ipaddr.process(address).range()) ||
  ['100.100.100.200', 'fd00:ec2::254'].includes(ipaddr.process(address).toString())

/**
 * Asks a provider of the campus: ten seconds and 256 KB at most, redirects are not followed, and the machine's own
 * addresses are closed unless the operator opens them. The address that was looked at is the one connected to.
 * @throws an error that tells what went wrong, for the log
 */
export async function askProvider(address: string, { allowsLocal }: { allowsLocal: boolean }): Promise<string> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isClosed = (found: string) => !allowsLocal && isLocalAddress(found)
  if (isIP(host) && isClosed(host)) throw new Error(`the address ${host} is closed to providers`)
  const lookup: LookupFunction = (name, options, give) =>
    resolveName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return give(error, '')
      const closed = found.find((each) => isClosed(each.address))
      if (closed ?? !found[0]) return give(new Error(`the address of ${name} is closed to providers`), '')
      if (options.all) give(null, found)
      else give(null, found[0].address, found[0].family)
    })
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : plainRequest
    const request = send(url, { lookup, signal: AbortSignal.timeout(milliseconds), agent: false }, (answer) => {
      const parts: Buffer[] = []
      let size = 0
      answer.on('error', reject)
      answer.on('data', (part: Buffer) => {
        size += part.length
        if (size > mostBytes) request.destroy(new Error('the answer of the provider is too large'))
        else parts.push(part)
      })
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(parts).toString('utf8'))
        else reject(new Error(`the provider answered ${answer.statusCode}`))
      })
    })
    request.on('error', reject)
    request.end()
  })
}
