import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { isPaged } from '../../../contract/core/paging.ts'
import { Failure, invalidInput, type FailureName } from '../../../contract/core/failure.ts'
import { databaseOf, sharingConnection } from '../database/pipelining.ts'
import type { Db } from '../database/pool.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { clientAddress } from '../base/address.ts'
import { telemetry } from '../base/telemetry.ts'
import { vouchFor } from './connections.ts'
import { envelopeOf } from './envelope.ts'
import { assertFreshCode } from './fresh-code.ts'
import { sharingOf } from './limit-sharing.ts'
import { openToGraduates } from './open-to-graduates.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { createFairQueue, type Turn } from './fair-queue.ts'
import type { Actor, Context, PublicContext, Upload } from '../request/context.ts'
import { keepStreams, type EventStream } from '../request/events.ts'
import { asFailure, prefersStrictness, sendFailure } from './http-errors.ts'
import { runOnce } from '../request/idempotency.ts'
import { checkInput, checkPlainInput, mergeInput, namedFields } from '../request/input.ts'
import { fieldNames, wholeForm } from '../request/kept-form.ts'
import { receiveUpload } from '../request/upload.ts'
import type { Route } from '../request/routes.ts'

/** What the pipeline needs from the floors above it. */
export interface Authenticator {
  /**
   * Who a bearer token speaks for; refuses tokens that are unknown, ended or expired. `onUnknownToken` is called before
   * a token is looked up that was not good lately.
   */
  authenticate(ctx: PublicContext, token: string, onUnknownToken: () => void): Promise<Actor>
  /** Called when a signed-in person was turned away for lack of a right. */
  denied(ctx: Context, call: Call): Promise<void>
  /** Called with every file that has come, before anything is done with it; refuses what must not be kept. */
  admitUpload(ctx: Context, upload: Upload): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once that is known. */
    asker: Actor | null
  }
}

/** Who asked, as the log tells it: by id, never by name. */
export const askerOf = ({ asker }: FastifyRequest): { schoolId?: string; suId?: string } =>
  asker ? { schoolId: asker.schoolId, suId: asker.suId } : {}

export type AppServices = Omit<PublicContext, 'origin' | 'upload'> & {
  /** The same database over a connection that no request takes, for saying whether it answers. */
  healthDb?: Db
}

/** Mounts every route: one pipeline from the bytes of a request to the bytes of its answer. */
export function mountRoutes(
  app: FastifyInstance,
  routes: Route[],
  services: AppServices,
  authenticator: Authenticator,
): void {
  app.decorateRequest('asker', null)
  const sharing = sharingOf(services)
  if (sharing) app.addHook('onClose', async () => sharing.close())
  const limits = createRateLimits(services.config, sharing)
  const turnOf = createFairQueue({ atOnce: services.config.requestsAtOnce })
  const keep = keepStreams(app)
  for (const route of routes) {
    const { call, handle } = route
    const ownDb = databaseOf(services.db, fullPath(call))
    // its statements are short: what they cost is mostly their way, and they may share it; those of a list are counted
    // and read at the same time
    const isDetail = !call.writes && call.cost === 'plain' && call.gives === 'data' && !isPaged(call)
    // what takes long and must not keep others from the primary
    const readsMuch = !call.writes && (call.cost === 'statistic' || call.cost === 'export')
    const answered = async (ctx: Context, request: FastifyRequest, reply: FastifyReply) => {
      if (call.takes === 'upload') return withUpload(call, handle, ctx, authenticator, request, reply)
      if (!services.config.allowQueryCredentials) assertNoCredentials(request.query as Fields)
      const parts = [request.query as Fields, request.body as Fields, request.params as Fields]
      const given = await withOwnSchool(ctx, call, mergeInput(call.alsoNamed, ...parts), (token) =>
        authenticator.authenticate(ctx, token, () => limits.token(ctx.origin.ip)),
      )
      if (call.gives === 'events')
        return answerEvents(reply, keep, (await handle(ctx, checkInput(call.input, given) as never)) as EventStream)
      const named = namedFields(call.alsoNamed, ...parts)
      const work = () => answerOf(ctx, route, given, named)
      const key = request.headers['idempotency-key']
      if (call.permit === 'public' || !call.writes || call.gives === 'file' || typeof key !== 'string')
        return answer(call, reply, ctx, await work())
      // what is sent empty is not what is left out, nor does a plain caller mean what a strict one does; of what the
      // console sends the key is compared as by earlier versions, whose keys count for a day after an upgrade
      const emptied = [...named].filter((name) => !(name in given))
      const meant = ctx.origin.isStrict && emptied.length === 0 ? given : [given, emptied, ctx.origin.isStrict]
      return answer(call, reply, ctx, await runOnce(ctx, call, key, meant, work))
    }
    app.route({
      method: call.method,
      // a GET that only reads answers HEAD as well; nothing is written, and no stream opened, for an answer without its
      // body
      exposeHeadRoute: !call.writes && call.gives !== 'events',
      config: { gives: call.gives, isQuery: !call.writes },
      url: fullPath(call).replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const ctx = publicContext({ ...services, db: ownDb }, request)
        const actor = await admit(ctx, call, request, authenticator, limits)
        const own = isDetail ? sharingConnection(ctx.db) : ctx.db
        const log = actor ? ctx.log.child({ schoolId: actor.schoolId, suId: actor.suId }) : ctx.log
        if (actor) request.asker = actor
        const full = {
          ...ctx,
          db: own,
          log,
          actor,
          scope: actor ? actor.scopeFor(call.permit) : wholeSchool,
          permit: call.permit,
        } as Context
        const permit = actor && (await limits.acquire(call, actor))
        let turn: Turn | undefined
        let isFile = false
        try {
          // a stream stays open and does nothing meanwhile
          if (actor && call.gives !== 'events') full.giveWay = turn = await turnOf(actor.schoolId)
          // nobody waits any more for what has waited in the queue
          if (request.socket.destroyed) return reply.hijack()
          const db = readsMuch && services.replica ? await services.replica.reader(own) : own
          const body = await answered(db === own ? full : { ...full, db }, request, reply)
          isFile = call.gives === 'file'
          return body
        } finally {
          turn?.()
          if (permit && isFile && !reply.raw.closed) reply.raw.once('close', permit)
          else permit?.()
        }
      },
    })
  }
}

type Fields = Record<string, unknown> | undefined

/**
 * What came and, where a public call about one school names none, the school of the token that came along: clients of
 * the specification name it only when they ask for a token. A token that is no longer good counts for nothing.
 */
async function withOwnSchool(
  { origin: { bearer } }: PublicContext,
  { defaultsToOwnSchool }: Call,
  given: Record<string, unknown>,
  authenticate: (token: string) => Promise<Actor>,
): Promise<Record<string, unknown>> {
  if (!defaultsToOwnSchool || given['schoolId'] !== undefined || !bearer) return given
  try {
    const { schoolId } = await authenticate(bearer)
    return { ...given, schoolId }
  } catch (error) {
    if (error instanceof Failure && noLongerGood.has(error.reason)) return given
    throw error
  }
}

const noLongerGood: ReadonlySet<string> = new Set(['token-invalid', 'school-suspended', 'school-moved'])

/** How often a plain caller's edit is made anew of a record that others change at the same time. */
const maxEdits = 3

/**
 * What the handler answers to what came. A plain caller also means what the call says of fields that they left out, and
 * of a record that they edit what is stored, without the fields that they only send back. That is of the version they
 * are read with: of one that somebody changes meanwhile they are read again, so that nothing goes back that nobody
 * sent.
 * @param named the fields that came, those that came empty among them
 */
async function answerOf(
  ctx: Context,
  { call, handle, kept }: Route,
  given: Record<string, unknown>,
  named: ReadonlySet<string>,
): Promise<unknown> {
  const run = (input: unknown) => handle(ctx, input as never)
  if (ctx.origin.isStrict || call.permit === 'public') return run(checkInput(call.input, given))
  const meant = { ...call.whenLeftOut(given, { suId: ctx.actor.suId, now: ctx.clock.now() }), ...given }
  // what is only read goes over one connection, as for a detail
  const reader = { ...ctx, db: sharingConnection(ctx.db) }
  for (let edit = 1; ; edit++) {
    const record = await kept?.(reader, given, named)
    if (!record) return run(checkPlainInput(call.input, meant))
    const schema = record.schema ?? call.input
    const input = checkPlainInput(schema, wholeForm(meant, named, record), fieldNames(record.answer))
    try {
      return await run(input)
    } catch (error) {
      const isStale = error instanceof Failure && error.reason === 'stale-version'
      if (!isStale || named.has('version') || edit === maxEdits) throw error
    }
  }
}

function publicContext(services: AppServices, request: FastifyRequest): PublicContext {
  return {
    ...services,
    origin: {
      requestId: request.id,
      ip: addressOf(request),
      agent: String(request.headers['user-agent'] ?? ''),
      bearer: bearerOf(request),
      isStrict: prefersStrictness(request),
      wantsCsv: /\btext\/csv\b/i.test(request.headers.accept ?? ''),
    },
    // Fastify makes one for each request anyway
    log: request.log as Logger,
  }
}

/** Where a request came from, as far as trusted proxies vouch for it. */
export const addressOf = (request: FastifyRequest): string => clientAddress(request.ips ?? [request.ip])

const bearerOf = (request: FastifyRequest) => /^Bearer ([\w-]{20,128})$/i.exec(request.headers.authorization ?? '')?.[1]

/**
 * Who asks, do they ask too often, and may they? Writes by GET answer only to our own pages and scripts, never to a
 * link elsewhere or a prefetch.
 */
async function admit(
  ctx: PublicContext,
  call: Call,
  request: FastifyRequest,
  authenticator: Authenticator,
  limits: RateLimits,
): Promise<Actor | undefined> {
  if (call.writes && (request.headers['sec-fetch-site'] === 'cross-site' || request.headers['sec-purpose']))
    throw new Failure('cross-site')
  const token = ctx.origin.bearer
  if (call.permit === 'public' || !token) limits.address(ctx.origin.ip)
  if (call.permit === 'public') return undefined
  if (!token) throw new Failure('token-invalid')
  const actor = await authenticator
    .authenticate(ctx, token, () => limits.token(ctx.origin.ip))
    .catch((error: unknown) => {
      if (error instanceof Failure && error.reason === 'token-invalid') limits.address(ctx.origin.ip)
      throw error
    })
  vouchFor(request.socket, `${actor.schoolId}:${actor.suId}`)
  limits.person(actor)
  if (actor.program && isOfPersons(call)) throw new Failure('not-for-programs')
  const hold = holds.find(({ holdsBack }) => holdsBack(actor))
  if (hold && !alwaysOpen.has(fullPath(call)) && !hold.open.has(fullPath(call))) throw new Failure(hold.reason)
  if (actor.isReadOnly && call.writes && !alwaysOpen.has(fullPath(call))) throw new Failure('school-moving')
  if (actor.isGraduate && call.writes && !alwaysOpen.has(fullPath(call)) && !openToGraduates.has(fullPath(call)))
    throw new Failure('graduate-reads-only')
  if (call.permit !== 'signed-in' && !actor.permits.has(call.permit)) {
    await authenticator.denied({ ...ctx, actor, scope: actor.scopeFor(call.permit) }, call)
    throw new Failure('not-permitted')
  }
  assertFreshCode(call, { actor, clock: ctx.clock })
  return actor
}

/**
 * What somebody has to do before anything else, in this order, and what stays open to them until they have: agree to
 * the privacy notice (docs/security.md S23), replace a password that was given to them (S6), set up a second factor
 * that a role demands (S21).
 */
const holds: readonly {
  holdsBack: (actor: Actor) => boolean
  reason: FailureName
  open: ReadonlySet<string>
}[] = [
  {
    holdsBack: ({ mustAcceptNotice }) => mustAcceptNotice === true,
    reason: 'accept-notice-first',
    open: new Set(['/api/schoolbase/sysUser/acceptNotice']),
  },
  {
    holdsBack: ({ mustChangePwd }) => mustChangePwd,
    reason: 'change-password-first',
    open: new Set(['/api/schoolbase/sysUser/editPassword']),
  },
  {
    holdsBack: ({ mustEnrol }) => mustEnrol === true,
    reason: 'enrol-first',
    open: new Set(
      ['mySecondFactor', 'beginSecondFactor', 'enableSecondFactor'].map((name) => `/api/schoolbase/sysUser/${name}`),
    ),
  },
]

/**
 * What a program's key does not open, whatever its rights (decision 081): what belongs to the person who is signed in,
 * what the console is loaded with, and what asks for a fresh code, for a program has no second factor.
 */
export const isOfPersons = (call: Call): boolean =>
  call.needsFreshCode ||
  call.gives === 'events' ||
  (call.permit === 'signed-in' && (call.writes || alwaysOpen.has(fullPath(call))))

/** What anybody who is signed in may do: sign out, and load what the console needs to show what they have to do. */
const alwaysOpen = new Set([
  '/api/schoolbase/user/logout',
  '/api/schoolbase/UserLoad/MenuTree',
  '/api/platformbase/UserLoad/ScMenuAndResourceTree',
  '/api/platformbase/sysUser/userLandLoad',
])

/** What gets somebody in. Addresses stand in the logs of proxies and in histories. */
const credentialFields = ['password', 'totp', 'refresh_token']

function assertNoCredentials(query: Fields = {}): void {
  const found = credentialFields.filter((field) => field in query)
  if (found.length > 0)
    throw invalidInput(found.map((field) => ({ field, msg: '不能放在网址里，请放在请求正文中提交' })))
}

async function withUpload(
  call: Call,
  handle: Route['handle'],
  ctx: Context,
  authenticator: Authenticator,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { upload, fields, remove } = await receiveUpload(request, ctx.config.uploadLimit)
  try {
    const input = checkInput(
      call.input,
      mergeInput(call.alsoNamed, request.query as Fields, fields, request.params as Fields),
    )
    await authenticator.admitUpload(ctx, upload)
    return answer(call, reply, ctx, await handle({ ...ctx, upload }, input as never))
  } finally {
    await remove()
  }
}

function answerEvents(reply: FastifyReply, keep: (stream: EventStream) => void, stream: EventStream) {
  keep(stream)
  telemetry.stream.publish('opened')
  stream.onClose(() => telemetry.stream.publish('ended'))
  // the last line asks proxies to pass every event on at once
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('x-accel-buffering', 'no')
    .send(stream.body)
}

async function answer(
  call: Call,
  reply: FastifyReply,
  { config, origin, clock }: Pick<PublicContext, 'config' | 'origin' | 'clock'>,
  data: unknown,
) {
  reply.header('cache-control', 'no-store')
  if (call.gives === 'file') {
    const file = data as FileAnswer
    return reply
      .header('content-type', file.type)
      .header('content-disposition', `attachment; filename="file"; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(file.body)
  }
  // checked and sent as it is, as in production
  if (config.outputChecks) call.output.parse(data)
  const envelope = envelopeOf(data, origin, clock)
  return call.gives === 'raw' ? { ...(data as object), ...envelope } : envelope
}

/** Errors of the pipeline itself and of handlers, all through one door. */
export function answerErrors(app: FastifyInstance, services: AppServices): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { gives, isQuery } = request.routeOptions.config as { gives?: Call['gives']; isQuery?: boolean }
    const failure = asFailure(error, isQuery)
    if (failure.status >= 500)
      services.log.error(
        { err: error, requestId: request.id, route: request.routeOptions.url, ...askerOf(request) },
        'request failed',
      )
    // what is no answer in an envelope is kept or read as it comes: only HTTP's status says there that it was refused
    const isPlain = !prefersStrictness(request)
    return sendFailure(reply, failure, request.id, {
      isStrict: !(isPlain && gives === 'data'),
      isOAuth: isPlain && gives === 'raw',
    })
  })
}
