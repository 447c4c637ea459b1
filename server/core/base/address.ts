import { isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The address of whoever asks: the one that the last trusted proxy has seen. Clients may have written what they like
 * before it. What is no IP address is never taken; the proxy that passed it on stands in its place.
 * @param addresses from the nearest to the farthest, of which all but the last are trusted (Fastify's `request.ips`)
 */
export function clientAddress(addresses: readonly string[]): string {
  let address = ''
  for (const each of addresses) {
    const bare = bareAddress(each)
    if (!bare) break
    address = bare
  }
  return address
}

/**
 * An address without the port, brackets and zone that some proxies add, in its usual spelling, IPv4 as such; undefined
 * where it is none.
 */
export function bareAddress(text: string): string | undefined {
  // what nearly every request comes from: IPv4, as the system itself writes it
  const plain = text.startsWith('::ffff:') ? text.slice(7) : text
  if (isIPv4(plain)) return plain
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
  // asked first, because ipaddr.js also takes what only programs of old take for an address, such as 127.1 or 0x7f.1
  return isIP(bare) ? ipaddr.process(bare).toString() : undefined
}

/**
 * The part of an address that names whoever has it: `v4` of the four parts of IPv4, `v6` of the eight of IPv6, of which
 * a household gets four. One network is written in one way; what is no address stays as it is.
 */
export function networkOf(address: string, v4 = 4, v6 = 4): string {
  if (!isIP(address)) return address
  const whole = ipaddr.process(address).toNormalizedString()
  return isIPv6(whole) ? `${whole.split(':').slice(0, v6).join(':')}::` : whole.split('.').slice(0, v4).join('.')
}
