import { lookup } from 'node:dns/promises'
import { request as requestPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Where a connection goes: the address that was looked at, so that the name service cannot lead elsewhere afterwards.
 */
interface OutboundTarget {
  address: string
  family: number
}

export interface OutboundRequest {
  address: string
  method: 'POST' | 'GET' | 'PUT'
  headers: Record<string, string>
  body?: string
}

/** Why nothing was sent or nothing came back, in a sentence for the administrator. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault'
  /** Whether a connection stood: the other side may have got what was sent. */
  readonly isSent: boolean
  constructor(message: string, isSent = false) {
    super(message)
    this.isSent = isSent
  }
}

/**
 * Resolves a host that a school has typed in, to an address that may be reached: one of the internet, or one of the
 * networks that the operator allows. Private, local and special addresses are refused otherwise.
 * @param allowed networks such as `10.1.0.0/16`
 * @throws OutboundFault
 */
export async function resolveOutbound(
  hostname: string,
  allowed: readonly string[],
  signal: AbortSignal,
): Promise<OutboundTarget> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const found = family ? [{ address: host, family }] : await before(signal, lookup(host, { all: true }))
  const target = found.find(({ address }) => isReachable(address, allowed))
  if (!target) throw new OutboundFault('该地址在内网或本机，未获运维允许（设置 OUTBOUND_PRIVATE），没有连接')
  return target
}

/**
 * Asks an address that a school has typed in. Plain HTTP is for the operator's networks alone; redirects are not
 * followed. What comes back is for the caller to read or to destroy.
 * @param onConnected told when the connection stands and the request goes out
 * @throws OutboundFault
 */
export async function openOutbound(
  { address, method, headers, body = '' }: OutboundRequest,
  allowed: readonly string[],
  signal: AbortSignal,
  onConnected?: () => void,
): Promise<IncomingMessage> {
  const url = new URL(address)
  const target = await resolveOutbound(url.hostname, allowed, signal)
  if (url.protocol !== 'https:' && !isListed(target.address, allowed))
    throw new OutboundFault('地址须为 https://，没有连接')
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestTls : requestPlain
    const asked = open(
      url,
      {
        method,
        signal,
        agent: false,
        headers: { 'user-agent': 'dekt', ...headers, 'content-length': String(Buffer.byteLength(body)) },
        // asked with `all` where several addresses could be tried; there is but the one that was looked at
        lookup: (_name, options, done) =>
          options.all
            ? (done as unknown as (error: null, found: OutboundTarget[]) => void)(null, [target])
            : done(null, target.address, target.family),
      },
      resolve,
    )
    asked.on('error', reject)
    if (onConnected)
      asked.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected))
    asked.end(body)
  })
}

/** What the other side said, whole. */
interface OutboundText {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Reads an answer of no more than some bytes, and lets go of a larger one.
 * @throws what `tooLarge` makes
 */
export async function readWhole(answer: IncomingMessage, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) {
      answer.destroy()
      throw tooLarge()
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * As {@link openOutbound}, and reads the whole answer.
 * @throws OutboundFault, also where it takes longer or is larger than allowed
 */
export async function askOutbound(
  request: OutboundRequest,
  allowed: readonly string[],
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<OutboundText> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await openOutbound(request, allowed, signal)
    const body = await readWhole(answer, maxBytes, () => new OutboundFault('对方的应答过大，没有读完，请核对地址'))
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: body.toString('utf8') }
  } catch (error) {
    if (error instanceof OutboundFault) throw error
    throw new OutboundFault(signal.aborted ? `对方 ${timeoutMs / 1000} 秒内没有应答` : outboundFaultText(error))
  }
}

/** Whether anybody may be sent there: addresses of the internet, and those of the listed networks. */
export const isReachable = (address: string, allowed: readonly string[]): boolean =>
  isListed(address, allowed) || ipaddr.process(address).range() === 'unicast'

/** Whether an address lies in one of these networks (CIDR or single addresses). */
export function isListed(address: string, networks: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.process(network), undefined]
    return parsed.kind() === base.kind() && parsed.match(base as never, bits ?? (base.kind() === 'ipv4' ? 32 : 128))
  })
}

/** Waits for work that cannot be broken off no longer than this. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    }),
  ])

const faultTexts: Record<string, string> = {
  ENOTFOUND: '找不到该主机名，请核对地址',
  EAI_AGAIN: '域名解析没有应答，请检查服务器的 DNS',
  ECONNREFUSED: '对方拒绝连接，请确认服务已启动、端口正确',
  ECONNRESET: '连接被对方中断',
  EHOSTUNREACH: '网络不通，请检查路由与防火墙',
  ENETUNREACH: '网络不通，请检查路由与防火墙',
  ETIMEDOUT: '连接超时，请检查防火墙',
  CERT_HAS_EXPIRED: '对方的证书已过期',
  DEPTH_ZERO_SELF_SIGNED_CERT: '对方的证书是自签名的，不被信任',
  SELF_SIGNED_CERT_IN_CHAIN: '对方的证书不被信任',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '对方的证书链不完整',
  ERR_TLS_CERT_ALTNAME_INVALID: '对方的证书与主机名不符',
}

/** What went wrong on the network, in a sentence for the administrator. */
export function outboundFaultText(error: unknown): string {
  if (error instanceof OutboundFault) return error.message
  const { code = '', name = '', message = '' } = error as { code?: string; name?: string; message?: string }
  if (name === 'TimeoutError' || name === 'AbortError') return '对方没有及时应答'
  return faultTexts[code] ?? `连接失败：${code || message}`.slice(0, 200)
}
