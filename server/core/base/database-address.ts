/**
 * The ways of libpq's `target_session_attrs` that the program knows: it needs a server that takes writes, also where an
 * address of several hosts does not say so.
 */
const targets = ['read-write', 'primary']

/** An address in parts: `postgres://user:password@`, `host:port,host:port`, `/database?options`. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/
const target = /([?&])target_session_attrs=([^&]*)(&|$)/
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

interface DatabaseAddress {
  /** An address for each host. */
  each: string[]
  /** Whether the host that takes writes has to be found: there are several, or `target_session_attrs` asks for it. */
  isSearched: boolean
  /** What is wrong with it, for a person. */
  fault: string | undefined
}

/** Reads an address as libpq does, of which the driver knows only those of one host. */
export function readDatabaseAddress(address: string): DatabaseAddress {
  const [, before = '', hosts = '', rest = ''] = parts.exec(address) ?? []
  const wanted = target.exec(rest)?.[2]
  const names = hosts.split(',')
  const isSearched = names.length > 1 || wanted !== undefined
  const bare = rest.replace(target, (_, open: string, __, close: string) => (close === '&' ? open : ''))
  return {
    each: isSearched ? names.map((name) => `${before}${name}${bare}`) : [address],
    isSearched,
    fault:
      wanted !== undefined && !targets.includes(wanted)
        ? `target_session_attrs 须为 ${targets.join(' 或 ')}：程序需要可写的数据库`
        : names.length > 1 && !names.every((name) => hostAndPort.test(name))
          ? '几个主机须写作 主机:端口,主机:端口'
          : undefined,
  }
}
