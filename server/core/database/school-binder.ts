import { tablesOf, tablesOfSchools } from './table-kinds.ts'

/** Texts kept; people use a few combinations of filters, and whoever tries all of them fills no memory. */
const maxTexts = 20_000

/**
 * Gives a function that writes the school, where a statement names it by a parameter, at each table whose school an
 * engine would else learn only while it runs the statement: a divided database then sends the whole statement to the
 * one machine that keeps the school, instead of asking all of them. The statement gives the same rows. Each text is
 * read once a process, by PostgreSQL's own parser, which is loaded for this alone.
 */
export async function schoolBinder(): Promise<(text: string) => string> {
  const { schoolsOf } = await import('./statement-schools.ts')
  const known = new Map<string, string>()
  return (text) => {
    const bound = known.get(text)
    if (bound !== undefined) return bound
    if (known.size >= maxTexts) known.clear()
    const own = isOfRows.test(text) ? schoolsOf(withoutSchool(text), tablesOfSchools).bound : text
    known.set(text, own)
    return own
  }
}

/**
 * What `ofWorkingSchool` asks of a local table goes to the function that Citus has for it: a statement that names a
 * table of the engine beside is planned by the engine, which knows neither recursive queries nor locks of local rows.
 */
const withoutSchool = (text: string) => text.replaceAll(askedOfLocal, 'not "is_suspended"($<school>)')
const askedOfLocal = new RegExp(
  String.raw`not exists \(\s*select\s+from "school"\s+where "school"\."schoolId" = (?<school>"(?:${tablesOf('local').join('|')})"\."schoolId")` +
    String.raw` and "school"\."suspendedTime" is not null\s*\)`,
  'g',
)

const isOfRows = /^\s*(select|with|insert|update|delete|merge)\b/i
