import helmet from '@fastify/helmet'
import fastify from 'fastify'

/** Headers of the transport, which are no part of what helmet adds. */
const ofTransport = new Set(['content-length', 'content-type', 'date', 'connection'])

/**
 * The headers of every answer that tell browsers what a page may do. Helmet builds them anew for each request, though
 * they never differ; here an application of its own is asked once.
 */
export async function securityHeaders(): Promise<[name: string, value: string][]> {
  const asked = fastify()
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
  })
  asked.get('/', async () => '')
  const { headers } = await asked.inject('/')
  await asked.close()
  return Object.entries(headers)
    .filter(([name]) => !ofTransport.has(name))
    .map(([name, value]) => [name, String(value)])
}
