import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { mailSecurity, messageChannel, messageType } from '../../core/codes/platform.ts'
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
}

/** The same as it is told: everything there, empty where it is not set. */
export const settingsOf = z.object({
  host: z.string().optional(),
  port: z.number().optional(),
  security: z.enum(codesOf(mailSecurity)).optional(),
  user: z.string().optional(),
  fromAddress: z.string().optional(),
  fromName: z.string().optional(),
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
  })
