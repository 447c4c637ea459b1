import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A client written from the specification alone: it knows paths, fields and the four rows of the error catalogue, and
 * nothing of this repository's contract. What it is told with any status but 200 it cannot show to anybody.
 */

/** One line of the list of calls: how it is named there, and the fields that the specification gives it. */
export interface SpecifiedCall {
  name: string
  method: string
  path: string
  fields: string[]
}

/** Every call of the specification, in its order. */
export const specifiedCalls: SpecifiedCall[] = readFileSync(
  join(import.meta.dirname, '../testing/spec-calls.txt'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', fields = ''] = line.split(' | ')
    const [method = '', path = ''] = name.split(' ')
    return { name, method, path, fields: fields === '' ? [] : fields.split(', ') }
  })

export type Fields = Record<string, unknown>

/** What came back. `bytes` of a file, else the envelope's parts. */
export interface Answer {
  status: number
  code: number
  msg: string
  reason: string | undefined
  /** What is wrong with which field. */
  errors: { field: string; msg: string }[] | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- this client has no types for what it reads
  data: any
  bytes: Buffer | undefined
}

const bases: Record<string, string> = { 'S:': '/api/schoolbase', 'P:': '/api/platformbase' }

export class SpecClient {
  /** Paths of all that was called, to see at the end that nothing was left out. */
  readonly called = new Set<string>()

  constructor(
    readonly address: string,
    readonly token?: string,
  ) {}

  /** Signs in as the specification says: all in the query, the password as a hash in hexadecimal. */
  static async signIn(address: string, schoolId: string, username: string, password: string): Promise<SpecClient> {
    const hash = createHash('sha256').update(password).digest('hex')
    const query = new URLSearchParams({ schoolId, username, password: hash, grant_type: 'password', _t: seconds() })
    const response = await fetch(`${address}/api/auth2/oauth/token?${query.toString()}`, {
      method: 'POST',
      headers: { authorization: fixedCredential },
    })
    const body = (await response.json()) as { access_token: string }
    return new SpecClient(address, body.access_token)
  }

  /**
   * Makes a call, `POST S:/newsType/add`: path parameters filled from the fields, the rest in the query of a GET and in
   * the JSON body otherwise.
   */
  async ask(name: string, fields: Fields = {}): Promise<Answer> {
    const [method = '', short = ''] = name.split(' ')
    const pattern = short.replace(/^[SP]:/, (base) => bases[base]!)
    this.called.add(`${method} ${pattern}`)
    const rest = { ...fields }
    const path = pattern.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = String(rest[field])
      delete rest[field]
      return encodeURIComponent(value)
    })
    const query = new URLSearchParams({ _t: seconds() })
    if (method === 'GET') for (const [field, value] of Object.entries(rest)) query.set(field, String(value))
    const response = await fetch(`${this.address}${path}?${query.toString()}`, {
      method,
      headers: {
        authorization: this.token ? `Bearer ${this.token}` : fixedCredential,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify({ ...rest, _t: Number(seconds()) }) }),
    })
    return read(response)
  }

  /** Makes a call that has to work, and gives its data (or the file). */
  async ok(name: string, fields: Fields = {}): Promise<Answer['data']> {
    const answer = await this.ask(name, fields)
    if (answer.status !== 200 || answer.code !== 200)
      throw new Error(`${name} ${JSON.stringify(fields)}: ${answer.status}/${answer.code} ${answer.msg}`)
    return answer.bytes ?? answer.data
  }

  /** Sends a file to an import call. */
  async upload(kind: string, bytes: Uint8Array, name = 'rows.csv', fields: Record<string, string> = {}) {
    this.called.add('POST /api/schoolbase/import/{kind}')
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
    return read(
      await fetch(`${this.address}/api/schoolbase/import/${kind}?_t=${seconds()}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.token ?? ''}` },
        body: form,
      }),
    )
  }
}

const fixedCredential = `Basic ${Buffer.from('console:console').toString('base64')}`
const seconds = () => String(Math.floor(Date.now() / 1000))

async function read(response: Response): Promise<Answer> {
  const { status } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.headers.get('content-disposition'))
    return { status, code: status, msg: '', reason: undefined, errors: undefined, data: undefined, bytes }
  const body = JSON.parse(bytes.toString()) as Partial<Omit<Answer, 'status' | 'bytes'>>
  return {
    status,
    code: body.code ?? status,
    msg: body.msg ?? '',
    reason: body.reason,
    errors: body.errors,
    data: body.data,
    bytes: undefined,
  }
}
