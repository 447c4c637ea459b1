import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../core/base/address.ts'
import { sharingOf } from '../../core/http/limit-sharing.ts'
import { createRateLimiter } from '../../core/http/rate-limiter.ts'
import { addressOf, type AppServices } from '../../core/http/http.ts'
import type { Actor, PublicContext } from '../../core/request/context.ts'
import { feedPath, readFeed } from './calendar-feeds.service.ts'

/** How often one calendar may be fetched in an hour: programs ask every few minutes at most. */
const perHour = 60

/**
 * The addresses at which calendar programs fetch activities. They know no session and no envelope; whoever has the
 * address reads the calendar. An unchanged one is answered with 304.
 * @param actorFor who a person is now
 */
export function mountCalendars(
  app: FastifyInstance,
  services: AppServices,
  actorFor: (ctx: PublicContext, schoolId: string, suId: string) => Promise<Actor | undefined>,
): void {
  const sharing = sharingOf(services)
  const shared = (name: string) => sharing && { sharing, name }
  const perAddress = createRateLimiter(services.config.addressRequestsPerMinute, 60, shared('calendar-address'))
  const perFeed = createRateLimiter(perHour, 3600, shared('calendar'))
  app.get<{ Params: { token: string } }>(`${feedPath}:token([A-Za-z0-9_-]{43}).ics`, async (request, reply) => {
    const ip = addressOf(request)
    perAddress(networkOf(ip))
    const { token } = request.params
    // the limiter keeps what it is told in memory: the hash is enough
    perFeed(createHash('sha256').update(token).digest('base64'))
    const ctx: PublicContext = {
      ...services,
      origin: { requestId: request.id, ip, agent: String(request.headers['user-agent'] ?? '') },
      log: services.log.child({ requestId: request.id }),
    }
    const text = await readFeed(ctx, token, actorFor)
    const tag = `"${createHash('sha256').update(text).digest('base64url')}"`
    reply.header('etag', tag).header('cache-control', 'private, no-cache').header('x-robots-tag', 'noindex')
    if (request.headers['if-none-match']?.split(/,\s*/).some((one) => one.replace(/^W\//, '') === tag))
      return reply.code(304).send()
    return reply.type('text/calendar; charset=utf-8').send(text)
  })
}
