import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../contract/core/failure.ts'
import { addressOf, type AppServices } from '../../core/http/http.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { schoolAppearanceOf } from '../../school/school/school.service.ts'
import { bitList } from './credential-status.service.ts'
import { profileDocument } from './open-credential.ts'
import { issuerFor } from './open-credentials.service.ts'
import { publicKeys } from './signing-keys.service.ts'
import { checkRate } from './verify.service.ts'

interface Page {
  Params: { schoolId: string; list?: string }
}

/**
 * The public addresses that stand in signed credentials: a school's profile with its keys, and its status lists. They
 * answer the bare document and may be read from any page, as verifiers expect. They must never move (decision 100).
 */
export function mountCredentials(app: FastifyInstance, services: AppServices): void {
  app.get<Page>('/credentials/:schoolId', async (request, reply) => {
    const ctx = contextOf(services, request)
    checkRate(ctx)
    const { keys } = await publicKeys(ctx, request.params)
    if (keys.length === 0) throw new Failure('not-found')
    return give(reply, profileDocument(await issuerOf(ctx, request.params.schoolId), keys), 'application/ld+json')
  })
  app.get<Page>('/credentials/:schoolId/status/:list', async (request, reply) => {
    const { schoolId, list = '' } = request.params
    if (!/^\d{1,4}$/.test(list)) throw new Failure('not-found')
    const ctx = contextOf(services, request)
    checkRate(ctx)
    const { keys } = await publicKeys(ctx, { schoolId })
    if (keys.length === 0) throw new Failure('not-found')
    return give(reply, await bitList(ctx, await issuerOf(ctx, schoolId), schoolId, Number(list)), 'application/vc')
  })
}

const issuerOf = async (ctx: PublicContext, schoolId: string) =>
  issuerFor(ctx, schoolId, (await schoolAppearanceOf(ctx, schoolId)).schName)

const give = (reply: FastifyReply, document: object, type: string) =>
  reply
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'public, max-age=60')
    .header('content-type', `${type}; charset=utf-8`)
    .send(JSON.stringify(document))

const contextOf = (services: AppServices, request: FastifyRequest<Page>): PublicContext => ({
  ...services,
  origin: { requestId: request.id, ip: addressOf(request), agent: String(request.headers['user-agent'] ?? '') },
  log: services.log.child({ requestId: request.id }),
})
