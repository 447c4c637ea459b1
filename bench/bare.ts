import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { v7 } from 'uuid'
import { types } from '../server/core/database/types.ts'
import { answerUsage } from './processes.ts'
import type { Statement } from './record.ts'

/** What the bare server answers to one name: what the service did for one or several inputs, taken in turn. */
export interface Plan {
  recordings: Statement[][]
  /** Recorded values that no two requests may share: ids are made anew, other texts get a number. */
  fresh: string[]
}

export interface BarePlans {
  connection: pg.ClientConfig
  max: number
  plans: Record<string, Plan>
}

/**
 * The least a server can be: `node:http` and `pg`. It answers `/name` by running the statements that our service sends
 * to the database for the call of that name, prepared by name and side by side like ours, and gives their rows as JSON.
 * No sign-in, no rights, no checks, no log. Started by run.ts: `bare.ts <plans.json>`.
 */
const { connection, max, plans } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as BarePlans
const pool = new pg.Pool({
  ...connection,
  max,
  types,
  onConnect: async (client) => void (await client.query(`set timezone = 'Asia/Shanghai'`)),
})
const names = new Map<string, string>()
for (const { text } of Object.values(plans).flatMap((plan) => plan.recordings.flat()))
  names.set(text, createHash('sha1').update(text).digest('hex').slice(0, 20))
const server = createServer((request, response) => {
  // a body is taken in and read as the least any server must
  let body = ''
  request
    .setEncoding('utf8')
    .on('data', (part: string) => (body += part))
    .on('end', () => {
      if (body) JSON.parse(body)
      answer((request.url ?? '/').slice(1).split('?')[0]!).then(
        (rows) =>
          response
            .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
            .end(JSON.stringify({ code: 200, msg: '操作成功', data: rows })),
        (error: Error) => response.writeHead(500).end(error.message),
      )
    })
})
answerUsage()
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

let turn = 0

async function answer(name: string): Promise<unknown[]> {
  const { recordings, fresh } = plans[name]!
  const statements = recordings[turn++ % recordings.length]!
  const anew = new Map(
    fresh.map((value) => [value, /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(value) ? v7() : `${value}${process.pid}-${turn}`]),
  )
  const valuesOf = (values: unknown[]) =>
    anew.size === 0 ? values : values.map((value) => (typeof value === 'string' ? (anew.get(value) ?? value) : value))
  const run = (client: pg.Pool | pg.PoolClient, { text, values }: Statement) =>
    client.query(values.length > 0 ? { name: names.get(text)!, text, values: valuesOf(values) } : text)
  if (statements[0]?.text === 'begin') return inTransaction(statements, run)
  const answers: unknown[] = []
  for (let at = 0; at < statements.length;) {
    const together = statements.slice(at).filter(({ wave }) => wave === statements[at]!.wave)
    answers.push(
      ...(await Promise.all(together.map((statement) => run(pool, statement)))).map(({ rows }) => rows as unknown),
    )
    at += together.length
  }
  return answers
}

async function inTransaction(
  statements: Statement[],
  run: (client: pg.PoolClient, statement: Statement) => Promise<pg.QueryResult>,
): Promise<unknown[]> {
  const client = await pool.connect()
  try {
    const answers: unknown[] = []
    for (const statement of statements) answers.push((await run(client, statement)).rows)
    client.release()
    return answers
  } catch (error) {
    client.release(true)
    throw error
  }
}
