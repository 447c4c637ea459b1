import { readFileSync } from 'node:fs'
import pg from 'pg'

/**
 * Tells how many of the recorded statements a Citus sends to one machine, and which ones it asks all machines for or
 * refuses. Recorded by the server tests on that Citus (docs/scaling.md); each is explained with its values and not run.
 *
 *     node --import tsx scripts/explain-statements.ts postgres://…/shared statements.jsonl
 */
const [url, file] = process.argv.slice(2)
if (!url || !file) throw new Error('usage: explain-statements.ts <database of the tests> <file of RECORD_STATEMENTS>')

interface Recorded {
  text: string
  values?: unknown[]
  caller?: string
}

const db = new pg.Client({ connectionString: url })
await db.connect()
await db.query(`set timezone = 'Asia/Shanghai'; set statement_timeout = '20s'`)
const seen = new Map<string, Recorded>()
for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const recorded = JSON.parse(line) as Recorded
  seen.set(recorded.text, recorded)
}
const counts = { one: 0, 'no divided table': 0, all: 0, refused: 0 }
for (const { text, values, caller = '' } of seen.values()) {
  const { kind, detail } = await explained(text, values ?? [])
  counts[kind]++
  if (kind === 'all' || kind === 'refused')
    process.stdout.write(`${kind}${detail}: ${text.replaceAll(/\s+/g, ' ')}\n    ${caller}\n`)
}
process.stdout.write(`${JSON.stringify(counts)}\n`)
await db.end()

async function explained(text: string, values: unknown[]): Promise<{ kind: keyof typeof counts; detail: string }> {
  await db.query('begin')
  try {
    const { rows } = await db.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
    if (tasks.some((count) => count > 1)) return { kind: 'all', detail: '' }
    return { kind: plan.includes('Citus') ? 'one' : 'no divided table', detail: '' }
  } catch (error) {
    return { kind: 'refused', detail: ` (${(error as Error).message})` }
  } finally {
    await db.query('rollback')
  }
}
