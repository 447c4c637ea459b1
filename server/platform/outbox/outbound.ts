import { lookup } from 'node:dns/promises'
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Milliseconds for everything: name, connection, answer. */
const timeoutMs = 10_000
/** Bytes of an answer that are read; the rest is not waited for. */
const answerLimit = 2048

export interface OutboundRequest {
  address: string
  method: 'POST' | 'GET' | 'PUT'
  headers: Record<string, string>
  body: string
}

/** What the other side said. */
export interface OutboundAnswer {
  status: number
  text: string
}

/** Why nothing was sent or nothing came back, in a sentence for the administrator. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault'
}

/**
 * Sends to an address that a school has typed in. The name is resolved first and the connection goes to the address
 * that was looked at, so that no second answer of the name service can lead elsewhere. Private, local and special
 * addresses are refused unless the operator's networks have them, and only there may it be plain HTTP. Redirects are
 * not followed.
 * @param allowed networks such as `10.1.0.0/16`
 * @throws OutboundFault
 */
export async function sendOutbound(
  { address, method, headers, body }: OutboundRequest,
  allowed: readonly string[],
  signal?: AbortSignal,
): Promise<OutboundAnswer> {
  const url = new URL(address)
  const limit = AbortSignal.timeout(timeoutMs)
  const until = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    const target = await resolved(url, allowed, until)
    return await exchange(url, target, { method, headers, body }, until)
  } catch (error) {
    if (error instanceof OutboundFault || signal?.aborted) throw error
    throw new OutboundFault(limit.aborted ? '对方 10 秒内没有应答' : faultText(error))
  }
}

interface Target {
  address: string
  family: number
}

async function resolved(url: URL, allowed: readonly string[], until: AbortSignal): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const found = family ? [{ address: host, family }] : await before(until, lookup(host, { all: true }))
  const target = found.find(({ address }) => isReachable(address, allowed))
  if (!target) throw new OutboundFault('该地址在内网或本机，未获运维允许（设置 OUTBOUND_PRIVATE），没有发送')
  if (url.protocol !== 'https:' && !isListed(target.address, allowed))
    throw new OutboundFault('接收地址须为 https://，没有发送')
  return target
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

function exchange(
  url: URL,
  { address, family }: Target,
  { method, headers, body }: Omit<OutboundRequest, 'address'>,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
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
            ? (done as unknown as (error: null, found: Target[]) => void)(null, [{ address, family }])
            : done(null, address, family),
      },
      (answer) => {
        readStart(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

async function readStart(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size >= answerLimit) break
  }
  answer.destroy()
  // text that can be stored, whatever came
  return Buffer.concat(parts)
    .subarray(0, answerLimit)
    .toString('utf8')
    .replace(/[^\P{C}\n]/gu, '�')
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
  ENOTFOUND: '找不到该主机名，请核对网址',
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

function faultText(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return faultTexts[code] ?? `发送失败：${code || message}`.slice(0, 200)
}
