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
  })
  .check(({ value, issues }) => {
    const missing = (field: keyof typeof settings, message: string) =>
      issues.push({ code: 'custom', path: ['settings', field], message, input: value })
    const { host, port, fromAddress } = value.settings
    if (value.odChannel === messageChannel.mail) {
      if (!host || !/^[\w.-]+$|^\[?[\da-f:.]+\]?$/i.test(host))
        missing('host', '请输入邮件服务器的主机名，如 smtp.example.edu.cn')
      if (!port) missing('port', '请输入端口')
      if (!fromAddress || !isMailAddress(fromAddress))
        missing('fromAddress', '请输入一个邮箱地址，如 dekt@example.edu.cn')
    }
  })
