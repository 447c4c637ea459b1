import type { Server, Socket } from 'node:net'
import { networkOf } from '../base/address.ts'

/**
 * Milliseconds that an idle connection is kept for its next request; what stands before the service keeps it shorter.
 */
export const idleMs = 65_000

/**
 * Whoever has not sent the headers of a request after the first of these milliseconds is cut off; the second says how
 * often it is looked, so that both together are the longest that anybody can take.
 */
export const headerLimits = { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 }

/**
 * Connections of one person that do not count for their address: a browser opens six, in some tabs and on some devices.
 */
const ofOnePerson = 48

/** How to take a connection from the account of its address, for those that stand there. */
const counted = new WeakMap<Socket, () => void>()
const ofPeople = new Map<string, number>()

/**
 * Closes connections beyond so many that one address (of IPv6: one household) holds open at a time, so that nobody can
 * hold all that the service can have. Those of people who are signed in do not count: a lecture hall has one address.
 * @param most 0 for no bound
 */
export function boundConnections(server: Server, most: number): void {
  if (most === 0) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    if ((open.get(network) ?? 0) >= most) return void socket.destroy()
    move(open, network, 1)
    counted.set(socket, () => {
      if (counted.delete(socket)) move(open, network, -1)
    })
    socket.once('close', () => counted.get(socket)?.())
  })
}

/** From now on a connection counts for the person who asked over it, as far as they may have so many. */
export function vouchFor(socket: Socket, person: string): void {
  const release = counted.get(socket)
  if (!release || (ofPeople.get(person) ?? 0) >= ofOnePerson) return
  release()
  move(ofPeople, person, 1)
  socket.once('close', () => move(ofPeople, person, -1))
}

function move(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
