import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { types } from '../server/core/database/types.ts'
import { reading, type Given, type Run } from './bare-reading.ts'
import { join } from './bare-joining.ts'
import { saveDraft } from './bare-writing.ts'
import { answerUsage } from './processes.ts'

/** What the bare server is started with. */
export interface BareStart {
  connection: pg.ClientConfig
  max: number
  /** Whose inbox it answers, and who writes. */
  user: string
}

/**
 * The least a server can be: `node:http` and `pg`, with statements written by hand from what a call must answer, on
 * copies of the tables with ordinary indexes (bare-tables.ts). It knows nothing of our statements. No sign-in, no
 * rights, no scope, no checks of input, no log. Started by throughput.ts: `bare.ts <start as JSON>`.
 */
const { connection, max, user } = JSON.parse(process.argv[2]!) as BareStart
const pool = new pg.Pool({
  ...connection,
  max,
  types,
  onConnect: async (client) =>
    void (await client.query(`set timezone = 'Asia/Shanghai'; set search_path = bare, public`)),
})
const names = new Map<string, string>()
const nameOf = (text: string): string =>
  names.get(text) ?? names.set(text, createHash('sha1').update(text).digest('hex').slice(0, 20)).get(text)!
const run: Run = (text, values = []) => pool.query({ name: nameOf(text), text, values })

const server = createServer((request, response) => {
  answer(request).then(
    (data) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify({ code: 200, msg: '操作成功', data })),
    (error: Error) => {
      process.stderr.write(`bare server, ${request.url}: ${error.message}\n`)
      response.writeHead(500).end(error.message)
    },
  )
})
answerUsage()
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

async function answer(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const path = url.pathname.replace('/api/schoolbase', '')
  const given: Record<string, string> = Object.fromEntries(url.searchParams)
  if (request.method === 'POST') Object.assign(given, JSON.parse(await bodyOf(request)) as Given)
  if (path === '/lessonsInfoSup/editSup') return inTransaction((client) => saveDraft(client, given, user))
  if (path === '/student/joinActivity') return inTransaction((client) => join(client, given['liId']!, given['suId']!))
  const asked = reading[path]
  if (asked) return asked(run, given, user)
  const [, parent, id] = /^(.*)\/([\w-]+)$/.exec(path) ?? []
  return reading[parent ?? '']!(run, { id }, user)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  request.setEncoding('utf8')
  for await (const part of request) body += part as string
  return body
}

async function inTransaction(work: (client: pg.PoolClient) => Promise<unknown>): Promise<unknown> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const done = await work(client)
    await client.query('commit')
    client.release()
    return done
  } catch (error) {
    client.release(true)
    throw error
  }
}
