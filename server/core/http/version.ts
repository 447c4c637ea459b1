import type { FastifyInstance } from 'fastify'
import { buildInfo } from '../base/build-info.ts'

/**
 * `/api/version`: which program answers, for operators and whoever reports a fault. It names nothing that is not in the
 * published archive.
 * @param schema name of the last migration this program knows; its database has exactly that one, or it would not run
 */
export function mountVersion(app: FastifyInstance, schema: string): void {
  const answer = { ...buildInfo(), schema, node: process.versions.node }
  app.get('/api/version', async (_, reply) => reply.header('cache-control', 'no-store').send(answer))
}
