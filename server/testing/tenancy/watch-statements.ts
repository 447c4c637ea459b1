import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { acrossSchools, askingAll } from './across-schools.ts'
import { schoolsOf } from '../../core/database/statement-schools.ts'
import { tablesOfSchools } from '../../core/database/table-kinds.ts'

type Query = (this: pg.Client, ...parts: unknown[]) => unknown
interface Sent {
  text?: unknown
  values?: unknown
}

/**
 * Where each distinct statement is written with its values, a line of JSON each, for `scripts/explain-statements.ts`.
 */
const record = process.env['RECORD_STATEMENTS']

/** What stands on the way of every statement and says nothing of who wanted it. */
const onTheWay = /node_modules|node:|server\/core\/(database|request)\/|server\/testing\/(tenancy|recorded)/
/** Who may ask for anything: tests, what makes their schools, and what works on the whole database on purpose. */
const mayAskAnything =
  /\.test\.ts|server\/(testing|demo|setup|migrations)\/|server\/core\/(backup|watch|jobs|postgres|files)\/|bench\//

/** Statements that were looked at already, and what is wrong with those that are not allowed, since the last file. */
const known = new Set<string>()
const faults: string[] = []

/**
 * From now on every statement that the service sends is read, once, and must name the school whose rows it asks for;
 * `statementFaults` tells those that do not. Statements of tests, of the demo school's makers and of what handles the
 * whole database are left out, by who called.
 */
export function watchStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query & { isWatched?: true } }
  if (prototype.query.isWatched) return
  const original = prototype.query
  const watching: Query & { isWatched?: true } = function (...parts) {
    const [first, second] = parts
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : (first as Sent)
    if (typeof text === 'string' && !known.has(text)) look(text, values)
    return original.apply(this, parts)
  }
  watching.isWatched = true
  prototype.query = watching
}

function look(text: string, values: unknown): void {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  const caller = stack
    .split('\n')
    .slice(1)
    .find((line) => /\/(server|bench)\//.test(line) && !onTheWay.test(line))
  // a test may ask first what the service asks as well, so only what was read counts as known
  if (caller !== undefined && mayAskAnything.test(caller)) return
  known.add(text)
  if (!/^\s*(select|with|insert|update|delete)/i.test(text)) return
  if (record) appendFileSync(record, `${JSON.stringify({ text, values, caller: caller?.trim() })}\n`)
  const inOneLine = text.replaceAll(/\s+/g, ' ')
  if (acrossSchools.some(({ statement }) => inOneLine.includes(statement))) return
  const { untied, scattered } = schoolsOf(text, tablesOfSchools)
  if (untied.length > 0) faults.push(told('no school', untied, text, caller))
  else if (scattered.length > 0 && !askingAll.some(({ statement }) => inOneLine.includes(statement)))
    faults.push(told('a school that is not seen', scattered, text, caller))
}

const told = (what: string, tables: string[], text: string, caller = ' (unknown)') =>
  `${what} at ${[...new Set(tables)].join(', ')}: ${text}\n    asked by${caller}`

/** What was found since the last call. */
export const statementFaults = (): string[] => faults.splice(0)
