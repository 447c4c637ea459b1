import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../core/database/connection.ts'
import { atFileEnd } from './file-end.ts'

/** How the message begins in which PostgreSQL tells the number of its process, which stands behind it. */
const processHead = Buffer.from([0x4b, 0, 0, 0, 12])

/** What passes on what the server says with another process number, which it tells once, when it lets somebody in. */
function hidingProcess(): Transform {
  let isTold = false
  return new Transform({
    transform(piece: Buffer, _, done) {
      const at = isTold ? -1 : piece.indexOf(processHead)
      if (at >= 0) {
        isTold = true
        piece.writeInt32BE(1_000_000_000, at + processHead.length)
      }
      done(null, piece)
    },
  })
}

export interface BadNetwork {
  /** How to reach the database through it. */
  connection: Connection
  /**
   * From now on what is open passes nothing on, either way, and does not end; what is opened later works: an address
   * that has moved to another host, or a firewall that has forgotten what it let through.
   */
  fallSilent(): void
  /** Breaks off what is open, as a router does that comes up again. */
  reset(): void
  /** From now on what is open hears the end of the other side, which goes on listening. */
  halfClose(): void
  /** From now on every piece takes so many milliseconds longer, either way. */
  delay(ms: number): void
  /** From now on new connections are taken and get no answer, until it is told otherwise. */
  swallow(is: boolean): void
  /** From now on nothing new is let in; what is open goes on. */
  close(): void
}

/**
 * A TCP proxy before a database that does to its connections what networks do. Ends with the test file.
 * @param isPooler it tells of each connection a process number of its own, as poolers do
 */
export async function badNetwork({ host, port, ...rest }: Connection, { isPooler = false } = {}): Promise<BadNetwork> {
  const open = new Set<Socket>()
  const near = new Set<Socket>()
  let delayMs = 0
  let isSwallowing = false
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => {})
    if (isSwallowing) return client.resume()
    // a host that begins with a slash is the folder of a local socket
    const far = host?.startsWith('/') ? connect(`${host}/.s.PGSQL.${port ?? 5432}`) : connect(port ?? 5432, host)
    near.add(client)
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      open.add(one)
      if (isPooler && one === far) one.pipe(hidingProcess()).pipe(other)
      else one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => (open.delete(one), near.delete(one), other.destroy()))
    }
    if (delayMs > 0) slow(client, far)
  })
  const slow = (one: Socket, other: Socket) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.unpipe()
      // pieces stay in their order: each waits for as long
      from.resume()
      from.on('data', (piece: Buffer) => void sleep(delayMs).then(() => to.destroyed || to.write(piece)))
    }
  }
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
    reset() {
      for (const one of near) one.resetAndDestroy()
    },
    halfClose() {
      for (const one of near) one.end()
    },
    delay(ms) {
      delayMs = ms
      // those that are open go on as they are and are replaced by new ones
      for (const one of near) one.destroy()
    },
    swallow: (is) => void (isSwallowing = is),
  }
}
