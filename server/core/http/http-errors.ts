import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import { isStalePlan } from '../database/prepared-query.ts'
import { isConnectionLost } from '../database/unreachable.ts'

/** PostgreSQL's codes that are the caller's doing or a passing trouble, and what they mean here. */
const databaseCodes: Record<string, FailureName> = {
  '22021': 'bad-request', // a character that cannot be stored
  '22P02': 'bad-request',
  '22P05': 'bad-request', // the same within JSON
  '22003': 'bad-request',
  '22001': 'bad-request',
  '22007': 'bad-request',
  '22008': 'bad-request',
  '23503': 'still-in-use',
  '23505': 'duplicate',
  '53100': 'disk-full',
}
/** A statement that took longer than it may, or that an operator ended. */
const cancelled = '57014'

/**
 * Codes that say "later" beside those of a lost connection: the server's means (53), its system (58), what it could not
 * do beside others (40, 55P03, 25P03, 25P04), and a server that only reads, as a standby does (25006).
 */
const laterCodes = /^(53|58|40|55P03|25P0[34]|25006)/
/** Seconds after which it is worth to come again. */
const laterSeconds = 5
/** The same where somebody has to make room first. */
const roomSeconds = 30

const httpStatuses: Record<number, FailureName> = {
  400: 'bad-request',
  413: 'too-large',
  415: 'wrong-type',
  429: 'too-often',
  503: 'unavailable',
}

/**
 * Turns whatever was thrown into a failure the caller may be told; what is unknown becomes the one fixed sentence.
 * @param isQuery whoever asks for less is answered sooner; a write is only to be sent again
 */
export function asFailure(error: unknown, isQuery = false): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code && Object.hasOwn(databaseCodes, code)) return new Failure(databaseCodes[code]!)
  if (code === cancelled && isQuery) return new Failure('too-slow')
  if (code === 'ENOSPC') return new Failure('disk-full')
  const isLater = code !== undefined && (code === cancelled || laterCodes.test(code))
  if (isLater || isConnectionLost(error) || isStalePlan(error))
    return new Failure('unavailable', {}, { retryAfter: laterSeconds })
  if (statusCode && httpStatuses[statusCode]) return new Failure(httpStatuses[statusCode])
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Failure('bad-request')
  return new Failure('unexpected')
}

/**
 * Whether a caller prefers that nothing is made easy for it (`Prefer: handling=strict`, RFC 7240): refusals carry
 * HTTP's own statuses, and an edit has to tell the version it started from. The console does; a client written from the
 * specification does not know of it (decision 034).
 */
export const prefersStrictness = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers['prefer'] ?? ''))

/**
 * The envelope of a refusal. Only unexpected errors carry the request number, for whoever looks into the log.
 * @param isStrict false tells what a person should read as HTTP 200 with code 300
 * @param isOAuth a plain caller of the token call, who speaks OAuth
 */
export function sendFailure(
  reply: FastifyReply,
  failure: Failure,
  requestId: string,
  { isStrict = true, isOAuth = false } = {},
) {
  // in OAuth a refused grant is HTTP 400 (RFC 6749, section 5.2)
  const isGrantRefused = isOAuth && failure.reason === 'login-refused'
  const { status, code } = isGrantRefused
    ? { status: 400, code: 300 }
    : failure.isShown && !isStrict
      ? { status: 200, code: 300 }
      : failure
  const retryAfter = failure.retryAfter ?? (failure.reason === 'disk-full' ? roomSeconds : undefined)
  if (retryAfter) reply.header('retry-after', retryAfter)
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({
      ...refusalOf(failure, requestId, code),
      ...(isGrantRefused && { error: 'invalid_grant', status: 300 }),
      ...(failure.errors ? { errors: failure.errors } : {}),
      ...(failure.details ? { details: failure.details } : {}),
      ...(failure.help ? { help: failure.help } : {}),
    })
}

/** What every refusal tells, whichever way it is sent. */
export const refusalOf = (failure: Failure, requestId: string, code: number = failure.code) => ({
  code,
  msg: failure.status >= 500 ? `${failure.msg}（编号 ${requestId}）` : failure.msg,
  data: null,
  success: false,
  reason: failure.reason,
  requestId,
})
