import type { Call, Input, Output } from '../../../contract/core/call.ts'
import type { FailureName } from '../../../contract/core/failure.ts'
import { whileAsking, whileBusy } from './busy.ts'
import { notify } from './notice-store.ts'
import { saveFile } from './object-address.ts'
import { isScreenOpen } from './open-screens.ts'
import { clientCredential } from './site.ts'
import { localStore } from './storage.ts'
import { ApiError, fileName, readAnswer, waitBefore, wireRequest } from './wire.ts'

/** How long an answer may take before the person is told 请求超时，请重试, in milliseconds; files may take longer. */
const timeoutMs = { data: 30_000, file: 600_000 }

export interface SendOptions {
  signal?: AbortSignal
  /** No message to the person: the caller shows what happened itself. Expired credentials are handled all the same. */
  quiet?: boolean
  /** Whether the action blocks the page while it runs; writes do by default. */
  blocks?: boolean
  /** The kind of file that is wanted, as the header `Accept` names it. */
  accept?: string
}

/**
 * Makes a call and gives its data. Every failure has been told to the person when the promise rejects with an
 * `ApiError`; callers only add what the message cannot do, such as putting faults on fields.
 */
export function send<C extends Call>(call: C, input: Input<C>, options: SendOptions = {}): Promise<Output<C>> {
  const work = guarded(call, options, () =>
    request(
      call,
      input,
      timeoutMs.data,
      options,
      async (response) => readAnswer(response.status, await json(response)) as Output<C>,
    ),
  )
  return (options.blocks ?? call.writes) ? whileBusy(work) : work
}

/** Fetches the file of a call and hands it to the browser to keep; gives the file's name. */
export function download<C extends Call>(call: C, input: Input<C>, options: SendOptions = {}): Promise<string> {
  const work = guarded(call, options, async () => {
    const { blob, name } = await file(call, input, options)
    saveFile(blob, name)
    return name
  })
  return options.blocks === false ? work : whileBusy(work)
}

/** Fetches the file of a call to be shown in place, such as an image or a PDF preview. */
export function fetchFile<C extends Call>(call: C, input: Input<C>, options: SendOptions = {}): Promise<Blob> {
  return guarded(call, options, async () => (await file(call, input, options)).blob)
}

/** Sends one file with the call's other fields. @param onProgress share sent, from 0 to 1. */
export function upload<C extends Call>(
  call: C,
  input: Input<C>,
  content: Blob,
  onProgress?: (share: number) => void,
  options: SendOptions = {},
): Promise<Output<C>> {
  return guarded(
    call,
    options,
    () => uploadOnce(call, input, content, onProgress, options.signal) as Promise<Output<C>>,
  )
}

/**
 * What happens when the credential has run out; the shell asks for the password again. Resolves true when signed in
 * anew.
 */
type Renewal = () => Promise<boolean>
let renew: Renewal | undefined
type Leave = (toldAlready: boolean) => void
let leave: Leave | undefined
/** The credential ran out before the application had told what to do then. */
let isOver = false
let renewing: Promise<boolean> | undefined

/**
 * Told by the application at start: how to ask for the password in place, and how to tell the person and take them to
 * the sign-in page when that is not possible.
 */
export function onExpired(handlers: { renew?: Renewal | undefined; leave?: Leave }): void {
  if ('renew' in handlers) renew = handlers.renew
  if (!handlers.leave) return
  leave = handlers.leave
  if (isOver) leave(false)
  isOver = false
}

/**
 * Asks for a code of the second factor where a call wants a fresh one. Resolves true when a right one has been given.
 */
type FreshCode = () => Promise<boolean>
let askCode: FreshCode | undefined
let askingCode: Promise<boolean> | undefined

/** Told by the shell: how to ask for a code over the page. */
export function onFreshCode(ask: FreshCode | undefined): void {
  askCode = ask
}

/** Refusals of whoever has something to do before anything else works. */
const holding = new Set<string | undefined>(['accept-notice-first', 'change-password-first', 'enrol-first'])
let onHold: (() => void) | undefined

/** Told by the shell: how to find out what the person has to do first, which may begin while they are at work. */
export function onHeld(look: (() => void) | undefined): void {
  onHold = look
}

let openLink: ((link: string) => void) | undefined

/** Told by the shell: how to go to an address of the console, so that a refusal can lead to what helps. */
export function onLink(go: ((link: string) => void) | undefined): void {
  openLink = go
}

/** How long a message stays that leads to what helps, in seconds: it is longer than others. */
const helpSeconds = 20

/** Tells the person what went wrong and, where they may open that screen, offers the way to what helps. */
function tell({ kind, message, help }: ApiError): void {
  const go = openLink
  const act =
    help && go && isScreenOpen(help.link)
      ? { label: help.label, run: () => go(help.link), seconds: helpSeconds }
      : undefined
  notify(kind === 'refused' ? 'warning' : 'error', message, act)
}

function codeGiven(): Promise<boolean> {
  if (!askCode) return Promise.resolve(false)
  return (askingCode ??= whileAsking(askCode()).finally(() => (askingCode = undefined)))
}

/**
 * Runs an attempt, renews the credential or asks for a fresh code once where that is wanted, and tells the person about
 * anything else.
 */
async function guarded<T>(
  call: Call,
  options: SendOptions,
  attempt: () => Promise<T>,
  done: { renewed?: true; proven?: true } = {},
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (isAbort(error) && options.signal?.aborted) throw error
    const known = asApiError(error)
    if (known.reason === 'fresh-code-needed' && !done.proven && (await codeGiven()))
      return guarded(call, options, attempt, { ...done, proven: true })
    if (holding.has(known.reason)) onHold?.()
    if (known.kind !== 'expired') {
      if (!options.quiet) tell(known)
    } else if (call.permit !== 'public' && !done.renewed && (await renewed())) {
      return guarded(call, options, attempt, { ...done, renewed: true })
    }
    throw known
  }
}

async function renewed(): Promise<boolean> {
  const ask = renew
  if (ask) {
    renewing ??= whileAsking(ask()).finally(() => (renewing = undefined))
    if (await renewing) return true
  }
  localStore.remove('accessToken')
  // whoever was asked for their password has read why
  if (leave) leave(ask !== undefined)
  else isOver = true
  return false
}

/**
 * Keys of writes that have not been answered: the same one tried again is the same request to the service, and takes
 * effect once. Only until the person has done something else: after 停用 without an answer and 启用, 停用 is a new wish,
 * and the answer to the first one would tell that it was done and leave it undone.
 */
const unanswered = new Map<string, { key: string; isUnderWay: boolean }>()

/** Once a write took effect, none that was not answered before is taken up again; those under way still may be. */
function forgetUnanswered(): void {
  for (const [print, { isUnderWay }] of unanswered) if (!isUnderWay) unanswered.delete(print)
}

/**
 * One call as it goes over the wire, under the key of its former attempt where there was one.
 * @param read takes the data out of the answer, or throws the refusal in it; whatever else it throws is no answer
 */
async function request<T>(
  call: Call,
  input: unknown,
  time: number,
  options: SendOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const wire = wireRequest(call, input)
  const isKeyed = call.writes && wire.body !== undefined && call.permit !== 'public'
  if (!isKeyed) return read(await exchange(call, wire, undefined, time, options))
  const print = `${call.path} ${JSON.stringify(wire.body)}`
  const key = unanswered.get(print)?.key ?? newKey()
  unanswered.set(print, { key, isUnderWay: true })
  try {
    const answer = await read(await exchange(call, wire, key, time, options))
    unanswered.delete(print)
    // what the console writes by itself, such as that a message was read, is nothing the person did
    if (!options.quiet) forgetUnanswered()
    return answer
  } catch (error) {
    if (error instanceof ApiError && isDecided(error)) unanswered.delete(print)
    throw error
  } finally {
    if (unanswered.has(print)) unanswered.set(print, { key, isUnderWay: false })
  }
}

/**
 * Whether an error leaves nothing open: a gateway's answer does, and so does one while the first attempt still runs.
 */
const isDecided = ({ code, reason }: ApiError): boolean =>
  ![502, 503, 504].includes(code) && reason !== ('request-running' satisfies FailureName)

/** Sends a request, and once more where the service asks to come back later. */
async function exchange(
  call: Call,
  { url, method, body }: ReturnType<typeof wireRequest>,
  key: string | undefined,
  time: number,
  { signal, accept }: SendOptions,
): Promise<Response> {
  for (let waited = 0; ;) {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), time)
    signal?.addEventListener('abort', () => stop.abort())
    let response: Response
    try {
      response = await fetch(url, {
        method,
        headers: {
          ...ownHeaders(),
          ...(accept && { accept }),
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: stop.signal,
        credentials: 'omit',
        cache: 'no-store',
      })
    } finally {
      clearTimeout(timer)
    }
    const wait = waitBefore({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      writes: call.writes,
      waited,
    })
    if (wait === undefined) return response
    await response.body?.cancel()
    await pause(wait, signal)
    waited += wait
  }
}

/** Waits, unless the answer is no longer wanted. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new DOMException('aborted', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

const file = (call: Call, input: unknown, options: SendOptions): Promise<{ blob: Blob; name: string }> =>
  request(call, input, timeoutMs.file, options, async (response) => {
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || (type.startsWith('application/json') && !response.headers.get('content-disposition'))) {
      readAnswer(response.status, await json(response))
      throw new ApiError('failed', response.status, '未取得文件，请稍后重试')
    }
    return { blob: await response.blob(), name: fileName(response.headers.get('content-disposition'), call.summary) }
  })

/** XMLHttpRequest, because fetch does not tell how much has been sent. */
function uploadOnce(
  call: Call,
  input: unknown,
  content: Blob,
  onProgress?: (share: number) => void,
  signal?: AbortSignal,
): Promise<unknown> {
  const { url, method, body } = wireRequest(call, input)
  const form = new FormData()
  for (const [key, value] of Object.entries(body ?? {}))
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  form.append('file', content)
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open(method, url)
    for (const [name, value] of Object.entries(ownHeaders())) sending.setRequestHeader(name, value)
    sending.responseType = 'json'
    sending.timeout = timeoutMs.file
    sending.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    sending.onload = () => {
      try {
        resolve(readAnswer(sending.status, sending.response))
      } catch (error) {
        reject(error as Error)
      }
    }
    sending.onerror = sending.ontimeout = () => reject(noAnswer())
    sending.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    signal?.addEventListener('abort', () => sending.abort())
    sending.send(form)
  })
}

/** Not `randomUUID`, which a page has over https only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * What every request of the console carries: who asks, and that refusals come with HTTP's own statuses and edits are
 * held to their version (decision 034).
 */
function ownHeaders(): Record<string, string> {
  const token = localStore.get<string>('accessToken')
  return {
    authorization: token ? `Bearer ${token}` : `Basic ${btoa(clientCredential)}`,
    prefer: 'handling=strict',
  }
}

/**
 * The body of an answer; undefined where it is none of ours. One broken off half-way, by leaving the page or by the
 * network, is no answer at all.
 */
const json = (response: Response): Promise<unknown> =>
  response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return undefined
    throw error
  })
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
const noAnswer = () => new ApiError('silent', 0, '请求超时，请重试')

/** Everything that is not an answer of the service (no network, a broken connection, out of time) is "no response". */
const asApiError = (error: unknown): ApiError => (error instanceof ApiError ? error : noAnswer())
