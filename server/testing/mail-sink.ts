import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { atFileEnd } from './file-end.ts'

/** A mail as the sink took it. */
export interface SunkMail {
  to: string[]
  /** Headers and body as they came. */
  raw: string
  /** The body, decoded. */
  text: string
}

/**
 * A real mail server that keeps what it is sent.
 * @param options of smtp-server; without them it takes mail from anybody, without TLS
 * @returns its port, what came and by how many connections, how it answers: to a receiver and to the mail itself, and
 *   how it ends all connections
 */
export async function mailSink(options: SMTPServerOptions = {}) {
  const mails: SunkMail[] = []
  const answers: { rcpt?: number; data?: number; drops?: boolean; holds?: Promise<unknown> } = {}
  const refuse = (responseCode: number) => Object.assign(new Error('refused'), { responseCode })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onRcptTo: (_address, _session, callback) => callback(answers.rcpt ? refuse(answers.rcpt) : null),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        if (answers.data) return callback(refuse(answers.data))
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, text: textOf(raw) })
        // takes the mail and is gone before it says so
        if (answers.drops) return closeAll()
        void Promise.resolve(answers.holds).then(() => callback())
      })
    },
    ...options,
  })
  // a client that does not like the certificate goes away
  server.on('error', () => undefined)
  const sockets = new Set<{ destroy: () => void }>()
  const connections = { made: 0 }
  server.server.on('connection', (socket) => {
    connections.made++
    sockets.add(socket)
  })
  const closeAll = () => sockets.forEach((socket) => socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atFileEnd(async () => {
    closeAll()
    await new Promise<void>((done) => server.close(done))
  })
  return { port: (server.server.address() as AddressInfo).port, mails, answers, connections, hangUp: closeAll }
}

/** The decoded body of a mail of one part. */
function textOf(raw: string): string {
  const at = raw.indexOf('\r\n\r\n')
  const [head, body] = [raw.slice(0, at), raw.slice(at + 4)]
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
