import { isIP, isIPv6 } from 'node:net'

/**
 * The address of whoever asks: the one that the last trusted proxy has seen. Clients may have written what they like before it. What is no IP
 * address is never taken; the proxy that passed it on stands in its place.
 * @param told from the nearest to the farthest, of which all but the last are trusted (Fastify's `request.ips`)
 */
export function clientAddress(told: readonly string[]): string {
  let address = ''
  for (const each of told) {
    const bare = bareAddress(each)
    if (!bare) break
    address = bare
  }
  return address
}

/** An address without the port and brackets that some proxies add, IPv4 as such; undefined where it is none. */
export function bareAddress(told: string): string | undefined {
  const bare = told
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(bare) ? bare : undefined
}

/**
 * The part of an address that names whoever has it: `v4` of the four parts of IPv4, `v6` of the eight of IPv6, of which a household gets four.
 * One network is written in one way.
 */
export const networkOf = (address: string, v4 = 4, v6 = 4): string =>
  isIPv6(address) ? `${groupsOf(address).slice(0, v6).join(':')}::` : address.split('.').slice(0, v4).join('.')

/** `2001:db8::1` -> its eight groups without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...gap, ...last].map((group) => group.replace(/^0+(?=.)/, ''))
}
