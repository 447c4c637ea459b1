import { deliveryStatus } from '../../../contract/core/codes/platform.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import type { Attempt, Sending } from '../../platform/outbox/deliver.service.ts'
import {
  dingtalkTokens,
  dropToken,
  keepToken,
  keptToken,
  wecomTokens,
  type TokenService,
} from '../integration/app-tokens.ts'
import { askService, jsonOf, type ServiceAnswer } from './http-channel.ts'

/** A channel as its service knows it; `key` changes whenever its settings do. */
interface AppChannel {
  key: string
  settings: ChannelSettings
  secret: string
  allowed: readonly string[]
}

/** The channel of a destination. */
export const appChannel = (
  { actor, secrets, config }: Context,
  { odId, version, settings, sealedSecret }: Pick<Sending, 'odId' | 'version' | 'settings' | 'sealedSecret'>,
): AppChannel => ({
  key: `${actor.schoolId}/${odId} ${version}`,
  settings: settings as ChannelSettings,
  secret: unseal(sealedSecret, secrets) ?? '',
  allowed: config.outboundPrivate,
})

/** A text for one person of the service. */
interface AppMessage {
  user: string
  text: string
}

/** The published interface of one service. */
export interface AppService extends TokenService {
  sendPath: string
  body(channel: AppChannel, message: AppMessage): object
  /** Bytes of a text. */
  longest: number
  /** Codes by which it says that it is busy, and that the person is not there. */
  busy: readonly number[]
  noSuchPerson: readonly number[]
  /** How it is asked what became of a message, where it takes messages before it knows. */
  later?: {
    path: string
    /** The field of its answer that names the message. */
    idField: string
    body(channel: AppChannel, laterId: string): object
    /** Lists of its answer in which a person stands whom it has not reached, and why; and those of whom it has. */
    faults: Readonly<Record<string, string>>
    arrived: readonly string[]
  }
}

/** https://developer.work.weixin.qq.com/document/path/90236 */
export const wecom: AppService = {
  ...wecomTokens,
  sendPath: '/cgi-bin/message/send',
  body: ({ settings: { agentId } }, { user, text }) => ({
    touser: user,
    msgtype: 'text',
    agentid: Number(agentId),
    text: { content: text },
    // the service itself drops the same text to the same person within half an hour
    enable_duplicate_check: 1,
    duplicate_check_interval: 1800,
  }),
  longest: 2048,
  busy: [-1, 45009, 45033],
  noSuchPerson: [81013, 60111, 40003],
}

/** https://open.dingtalk.com/document/orgapp/asynchronous-sending-of-enterprise-session-messages */
export const dingtalk: AppService = {
  ...dingtalkTokens,
  sendPath: '/topapi/message/corpconversation/asyncsend_v2',
  body: ({ settings: { agentId } }, { user, text }) => ({
    agent_id: Number(agentId),
    userid_list: user,
    msg: { msgtype: 'text', text: { content: text } },
  }),
  longest: 2048,
  busy: [-1, 90018, 90002, 143105, 143106],
  noSuchPerson: [33012, 60121, 40021, 143103],
  // https://open.dingtalk.com/document/orgapp/gets-the-result-of-sending-messages-asynchronously-to-the-enterprise
  later: {
    path: '/topapi/message/corpconversation/getsendresult',
    idField: 'task_id',
    body: ({ settings: { agentId } }, laterId) => ({ agent_id: Number(agentId), task_id: Number(laterId) }),
    faults: {
      invalid_user_id_list: '钉钉中没有此人，或不在应用的可见范围',
      forbidden_user_id_list: '钉钉没有发给此人：当天已收到相同内容，或条数已到上限',
      failed_user_id_list: '钉钉没有发送成功',
    },
    arrived: ['read_user_id_list', 'unread_user_id_list'],
  },
}

/** Sends a text to one person of the service. */
export async function sendAppMessage(service: AppService, channel: AppChannel, message: AppMessage): Promise<Attempt> {
  const text = shortened(message.text, service.longest)
  return resultOf(
    service,
    await askAsApp(service, channel, service.sendPath, service.body(channel, { ...message, text })),
  )
}

/**
 * What became of a message that the service has taken.
 * @param laterId what it gave for asking
 * @returns `open` while it does not know
 */
export async function laterResult(
  service: AppService,
  channel: AppChannel,
  laterId: string,
): Promise<'arrived' | 'open' | 'unanswered' | { fault: string }> {
  const { later } = service
  if (!later) return 'arrived'
  const asked = await askAsApp(service, channel, later.path, later.body(channel, laterId))
  if ('failed' in asked) return 'unanswered'
  const { errcode, send_result: result } = jsonOf(asked.answer)
  if (errcode !== 0 || typeof result !== 'object' || result === null) return 'unanswered'
  const has = (list: string) => {
    const people = (result as Record<string, unknown>)[list]
    return Array.isArray(people) && people.length > 0
  }
  const fault = Object.entries(later.faults).find(([list]) => has(list))
  if (fault) return { fault: fault[1] }
  return later.arrived.some(has) ? 'arrived' : 'open'
}

/** Asks as the application; a token that is no longer taken is replaced once. */
async function askAsApp(service: AppService, channel: AppChannel, path: string, body: object): Promise<ServiceAnswer> {
  for (let isAgain = false; ; isAgain = true) {
    const token = await tokenFor(service, channel)
    if (typeof token !== 'string') return { failed: token }
    const asked = await ask(channel, `${path}?access_token=${encodeURIComponent(token)}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    if (isAgain || 'failed' in asked || !service.staleToken.includes(Number(jsonOf(asked.answer)['errcode'])))
      return asked
    dropToken(channel.key)
  }
}

async function tokenFor(service: AppService, channel: AppChannel): Promise<string | Attempt> {
  const kept = keptToken(channel.key)
  if (kept) return kept
  const asked = await ask(channel, service.tokenPath(channel.settings.appKey ?? '', channel.secret), { method: 'GET' })
  if ('failed' in asked) return asked.failed
  const { errcode, errmsg, access_token: token, expires_in: seconds } = jsonOf(asked.answer)
  if (asked.answer.status !== 200 || typeof token !== 'string' || !token)
    return {
      isDelivered: false,
      code: typeof errcode === 'number' ? errcode : asked.answer.status,
      text: `${service.name}没有给出访问凭证（${saying(errcode, errmsg) || `HTTP ${asked.answer.status}`}），请核对应用标识与密钥`,
    }
  keepToken(channel.key, token, seconds)
  return token
}

const ask = (
  { settings, allowed }: AppChannel,
  path: string,
  request: { method: 'GET' | 'POST'; body?: string },
): Promise<ServiceAnswer> =>
  askService(
    {
      ...request,
      address: `${(settings.address ?? '').replace(/\/+$/, '')}${path}`,
      headers: request.body ? { 'content-type': 'application/json; charset=utf-8' } : {},
    },
    allowed,
    request.method === 'POST',
  )

function resultOf(service: AppService, asked: ServiceAnswer): Attempt {
  if ('failed' in asked) return asked.failed
  const { status } = asked.answer
  const given = jsonOf(asked.answer)
  const { errcode, errmsg, invaliduser } = given
  if (typeof errcode !== 'number')
    return {
      isDelivered: false,
      code: status,
      text: `${service.name}的应答不是约定的内容（HTTP ${status}），请核对接口地址`,
    }
  const noPerson: Attempt = {
    isDelivered: false,
    code: errcode,
    text: `${service.name}中没有此人，或不在应用的可见范围（${saying(errcode, errmsg)}）`,
    endsAs: deliveryStatus.dead,
    isAboutPerson: true,
  }
  if (service.noSuchPerson.includes(errcode) || (errcode === 0 && typeof invaliduser === 'string' && invaliduser))
    return noPerson
  if (errcode === 0) {
    const laterId = service.later && given[service.later.idField]
    const isTold = typeof laterId === 'number' || typeof laterId === 'string'
    return { isDelivered: true, code: 0, text: 'ok', ...(isTold && { laterId: String(laterId) }) }
  }
  const text = service.busy.includes(errcode) ? `${service.name}繁忙或超出频率` : `${service.name}没有接受`
  return { isDelivered: false, code: errcode, text: `${text}（${saying(errcode, errmsg)}）` }
}

/** What the service says of itself, without control characters and no longer than a list shows. */
const saying = (code: unknown, text: unknown): string =>
  typeof code === 'number'
    ? `${code}${typeof text === 'string' ? ` ${text.replace(/\s+/g, ' ').slice(0, 80)}` : ''}`
    : ''

/** A text of at most so many bytes; a longer one is cut between characters and says so. */
export function shortened(text: string, longest: number): string {
  if (Buffer.byteLength(text) <= longest) return text
  let kept = ''
  let size = Buffer.byteLength('…')
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > longest) break
    kept += character
  }
  return `${kept}…`
}
