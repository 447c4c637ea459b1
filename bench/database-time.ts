import type pg from 'pg'
import type { Statement } from '../server/testing/recorded-statements.ts'
import { median } from './load.ts'
import { literal } from './plans.ts'
import { isLong } from './prepare.ts'
import { connectionMeter } from './processor-time.ts'

type Explained = { 'QUERY PLAN': [{ 'Execution Time': number; 'Planning Time': number }] }[]

/**
 * Milliseconds the database takes for a statement, planning included: the middle one of seven runs, after enough runs
 * for it to have settled on a plan for all values, as it does for a service that has run for a while. Of a school of
 * many years it is processor time, as in `plans.ts`.
 */
export async function databaseTime(
  pool: pg.Pool,
  { text, values }: Pick<Statement, 'text' | 'values'>,
): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query(`prepare measured as ${text}`)
    const meter = await connectionMeter(client)
    const times: number[] = []
    for (let run = 0; run < 14; run++) {
      const before = meter()
      const { rows } = (await client.query(
        `explain (analyze, timing off, format json) execute measured${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`,
      )) as unknown as { rows: Explained }
      const { 'Execution Time': execution, 'Planning Time': planning } = rows[0]!['QUERY PLAN'][0]
      const onProcessor = isLong ? meter() - before : NaN
      if (run >= 7) times.push(Number.isNaN(onProcessor) ? execution + planning : onProcessor)
    }
    return median(times)
  } finally {
    await client.query('deallocate all').catch(() => {})
    client.release(true)
  }
}
