import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { provinceApi } from '../contract/outcomes/province/province.calls.ts'
import { schoolYearAt } from '../contract/outcomes/province/province-periods.ts'
import { provinceScreens } from '../contract/outcomes/province/province-tables.ts'
import { parseConfig } from '../server/core/base/config.ts'
import type { Connection } from '../server/core/database/connection.ts'
import { systemContext } from '../server/core/request/system.ts'
import { ensureSchools } from '../server/demo/ensure.ts'
import { checkEach } from '../server/outcomes/statistics/check.service.ts'
import { provinceInfo } from '../server/outcomes/province/province.service.ts'
import { openServices } from '../server/setup/open-services.ts'
import { inOrderOfReference, withoutTriggers, withOwner } from '../server/setup/school-archive/owner.ts'
import { noRateLimits } from '../server/testing/no-rate-limits.ts'
import { rounded, type Part } from './report.ts'

const students = Number(process.env['BENCH_STUDENTS'] ?? 300)
/** Schools that are looked at together, and that are compared in a night. */
const numbers = (process.env['BENCH_SCHOOLS'] ?? '20,100').split(',').map(Number)
const schoolOf = 'demo'

/** Hours of the night in which the rollups of all schools are compared with their raw rows. */
const nightHours = 4

/** Tables with rows whose keys are there once in a database, not once in a school: nothing here needs them. */
const leftOut = new Set(['job', 'session', 'resetRequest', 'trustedDevice', 'calendarFeed', 'platformReader'])
/** What must be there once in a database is told apart by the school. */
const altered: Record<string, (schoolId: string) => string> = {
  'school.schName': (schoolId) => pg.escapeLiteral(`学院 ${schoolId}`),
  'school.signInHost': () => 'null',
  'file.storeKey': (schoolId) => `"storeKey" || ${pg.escapeLiteral(`-${schoolId}`)}`,
  'transcriptIssue.serial': (schoolId) => `"serial" || ${pg.escapeLiteral(`-${schoolId}`)}`,
  'importBatch.errorId': () => 'null',
}

/** Copies the school of the demonstration until there are so many. */
const copySchools = (owner: Connection, from: number, to: number): Promise<void> =>
  withOwner(owner, async (client) => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(`
      select c.table_name "table", array_agg(c.column_name::text order by c.ordinal_position) "columns"
      from information_schema.columns c
      join pg_class k on k.oid = quote_ident(c.table_name)::regclass and k.relkind in ('r', 'p') and not k.relispartition
      where c.table_schema = 'public' and c.is_generated = 'NEVER'
      group by 1
      having bool_or(c.column_name = 'schoolId')`)
    const columnsOf = new Map(rows.filter(({ table }) => !leftOut.has(table)).map((row) => [row.table, row.columns]))
    const order = await inOrderOfReference(client, [...columnsOf.keys()])
    await withoutTriggers(client, order, async () => {
      for (let at = from; at < to; at++)
        for (const table of order) await copyTable(client, table, columnsOf.get(table)!, `bench${at}`)
    })
    await client.query('analyze')
  })

async function copyTable(client: pg.Client, table: string, columns: readonly string[], schoolId: string) {
  const name = pg.escapeIdentifier(table)
  const list = columns.map(pg.escapeIdentifier).join(', ')
  const values = columns
    .map((column) =>
      column === 'schoolId'
        ? pg.escapeLiteral(schoolId)
        : (altered[`${table}.${column}`]?.(schoolId) ?? pg.escapeIdentifier(column)),
    )
    .join(', ')
  await client
    .query(
      `insert into ${name} (${list}) overriding system value
      select ${values} from ${name} where "schoolId" = ${pg.escapeLiteral(schoolOf)}`,
    )
    .catch((error: pg.DatabaseError) => {
      throw new Error(`${table}: ${error.message}`)
    })
}

/** What it took: seconds, and of these the processor's of this process. */
async function timed(work: () => Promise<unknown>): Promise<{ seconds: number; processor: number }> {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  return { seconds: (performance.now() - begun) / 1000, processor: (user + system) / 1e6 }
}

/**
 * Many small schools in one installation of its own: what the statistics across all of them take, the first time and
 * again, and how long the comparison of every school's rollups with its raw rows takes, which has four hours a night.
 * Bars: the cost of a look grows with the number of schools and not faster, and the comparison fits its window.
 */
export async function manySchools(): Promise<Part> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-schools-'))
  chmodSync(dataDir, 0o755)
  const config = parseConfig({
    DATA_DIR: dataDir,
    DEMO_STUDENTS: String(students),
    LOG_LEVEL: 'error',
    ...noRateLimits,
  })
  const opened = await openServices(config, (text) => process.stdout.write(`${text}\n`))
  const part: Part = {
    title: `Many schools of ${students} students each in one installation (seconds; one process, nothing else asks)`,
    rows: [],
    missed: [],
  }
  try {
    const { services } = opened
    await ensureSchools(services, { doing: () => {}, say: () => {} })
    const ctx = systemContext(services, schoolOf)
    const period = schoolYearAt(services.clock.now())
    let made = 0
    const costs = new Map<number, number>()
    for (const count of numbers) {
      await copySchools(opened.owner, made, count)
      made = count
      const schoolIds = Array.from({ length: count }, (_, at) => `bench${at}`)
      let sum = 0
      for (const [screen, title] of provinceScreens) {
        const input = provinceApi.info.input.parse({ screen, ...period, schoolIds })
        const [first, again] = [
          await timed(() => provinceInfo(ctx, input)),
          await timed(() => provinceInfo(ctx, input)),
        ]
        sum += first.seconds
        part.rows.push({
          what: `全省统计 ${title}`,
          schools: count,
          'first time': rounded(first.seconds),
          'of it processor': rounded(first.processor),
          again: rounded(again.seconds),
          'ms a school': rounded((first.seconds * 1000) / count),
        })
      }
      costs.set(count, sum / count)
      const night = await timed(() => checkEach(services, schoolIds))
      part.rows.push({
        what: '每晚核对，逐校',
        schools: count,
        'first time': rounded(night.seconds),
        'of it processor': rounded(night.processor),
        again: '',
        'ms a school': rounded((night.seconds * 1000) / count),
      })
      if (night.seconds > nightHours * 3600) part.missed.push(`the nightly comparison took ${night.seconds} s`)
      part.rows.push({
        what: '内存（MB，常驻）',
        schools: count,
        'first time': Math.round(process.memoryUsage().rss / 2 ** 20),
        'of it processor': '',
        again: '',
        'ms a school': '',
      })
    }
    const [few, many] = [costs.get(numbers[0]!)!, costs.get(numbers.at(-1)!)!]
    if (many > few * 1.5)
      part.missed.push(`a school costs ${rounded(many / few)} times as much among ${numbers.at(-1)}`)
  } finally {
    await opened.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return part
}
