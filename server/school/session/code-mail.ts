import type { Config } from '../../core/base/config.ts'
import type { CodeMessage } from './delivery.ts'

/** Milliseconds to wait for the mail server: to connect, for its greeting, and in between. */
const waits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }

const isLocal = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

/**
 * Mails one recovery code to the address of the account. The Message-ID is the same at each try, so that a mail whose
 * acknowledgement was lost can be recognised as the same.
 * @param id letters, digits and hyphens, one for each code
 * @throws whatever the mail server or the way to it answers
 */
export async function sendCodeMail(
  { url, from }: NonNullable<Config['mail']>,
  id: string,
  { name, email, code, expireTime }: CodeMessage,
): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const server = new URL(url)
  const transport = createTransport({
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: Number(server.port) || (server.protocol === 'smtps:' ? 465 : 587),
    secure: server.protocol === 'smtps:',
    // a code, and the password of the mailbox, never cross a network in the open
    requireTLS: server.protocol === 'smtp:' && !isLocal(server.hostname),
    ...(server.username && {
      auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    }),
    ...waits,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: email! },
      subject: '找回密码的验证码',
      messageId: `<${id}@${from.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      text: [
        `${name}，您好：`,
        `您的验证码是 ${code}，${expireTime.slice(0, 16)} 前有效，只能使用一次。`,
        '如果不是您本人在找回密码，请不要理会这封邮件，也不要把验证码告诉任何人。',
      ].join('\n\n'),
    })
  } finally {
    transport.close()
  }
}
