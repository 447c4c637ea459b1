import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { mailSecurity, messageChannel, messageType, smsBody, smsMethod, userBy } from '../../core/codes/platform.ts'
import { id, integer, optionalText, pick, text, version } from '../../core/fields.ts'

/** What a channel needs beside its secret; which of it is asked for depends on the way. */
const settings = {
  /** Mail: the server. */
  host: optionalText('服务器', 200),
  port: integer('端口', 1, 65_535).optional(),
  security: pick('加密方式', codesOf(mailSecurity)).default(mailSecurity.tls),
  /** Mail: the account at the server; none where it asks for none. */
  user: optionalText('账号', 200),
  fromAddress: optionalText('发件地址', 200),
  fromName: optionalText('发件人名称', 50),
  /** 企业微信, 钉钉: where the service begins; text messages: the whole address, with places such as `{手机号}`. */
  address: optionalText('接口地址', 500),
  appKey: optionalText('应用标识', 200),
  agentId: optionalText('应用 AgentId', 20),
  userBy: pick('按什么找人', codesOf(userBy)).default(userBy.number),
  method: pick('请求方法', codesOf(smsMethod)).default(smsMethod.POST),
  /** One a line, `名称: 值`. */
  headers: optionalText('请求头', 1000),
  bodyKind: pick('内容格式', codesOf(smsBody)).default(smsBody.json),
  body: optionalText('请求内容', 2000),
  /** What stands in an answer that means accepted; empty: any 2xx. */
  okText: optionalText('成功标志', 100),
}

/** The same as it is told: everything there, empty where it is not set. */
export const settingsOf = z.object({
  host: z.string().optional(),
  port: z.number().optional(),
  security: z.enum(codesOf(mailSecurity)).optional(),
  user: z.string().optional(),
  fromAddress: z.string().optional(),
  fromName: z.string().optional(),
  address: z.string().optional(),
  appKey: z.string().optional(),
  agentId: z.string().optional(),
  userBy: z.enum(codesOf(userBy)).optional(),
  method: z.enum(codesOf(smsMethod)).optional(),
  headers: z.string().optional(),
  bodyKind: z.enum(codesOf(smsBody)).optional(),
  body: z.string().optional(),
  okText: z.string().optional(),
})
export type ChannelSettings = z.output<typeof settingsOf>

const time = (label: string) =>
  z.union([z.literal(''), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label}须为 00:00 至 23:59`)]).meta({ label })

const isMailAddress = (value: string): boolean => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value)

/** A channel as its form sends it. */
export const channelForm = z
  .strictObject({
    odId: id('消息通道').optional(),
    version,
    odChannel: pick('通道', codesOf(messageChannel)),
    odName: text('名称', 50),
    settings: z.strictObject(settings),
    secret: optionalText('口令', 500),
    messageKinds: z
      .array(z.enum([...codesOf(messageType), 'recovery']))
      .max(10)
      .default([...codesOf(messageType), 'recovery'])
      .meta({ label: '发送哪些消息', pick: true }),
    digestKinds: z
      .array(z.enum(codesOf(messageType)))
      .max(10)
      .default([])
      .meta({ label: '每日汇总', pick: true }),
    digestAt: time('汇总时间').default('18:00'),
    /** Both, or neither: no quiet hours. */
    quietFrom: time('免打扰开始').default(''),
    quietTo: time('免打扰结束').default(''),
  })
  .check(({ value, issues }) => {
    const missing = (field: keyof typeof settings, message: string) =>
      issues.push({ code: 'custom', path: ['settings', field], message, input: value })
    const fault = (field: 'digestKinds' | 'digestAt' | 'quietFrom' | 'quietTo', message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value })
    if (value.digestKinds.length > 0 && value.odChannel !== messageChannel.mail)
      fault('digestKinds', '只有邮件可以汇总')
    if (value.digestKinds.length > 0 && !value.digestAt) fault('digestAt', '请输入汇总时间')
    if (!value.quietFrom !== !value.quietTo)
      fault(value.quietFrom ? 'quietTo' : 'quietFrom', '免打扰须同时填写开始与结束')
    const { host, port, fromAddress } = value.settings
    if (value.odChannel === messageChannel.mail) {
      if (!host || !/^[\w.-]+$|^\[?[\da-f:.]+\]?$/i.test(host))
        missing('host', '请输入邮件服务器的主机名，如 smtp.example.edu.cn')
      if (!port) missing('port', '请输入端口')
      if (!fromAddress || !isMailAddress(fromAddress))
        missing('fromAddress', '请输入一个邮箱地址，如 dekt@example.edu.cn')
    }
    const { address = '', appKey, agentId, headers = '', method, bodyKind, body = '' } = value.settings
    if (value.odChannel !== messageChannel.mail && !isAddress(address))
      missing('address', '请输入 https:// 开头的地址，不含账号、口令；占位只能在域名之后')
    if (value.odChannel === messageChannel.wecom || value.odChannel === messageChannel.dingtalk) {
      if (!appKey) missing('appKey', '请输入应用标识')
      if (!/^\d+$/.test(agentId ?? '')) missing('agentId', '请输入应用 AgentId，是一个数字')
    }
    if (value.odChannel === messageChannel.sms) {
      if (!`${address}${body}`.includes('{手机号}'))
        missing(method === smsMethod.GET ? 'address' : 'body', '须有 {手机号}')
      if (headers.split('\n').some((line) => line.trim() && !/^[\w-]+\s*:/.test(line)))
        missing('headers', '每行一个，写作 名称: 值')
      if (method === smsMethod.POST && bodyKind === smsBody.json && !isJson(body.replace(/\{[^{}\s":]{1,20}\}/g, '')))
        missing('body', '不是 JSON：占位须放在引号内，如 {"mobile": "{手机号}"}')
    }
  })

/** An address with its host told: what is filled in must not lead elsewhere. */
function isAddress(value: string): boolean {
  if (!/^https?:\/\/[^/?#@{}\s]+(\/[^\s]*)?$/.test(value)) return false
  return URL.canParse(value)
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
