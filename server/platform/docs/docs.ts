import type { FastifyInstance } from 'fastify'
import { fullPath } from '../../../contract/core/call.ts'
import { allCalls } from '../../../contract/index.ts'
import { openApiDocument } from './openapi.ts'
import { docsPage } from './docs-page.ts'

/**
 * The API described by itself: the document for programs and a page for people, both made from the contract, nothing
 * from elsewhere.
 */
export function docsRoutes(app: FastifyInstance): void {
  let document: string | undefined
  let page: string | undefined
  app.get('/api/docs/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openApiDocument()))),
  )
  app.get('/api/docs', async (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send((page ??= docsPage(allCalls.map((entry) => ({ ...entry, path: fullPath(entry.call) }))))),
  )
}
