import pg from 'pg'
import { acrossSchools } from './across-schools.ts'
import { tablesWithoutSchool } from './statement-lint.ts'
import { tablesOfSchools } from './tables-of-schools.ts'

type Query = (this: pg.Client, ...parts: unknown[]) => unknown

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
    const [first] = parts
    const text = typeof first === 'string' ? first : (first as { text?: unknown }).text
    if (typeof text === 'string' && !known.has(text)) look(text)
    return original.apply(this, parts)
  }
  watching.isWatched = true
  prototype.query = watching
}

function look(text: string): void {
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
  const inOneLine = text.replaceAll(/\s+/g, ' ')
  const tables = tablesWithoutSchool(text, tablesOfSchools)
  if (tables.length === 0 || acrossSchools.some(({ statement }) => inOneLine.includes(statement))) return
  faults.push(`${[...new Set(tables)].join(', ')}: ${text}\n    asked by${caller ?? ' (unknown)'}`)
}

/** What was found since the last call. */
export const statementFaults = (): string[] => faults.splice(0)
