import type { Server, Socket } from 'node:net'
import { networkOf } from '../base/address.ts'

/** Milliseconds that an idle connection is kept for its next request; what stands before the service keeps it shorter. */
export const idleMs = 65_000

/**
 * Whoever has not sent the headers of a request after the first of these milliseconds is cut off; the second says how
 * often it is looked, so that both together are the longest that anybody can take.
 */
export const headerLimits = { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 }

/**
 * Closes connections beyond so many that one address (of IPv6: one household) holds open at a time, so that nobody can
 * hold all that the service can have. @param most 0 for no bound
 */
export function boundConnections(server: Server, most: number): void {
  if (most === 0) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = (open.get(network) ?? 0) + 1
    if (count > most) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = open.get(network)! - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
