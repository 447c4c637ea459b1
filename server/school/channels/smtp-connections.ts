import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/** Milliseconds for which a connection waits for the next mail, and mails after which a new one is made. */
const idleMs = 5000
const maxMails = 100

/** A connection to a mail server, by which several mails may go one after the other. */
export interface MailConnection {
  smtp: SMTPConnection
  /** By what it was opened: another name, address, account or secret is another connection. */
  key: string
  mails: number
}

/** Connections between two mails. The library's own pool would send again what was under way (decision 092). */
const idle = new Map<string, MailConnection & { end: () => void }>()

/** A connection that waits for a mail, which nobody else has then; undefined where there is none. */
export function takeIdle(key: string): MailConnection | undefined {
  const found = idle.get(key)
  found?.end()
  return found
}

/** Lets a connection by which a mail has gone wait for the next one. */
export function keepIdle(connection: MailConnection): void {
  const { smtp, key, mails } = connection
  if (mails >= maxMails || idle.has(key)) return leave(smtp)
  const drop = () => {
    end()
    leave(smtp)
  }
  const timer = setTimeout(drop, idleMs)
  timer.unref()
  const end = () => {
    clearTimeout(timer)
    smtp.off('error', drop)
    smtp.off('end', drop)
    idle.delete(key)
  }
  smtp.on('error', drop)
  smtp.on('end', drop)
  idle.set(key, { ...connection, end })
}

function leave(smtp: SMTPConnection): void {
  // what still comes is of no interest, and an error without a listener would end the program
  smtp.on('error', () => undefined)
  smtp.quit()
  smtp.close()
}
