import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../../contract/core/failure.ts'

/** Where the built console lies: beside the bundle in `dist`, or there as seen from the sources. */
const candidates = ['../web', '../../../dist/web'].map((path) =>
  resolve(fileURLToPath(new URL('.', import.meta.url)), path),
)

/**
 * What programs ask for and would take a page for an answer: metrics are on a port of their own (docs/operations.md).
 */
const notPages = new Set(['/metrics'])

/**
 * Serves the built console: hashed files for ever, the page itself never from a cache, and the page for every unknown
 * path of a screen.
 */
export async function mountConsole(app: FastifyInstance): Promise<void> {
  const root = candidates.find((path) => existsSync(join(path, 'index.html')))
  app.setNotFoundHandler((request, reply) => {
    const page =
      root &&
      request.method === 'GET' &&
      !request.url.startsWith('/api/') &&
      !notPages.has(request.url.split('?')[0] ?? '') &&
      !/\.\w{2,5}$/.test(request.url.split('?')[0] ?? '')
    if (!page) throw new Failure('no-such-call')
    // the students' side has a page of its own; what its worker keeps begins with the stroke behind it
    const isStudents = /^\/m(\/|\?|$)/.test(request.url)
    if (isStudents && request.url[2] !== '/') return reply.redirect(`/m/${request.url.slice(2)}`, 302)
    return reply.header('cache-control', 'no-cache').sendFile(isStudents ? 'm/index.html' : 'index.html')
  })
  if (!root) return
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: false,
    wildcard: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader(
        'cache-control',
        path.includes(`${root}/assets/`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.get('/', (_, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'))
}
