import { surplusOf } from './surplus.ts'
import { fullPath, type Call, type Input, type Output } from '../../contract/core/call.ts'
import { clientHash } from '../core/secrets/passwords.ts'

/** The whole answer to a call, for tests of refusals. */
export interface Reply<D = unknown> {
  status: number
  code: number
  msg: string
  reason?: string
  errors?: { field: string; msg: string }[]
  data: D
  headers: Headers
}

/** What a test does as one person: calls of the contract over real HTTP, with the preferences of the console. */
export class Client {
  constructor(
    readonly address: string,
    readonly token: string | undefined,
    readonly suId = '',
  ) {}

  /** Makes a call that is expected to succeed and returns its data. */
  async send<C extends Call>(call: C, input: Input<C>): Promise<Output<C>> {
    const reply = await this.ask(call, input)
    if (reply.code !== 200)
      throw new Error(
        `${call.method} ${call.path}: ${reply.status}/${reply.code} ${reply.msg} ${JSON.stringify(reply.errors ?? '')}`,
      )
    return reply.data
  }

  /** Makes a call and returns whatever was answered. The input need not be valid. */
  async ask<C extends Call>(call: C, input: unknown = {}): Promise<Reply<Output<C>>> {
    const response = await this.fetch(call, input)
    const text = await textOf(response)
    const body = (text.startsWith('{') ? JSON.parse(text) : { code: response.status, msg: text, data: null }) as Omit<
      Reply<Output<C>>,
      'status' | 'headers'
    >
    const more = body.code === 200 ? surplusOf(call, body.data) : undefined
    if (more !== undefined) throw new Error(`${call.path} answers ${more}, which its contract does not name`)
    return { ...body, status: response.status, headers: response.headers }
  }

  /** Fetches the file a call gives. */
  async download(
    call: Call,
    input: unknown = {},
    accept?: string,
  ): Promise<{ name: string; bytes: Buffer; type: string }> {
    const response = await this.fetch(call, input, accept)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || (type.startsWith('application/json') && !response.headers.has('content-disposition')))
      throw new Error(`${call.path}: ${response.status} ${await response.text()}`)
    const name = decodeURIComponent(
      /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '',
    )
    return { name, type, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  /** Sends a file to an upload call; the input's fields travel as form fields beside it. */
  async upload<C extends Call>(
    call: C,
    file: { name: string; bytes: Uint8Array },
    input: Record<string, string> = {},
  ): Promise<Reply<Output<C>>> {
    const form = new FormData()
    const inPath = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
    for (const [key, value] of Object.entries(input)) if (!inPath.has(key)) form.append(key, value)
    form.append('file', new Blob([new Uint8Array(file.bytes)]), file.name)
    const response = await fetch(this.url(call, input), { method: call.method, headers: this.headers(), body: form })
    return {
      ...((await response.json()) as Omit<Reply<Output<C>>, 'status' | 'headers'>),
      status: response.status,
      headers: response.headers,
    }
  }

  fetch(call: Call, input: unknown, accept?: string): Promise<Response> {
    const json = call.sends === 'body'
    const url = this.url(call, input, !json)
    return fetch(url, {
      method: call.method,
      headers: {
        ...this.headers(),
        ...(accept && { accept }),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(input) } : {}),
    })
  }

  private headers(): Record<string, string> {
    return { prefer: 'handling=strict', ...(this.token ? { authorization: `Bearer ${this.token}` } : {}) }
  }

  private url(call: Call, input: unknown, query = false): string {
    const fields = { ...(input as Record<string, unknown>) }
    const path = fullPath(call).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(fields[name] ?? '-')
      delete fields[name]
      return encodeURIComponent(Buffer.from(value).toString())
    })
    const search = query
      ? new URLSearchParams(
          Object.entries(fields).flatMap(([key, value]) =>
            value === undefined
              ? []
              : [[key, Array.isArray(value) ? value.join(',') : String(value)] as [string, string]],
          ),
        ).toString()
      : ''
    return this.address + path + (search && `?${search}`)
  }
}

/** The body of an answer; of a stream of events, which does not end, only what comes first. */
export async function textOf(response: Response): Promise<string> {
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return response.text()
  for await (const chunk of response.body!) return new TextDecoder().decode(chunk)
  return ''
}

/** Signs in over HTTP and returns the client of that person. */
export async function signIn(address: string, schoolId: string, username: string, password: string): Promise<Client> {
  const response = await fetch(`${address}/api/auth2/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ schoolId, username, password: clientHash(password), grant_type: 'password' }),
  })
  const body = (await response.json()) as { access_token?: string; msg: string }
  if (!body.access_token) throw new Error(`sign-in of ${username}: ${body.msg}`)
  return new Client(address, body.access_token)
}
