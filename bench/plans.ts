import pg from 'pg'
import { isLong } from './prepare.ts'
import { connectionMeter } from './processor-time.ts'
import type { Statement } from '../server/testing/recorded-statements.ts'

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}
interface Explained {
  Plan: Node
  'Execution Time': number
  'Planning Time': number
}

/**
 * What the database does for a statement: milliseconds with planning, and the rows it reads from tables. Of a school of
 * many years milliseconds of processor time, where they can be had: it is measured while others use the machine.
 */
export interface Cost {
  ms: number
  rowsRead: number
}

/** Milliseconds between which a statement is run twice, for the better one: others are clearly fast or clearly slow. */
const again = { from: 3, to: 150 }
/** Prepared statements that are kept at once; the service keeps as many a connection. */
const most = 500

/**
 * Explains statements on one connection, each text prepared once and kept, as a connection of the service keeps it: its
 * first runs are planned for their values, later ones by whatever plan PostgreSQL holds to be the cheaper.
 */
export async function openPlans(pool: pg.Pool): Promise<{
  costOf(statement: Statement): Promise<Cost>
  close(): void
}> {
  const client = await pool.connect()
  const meter = await connectionMeter(client)
  const names = new Map<string, string>()
  async function nameOf(text: string): Promise<string> {
    const known = names.get(text)
    if (known) return known
    if (names.size >= most) {
      await client.query('deallocate all')
      names.clear()
    }
    const name = `plan_${names.size}`
    await client.query(`prepare ${name} as ${text}`)
    names.set(text, name)
    return name
  }
  return {
    async costOf({ text, values }) {
      if (!/^\s*(select|with)\b/i.test(text)) return { ms: 0, rowsRead: 0 }
      const name = await nameOf(text)
      const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
      const measure = async (): Promise<Cost> => {
        const before = meter()
        const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
          `explain (analyze, timing off, format json) execute ${name}${given}`,
        )
        const [{ Plan, 'Execution Time': execution, 'Planning Time': planning }] = rows[0]!['QUERY PLAN']
        const onProcessor = isLong ? meter() - before : NaN
        return { ms: Number.isNaN(onProcessor) ? execution + planning : onProcessor, rowsRead: rowsReadBy(Plan) }
      }
      const first = await measure()
      if (first.ms < again.from || first.ms > again.to) return first
      const second = await measure()
      return second.ms < first.ms ? second : first
    },
    close: () => client.release(true),
  }
}

/** Rows that the scans below a node took from their tables, those thrown away included. */
function rowsReadBy(node: Node): number {
  const own = node['Relation Name']
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child), Math.round(own))
}

/** A parameter as the driver would send it, written into the statement. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join(',')}}`)
  return pg.escapeLiteral(String(value))
}
