import type { FastifyInstance } from 'fastify'

/** Milliseconds that requests under way get when the program is asked to stop. */
const shutdownTimeoutMs = 8000

/** Takes no more requests and waits for those under way; whatever is left after the time is broken off. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), shutdownTimeoutMs)
  await app.close()
  clearTimeout(late)
}
