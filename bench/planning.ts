import type pg from 'pg'
import type { Call } from '../contract/core/call.ts'
import { signingApi } from '../contract/programme/lessons/signing.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { openDatabase, plannedByValue } from '../server/core/database/pool.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { Client } from '../server/testing/client.ts'
import { recording, type Statement } from '../server/testing/recorded-statements.ts'
import { callsToMeasure, draftName, removeDrafts } from './calls.ts'
import type { Clients } from './clients.ts'
import { median } from './load.ts'
import { literal } from './plans.ts'
import { rounded, type Part } from './report.ts'
import { admitAll, cleanUp, makeCourse, studentsSignedIn } from './student-world.ts'

/** Milliseconds of planning in one request from which on a statement is told. */
const toldFrom = 0.15
/** Executions after which PostgreSQL has decided whether one plan serves for all values. */
const settled = 8

/**
 * What requests pay for planning. A statement is prepared once a connection, but PostgreSQL keeps its plan only where
 * it estimates one for any values to be no dearer than one for those at hand; where it does not, each execution is
 * planned anew, which often takes longer than the reading. A parameter in the place of a constant that a partial index
 * asks for, an array of one id, or a day that many rows lie before leads there.
 */
export async function planning(opened: OpenServices, clients: Clients): Promise<Part> {
  const { pool, close } = openDatabase(opened.owner, { max: 2, statementTimeout: 0 })
  const part: Part = {
    title: 'Statements that are planned anew at each request',
    rows: [],
    missed: [],
    isPartial: true,
  }
  try {
    await cleanUp(pool)
    const admin = await clients('admin')
    const [first, ...others] = await studentsSignedIn(pool, 20)
    const student = new Client(admin.address, first!.token)
    const open = await makeCourse(pool, 'public', 10, '60 days')
    const now = await makeCourse(pool, 'public', 30, '5 minutes')
    await admitAll(pool, now, [first!, ...others])
    const { code } = await admin.send(signingApi.board, { liId: now })
    const asked: { name: string; client: Client; call: Call; input: object }[] = [
      ...(await callsToMeasure(opened)).map(({ name, call, inputs, unique }) => ({
        name,
        client: admin,
        call,
        input: unique ? { ...inputs[0]!, [unique]: `${draftName} ${Date.now()}` } : inputs[0]!,
      })),
      { name: 'activities', client: student, call: ownActivityApi.list, input: { current: 1, pageSize: 10 } },
      { name: 'an activity', client: student, call: ownActivityApi.detail, input: { liId: open } },
      { name: '报名', client: student, call: ownActivityApi.join, input: { liId: open } },
      { name: 'signed in', client: student, call: ownActivityApi.sign, input: { code } },
    ]
    const client = await pool.connect()
    const known = new Map<string, number>()
    try {
      for (const { name, client: who, call, input } of asked) {
        const statements = await recording(async () => void (await who.send(call, input as never)))
        let sum = 0
        if (name === process.env['BENCH_CALLS']) for (const one of statements) console.log(one.text, one.values)
        for (const statement of statements) {
          if (!/^\s*(select|with|insert|update|delete)\b/i.test(statement.text)) continue
          const ms = known.get(statement.text) ?? (await planningTime(client, statement))
          known.set(statement.text, ms)
          sum += ms
          if (ms < toldFrom) continue
          const told = statement.text.replaceAll(/\s+/g, ' ').trim().slice(0, 110)
          part.rows.push({ call: name, 'planning ms': rounded(ms), statement: told })
        }
        part.rows.push({ call: name, 'planning ms': rounded(sum), statement: `all ${statements.length}` })
      }
    } finally {
      client.release(true)
    }
  } finally {
    await removeDrafts(pool)
    await cleanUp(pool).finally(close)
  }
  return part
}

/** Milliseconds that one execution of a statement takes to plan, once PostgreSQL has decided how. */
async function planningTime(client: pg.ClientBase, { text, values }: Statement): Promise<number> {
  await client.query(`set plan_cache_mode = ${text.includes(plannedByValue) ? 'force_custom_plan' : 'auto'}`)
  await client.query(`prepare planned as ${text}`)
  const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  const times: number[] = []
  for (let run = 0; run < settled + 5; run++) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ 'Planning Time': number }] }>(
      `explain (summary, format json) execute planned${given}`,
    )
    if (run >= settled) times.push(rows[0]!['QUERY PLAN'][0]['Planning Time'])
  }
  await client.query('deallocate planned')
  return median(times)
}
