import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { v7 } from 'uuid'
import { types } from '../server/core/database/types.ts'
import type { Statement } from './record.ts'

/**
 * The least a server can be: `node:http` and `pg`. It answers `/name` by running the statements that our service sends to the
 * database for the call of that name, prepared by name like ours, and returns the rows of the last one. No sign-in, no rights, no checks.
 * Started by run.ts: `bare.ts <plan.json> <port>`.
 */
const [planFile, port] = process.argv.slice(2)
const { connection, plans, max } = JSON.parse(readFileSync(planFile!, 'utf8')) as { connection: pg.ClientConfig; plans: Record<string, { statements: Statement[]; fresh: string[] }>; max: number }
const pool = new pg.Pool({ ...connection, max, types, onConnect: async (client) => void (await client.query(`set timezone = 'Asia/Shanghai'`)) })
const nameOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 20)
const named = new Map(Object.values(plans).flatMap(({ statements }) => statements.map(({ text }) => [text, nameOf(text)] as const)))

createServer((request, response) => {
  void answer((request.url ?? '/').slice(1)).then(
    (rows) => response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify({ code: 200, msg: '操作成功', data: rows })),
    (error: Error) => response.writeHead(500).end(error.message),
  )
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'))

async function answer(name: string): Promise<unknown> {
  const { statements, fresh } = plans[name]!
  // ids that the service would have made anew are made anew here too, the same one wherever it stood
  const ids = new Map(fresh.map((id) => [id, v7()]))
  const valuesOf = (values: unknown[]) => values.map((value) => (typeof value === 'string' ? (ids.get(value) ?? value) : value))
  const run = (client: pg.Pool | pg.PoolClient, { text, values }: Statement) => client.query(values.length > 0 || text.length > 10 ? { name: named.get(text)!, text, values: valuesOf(values) } : text)
  if (!statements.some(({ text }) => text === 'begin')) {
    const results = await Promise.all(statements.map((statement) => run(pool, statement)))
    return results.map(({ rows }) => rows as unknown)
  }
  const client = await pool.connect()
  try {
    let rows: unknown
    for (const statement of statements) rows = (await run(client, statement)).rows
    return rows
  } finally {
    client.release()
  }
}
