import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)

/** Characters from which an answer is compressed: what is shorter comes in the same packet or the next. */
const threshold = 2048

/** Whether a caller takes gzip, by its header `Accept-Encoding`. */
const takesGzip = (accepted: string): boolean => /(?:^|[\s,])gzip(?![^,]*;\s*q=0(?:\.0*)?(?:[\s,]|$))/.test(accepted)

/**
 * Compresses what calls answer as text, for callers who take it (decision 129): on a phone with a weak network the
 * length of an answer is felt. Outside of the event loop, at a level that costs as little as the lowest. Nothing secret
 * can be guessed by lengths: no other site can ask in a person's name, for credentials come in a header and not in a
 * cookie. Files are left as they are: workbooks and pictures are compressed already, and what the console is made of is
 * stored compressed.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    if (typeof payload !== 'string' || payload.length < threshold || reply.hasHeader('content-encoding'))
      return next(null, payload)
    reply.header('vary', 'Accept-Encoding')
    if (!takesGzip(request.headers['accept-encoding'] ?? '')) return next(null, payload)
    compress(payload, { level: 4 }).then(
      (compressed) => {
        reply.header('content-encoding', 'gzip')
        next(null, compressed)
      },
      () => next(null, payload),
    )
  })
}
