import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import type { Connection } from '../core/database/connection.ts'
import { atFileEnd } from './file-end.ts'

export interface SilentProxy {
  /** How to reach the database through it. */
  connection: Connection
  /**
   * From now on what is open passes nothing on, either way, and does not end; what is opened later works: an address
   * that has moved to another host, or a firewall that has forgotten what it let through.
   */
  fallSilent(): void
  /** From now on nothing new is let in; what is open goes on. */
  close(): void
}

/** A TCP proxy before a database whose connections can fall silent. Ends with the test file. */
export async function silentProxy({ host, port, ...rest }: Connection): Promise<SilentProxy> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    // a host that begins with a slash is the folder of a local socket
    const far = host?.startsWith('/') ? connect(`${host}/.s.PGSQL.${port ?? 5432}`) : connect(port ?? 5432, host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => (open.delete(one), other.destroy()))
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atFileEnd(() => {
    for (const one of open) one.destroy()
    server.close()
  })
  return {
    connection: { ...rest, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    close: () => void server.close(),
    fallSilent() {
      for (const one of open) {
        one.unpipe()
        one.pause()
        one.removeAllListeners('close')
      }
    },
  }
}
