import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { endStreams } from '../core/request/events.ts'

/** Milliseconds that requests under way get when the program is asked to stop. */
const shutdownTimeoutMs = 6000

/**
 * Takes the application out of service. It goes on answering for a while, because a balancer learns only at its next
 * look that this process is not ready any more: each answer ends its connection, and open streams end with the advice
 * to come again. Then it takes no more requests and waits for those under way; whatever is left after the time is
 * broken off. Whoever calls has set `stopping`, by which readiness turns red.
 * @param drainSeconds how long it goes on answering
 */
export async function closeApp(app: FastifyInstance, drainSeconds: number): Promise<void> {
  endStreams(app)
  await sleep(drainSeconds * 1000)
  const late = setTimeout(() => app.server.closeAllConnections(), shutdownTimeoutMs)
  await app.close()
  clearTimeout(late)
}
