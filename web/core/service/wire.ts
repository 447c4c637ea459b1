import type { Call } from '../../../contract/core/call.ts'
import type { FailureHelp, FieldFault } from '../../../contract/core/failure.ts'
import { isEmpty } from './empty.ts'

/** What an answer of the service looks like before its data has been taken out. */
interface Envelope {
  code: number
  msg: string
  data: unknown
  errors?: FieldFault[]
  requestId?: string
  /** The refusal's name in the contract. */
  reason?: string
  /** Where the person can do something about it. */
  help?: FailureHelp
}

/** What went wrong, for callers that want to know more than the message the person has already been shown. */
export class ApiError extends Error {
  constructor(
    readonly kind: 'expired' | 'refused' | 'silent' | 'failed',
    readonly code: number,
    message: string,
    readonly faults: FieldFault[] = [],
    readonly requestId?: string,
    /** The refusal's name in the contract, `person-in-use`. */
    readonly reason?: string,
    readonly help?: FailureHelp,
  ) {
    super(message)
  }
}

/**
 * Whether the same may be taken later: nothing has answered, the service restarts or is too busy. Everything else it
 * has decided.
 */
export const mayComeLater = ({ kind, code }: ApiError): boolean =>
  kind === 'silent' || (kind === 'failed' && (code >= 500 || code === 429))

/**
 * Whether the service has decided against it, so that asking again changes nothing: not there, or not for this person.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'refused' || error.code === 403 || error.code === 404)

interface WireRequest {
  url: string
  method: Call['method']
  /** Fields for the body; undefined where everything travels in the query. */
  body: Record<string, unknown> | undefined
}

/**
 * Puts a call and its input into an address and a body: `{id}` segments filled, page field renamed, `_t` in seconds
 * added.
 */
export function wireRequest(call: Call, input: unknown, now: number = Date.now()): WireRequest {
  const fields: Record<string, unknown> = { ...(input as Record<string, unknown>) }
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    return encodeURIComponent(textOf(value))
  })
  if (call.pageField !== 'current' && 'current' in fields) {
    fields[call.pageField] = fields['current']
    delete fields['current']
  }
  const query = new URLSearchParams()
  if (call.sends === 'query') {
    for (const [key, value] of Object.entries(fields)) if (!isEmpty(value)) query.set(key, textOf(value))
  }
  query.set('_t', String(Math.floor(now / 1000)))
  const body = call.sends === 'query' ? undefined : withoutUndefined(fields)
  return { url: `${call.base}${path}?${query}`, method: call.method, body }
}

/** Reads an answer: the envelope's data, or the error the person is to be told about. */
export function readAnswer(status: number, answer: unknown): unknown {
  const envelope = toEnvelope(answer)
  const code = envelope?.code ?? status
  if (status === 401 || code === 401 || code === 40101)
    throw new ApiError('expired', code, '登录凭证已过期，请重新登录')
  const id = envelope?.requestId
  if (status === 200 && code === 200 && envelope) return envelope.data
  if (code === 300) {
    const { msg, errors, reason, help } = envelope ?? {}
    throw new ApiError('refused', 300, msg || '操作未完成', errors, id, reason, help)
  }
  throw new ApiError('failed', code, envelope?.msg || fallbackText(status), envelope?.errors, id, envelope?.reason)
}

/**
 * Milliseconds that may be waited in all for a service that asks to come back later, before the person is told; and how
 * long one wait may be.
 */
const maxWaitMs = { all: 30_000, once: 10_000 }

/**
 * How long to wait before trying again, in milliseconds; undefined where that makes no sense. A limit (429) is looked
 * at before anything is done, a service that is too busy (503) may have begun.
 * @param waited milliseconds waited already
 * @param chance from 0 to 1, so that what was refused together does not come back together
 */
export function waitBefore(
  {
    status,
    retryAfter,
    writes,
    waited,
  }: { status: number; retryAfter: string | null; writes: boolean; waited: number },
  chance = Math.random(),
): number | undefined {
  if (status !== 429 && (status !== 503 || writes)) return undefined
  const retryAfterMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : undefined
  if (retryAfterMs === undefined || retryAfterMs > maxWaitMs.once) return undefined
  const wait = Math.max(retryAfterMs, 500) * (1 + chance / 4)
  return waited + wait > maxWaitMs.all ? undefined : wait
}

/** The name a file answer carries; the UTF-8 form wins. */
export function fileName(disposition: string | null, fallback: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (extended) {
    try {
      return decodeURIComponent(extended)
    } catch {
      return fallback
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? fallback
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

const withoutUndefined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Some refusals (the token call's) say `status` where others say `code`. */
function toEnvelope(answer: unknown): Envelope | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const given = answer as Partial<Envelope> & { status?: number }
  const code = given.code ?? given.status
  return typeof code === 'number' ? { ...given, code, msg: given.msg ?? '', data: given.data } : undefined
}

function fallbackText(status: number): string {
  if (status === 413) return '提交的内容过大'
  if (status === 414 || status === 431) return '请求的地址过长，请减少一次选择的条目或缩短查询内容后重试'
  if (status === 429) return '操作过于频繁，请稍后再试'
  if (status >= 502 && status <= 504) return '服务暂时不可用，请稍后重试'
  return '系统出现错误，操作未完成，请稍后重试'
}
