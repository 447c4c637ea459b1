import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { deliveryStatus, mailSecurity } from '../../../contract/core/codes/platform.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import { isListed, OutboundFault, outboundFaultText, resolveOutbound } from '../../core/base/outbound.ts'
import type { Attempt } from '../../platform/outbox/deliver.service.ts'
import { keepIdle, takeIdle, type MailConnection } from './smtp-connections.ts'

/** Milliseconds: for the name and the connection; for the greeting; between two answers. */
const waits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }

/** A mail as it is sent; `id` is the same at each try and stands in its Message-ID. */
interface Mail {
  id: string
  to: string
  subject: string
  text: string
}

interface SmtpError extends Error {
  code?: string
  responseCode?: number
  command?: string
}

/**
 * Sends one mail. The server's name is resolved, its address looked at, and that address connected to, as everything is
 * that a school has typed in; without TLS only in the operator's networks. Mails that follow each other go by one
 * connection, as long as the name leads to the same address.
 * @param allowed networks of the operator
 */
export async function sendMail(
  settings: ChannelSettings,
  secret: string | null,
  mail: Mail,
  allowed: readonly string[],
): Promise<Attempt> {
  const { host = '', port = 465, security, user = '', fromAddress = '', fromName = '' } = settings
  let connection: MailConnection | undefined
  // from the first byte of the mail on nobody knows whether it was taken, unless the server says so
  const state = { isUnderWay: false }
  try {
    const { address } = await resolveOutbound(host, allowed, AbortSignal.timeout(waits.connectionTimeout))
    if (security === mailSecurity.plain && !isListed(address, allowed))
      throw new OutboundFault('不加密只能用于运维允许的内网地址（设置 OUTBOUND_PRIVATE），没有连接')
    const message = await new MailComposer({
      from: { name: fromName, address: fromAddress },
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      messageId: `<${mail.id}@${fromAddress.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build()
    const key = JSON.stringify([host, address, port, security, user, secret])
    const envelope = { from: fromAddress, to: [mail.to] }
    connection = takeIdle(key)
    let response: string | undefined
    if (connection)
      try {
        response = await say(connection, envelope, message, state)
      } catch (error) {
        // it may have been ended meanwhile, or may take no more: as long as nothing of the mail has gone, a new one
        // does
        if (state.isUnderWay || (error as SmtpError).command === 'RCPT TO') throw error
        connection.smtp.close()
      }
    if (response === undefined) {
      connection = { smtp: newConnection(settings, address), key, mails: 0 }
      await open(connection, user, secret)
      response = await say(connection, envelope, message, state)
    }
    keepIdle({ ...connection!, mails: connection!.mails + 1 })
    return { isDelivered: true, code: Number(response.slice(0, 3)) || null, text: response.slice(0, 200) }
  } catch (error) {
    connection?.smtp.close()
    return faultOf(error as SmtpError, state.isUnderWay)
  }
}

function newConnection({ host = '', port = 465, security }: ChannelSettings, address: string): SMTPConnection {
  const name = host.replace(/^\[|\]$/g, '')
  return new SMTPConnection({
    host: address,
    port,
    secure: security === mailSecurity.tls,
    requireTLS: security === mailSecurity.starttls,
    ignoreTLS: security === mailSecurity.plain,
    // the certificate is of the name, though the address is connected to
    tls: isIP(name) ? {} : { servername: name },
    ...waits,
  })
}

/** Connects, and signs in where there is an account. */
const open = ({ smtp }: MailConnection, user: string, secret: string | null): Promise<void> =>
  heard(smtp, (resolve, reject) => {
    const after = (next: () => void) => (error?: Error | null) => (error ? reject(error) : next())
    smtp.connect(after(() => (user ? smtp.login({ user, pass: secret ?? '' }, after(resolve)) : resolve())))
  })

/** Hands one mail over. @returns what the server says of it */
function say(
  { smtp }: MailConnection,
  envelope: { from: string; to: string[] },
  message: Buffer,
  state: { isUnderWay: boolean },
): Promise<string> {
  const body = new Readable({
    read() {
      state.isUnderWay = true
      this.push(message)
      this.push(null)
    },
  })
  return heard(smtp, (resolve, reject) => {
    smtp.send(envelope, body, (error, info) => (error ? reject(error) : resolve(info.response)))
  })
}

/** Does something with a connection, and fails where that fails or ends meanwhile. */
async function heard<R>(
  smtp: SMTPConnection,
  work: (resolve: (value: R) => void, reject: (error: Error) => void) => void,
): Promise<R> {
  let [resolve, reject]: [(value: R) => void, (error: Error) => void] = [() => undefined, () => undefined]
  const promise = new Promise<R>((...ends) => ([resolve, reject] = ends))
  const ended = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
  smtp.on('error', reject)
  smtp.on('end', ended)
  try {
    work(resolve, reject)
    return await promise
  } catch (error) {
    // whatever it says afterwards is of no interest, and must find a listener
    smtp.on('error', () => undefined)
    throw error
  } finally {
    smtp.off('error', reject)
    smtp.off('end', ended)
  }
}

/** What a failure means: for this person, for the server as a whole, or that nobody knows. */
function faultOf(error: SmtpError, isUnderWay: boolean): Attempt {
  const { responseCode: code, command = '' } = error
  const failed = { isDelivered: false, code: code ?? null, text: faultText(error) }
  if (code === undefined)
    return isUnderWay
      ? { ...failed, endsAs: deliveryStatus.unknown, text: `邮件已经发出，但没有等到服务器的确认（${failed.text}）` }
      : failed
  // said of one mail or its receiver; 4xx is tried again, 5xx is for good
  const isAboutPerson = command === 'RCPT TO' || (command === 'DATA' && code >= 500)
  return { ...failed, isAboutPerson, ...(isAboutPerson && code >= 500 && { endsAs: deliveryStatus.dead }) }
}

/** The words for the administrator; the server's own may name people and stay out of the list. */
function faultText(error: SmtpError): string {
  const { code, responseCode, command = '', message } = error
  const said = responseCode === undefined ? '' : `（${responseCode}）`
  if (code === 'EAUTH') return `邮件服务器不接受账号或口令${said}，请核对；部分邮箱须使用“客户端授权码”`
  if (command === 'RCPT TO') return `邮件服务器不接受收件地址${said}，请核对该人员的邮箱`
  if (command === 'MAIL FROM') return `邮件服务器不接受发件地址${said}，请核对发件地址与账号是否一致`
  if (command === 'DATA') return `邮件服务器拒收${said}`
  if (/STARTTLS/.test(`${command}${message}`) && code !== 'ESOCKET')
    return '邮件服务器不支持 STARTTLS 或证书不被信任，请核对加密方式与端口'
  if (code === 'ETIMEDOUT') return '邮件服务器没有及时应答，请核对主机、端口、加密方式与防火墙'
  if (code === 'EPROTOCOL' || /wrong version number|packet length|ssl3_get_record/i.test(message))
    return '对方的应答不是所选的加密方式，请核对端口与加密方式（465 多为 TLS，587 多为 STARTTLS）'
  const certificate = /self-signed|self signed|unable to verify|altnames|expired/i.exec(message)
  if (certificate)
    return /altnames/i.test(message)
      ? '邮件服务器的证书与主机名不符，请核对主机名'
      : '邮件服务器的证书不被信任或已过期，请联系其管理员'
  const system = /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/.exec(message)
  return system ? outboundFaultText({ code: system[1] }) : outboundFaultText(error)
}
