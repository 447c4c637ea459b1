import { sql, type Kysely } from 'kysely'
import { access } from './first-schema/access.schema.ts'
import { approvals } from './first-schema/approvals.schema.ts'
import { audit } from './first-schema/audit.schema.ts'
import { circles } from './first-schema/circles.schema.ts'
import { credits } from './first-schema/credits.schema.ts'
import { curriculum } from './first-schema/curriculum.schema.ts'
import { files } from './first-schema/files.schema.ts'
import { functions } from './first-schema/functions.schema.ts'
import { graduation } from './first-schema/graduation.schema.ts'
import { lessons } from './first-schema/lessons.schema.ts'
import { messages } from './first-schema/messages.schema.ts'
import { organisation } from './first-schema/organisation.schema.ts'
import { people } from './first-schema/people.schema.ts'
import { results } from './first-schema/results.schema.ts'
import { school } from './first-schema/school.schema.ts'
import { statisticNotes } from './first-schema/statistic-notes.schema.ts'
import { statistics } from './first-schema/statistics.schema.ts'
import { thresholds } from './first-schema/thresholds.schema.ts'
import { transcripts } from './first-schema/transcripts.schema.ts'
import { workflow } from './first-schema/workflow.schema.ts'

/** Each part refers only to tables of the parts before it. */
const parts = [
  functions,
  school,
  organisation,
  people,
  access,
  curriculum,
  workflow,
  approvals,
  circles,
  lessons,
  results,
  credits,
  transcripts,
  graduation,
  thresholds,
  files,
  messages,
  audit,
  statistics,
  statisticNotes,
]

/**
 * The schema of the first version. A comment after a column names its dictionary (contract/core/dictionary.ts) or says
 * what the column holds; amounts are whole hundredths; a comment before an index says who uses it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of parts) await sql.raw(part).execute(db)
}
