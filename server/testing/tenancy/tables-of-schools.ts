import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TablesOfSchools } from './statement-lint.ts'

/**
 * Small tables that every machine of a divided database would hold whole, or that stay with the one which is asked
 * first: sessions are found by their token before anybody knows the school, jobs are taken in the order of their time.
 */
const undivided = new Set(['school', 'session', 'job', 'resetRequest', 'slowStatement'])

const schema = readFileSync(join(import.meta.dirname, '../../../docs/schema.sql'), 'utf8')

/** Read from the schema as it is kept beside the papers; a test compares that with the migrated database. */
export const tablesOfSchools: TablesOfSchools = {
  divided: new Set(
    [...schema.matchAll(/^create (?:unlogged )?table "?(\w+)"? \(([^;]*)\);/gm)]
      .filter(([, name, columns]) => /^\s*"schoolId" /m.test(columns!) && !undivided.has(name!))
      .map(([, name]) => name!),
  ),
  undivided,
}
