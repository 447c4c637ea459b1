import type { Connection } from '../core/database/connection.ts'
import { schemaDiagram } from '../core/postgres/schema-diagram.ts'
import { schemaText } from '../core/postgres/schema-text.ts'
import { tableTypes } from '../core/database/table-types.ts'

/** What `npm run schema` writes from a migrated database, and a test compares: the file, and how its text is made. */
export const schemaFiles: Record<string, (connection: Connection) => Promise<string>> = {
  'server/core/database/tables.ts': tableTypes,
  'docs/schema.sql': schemaText,
  'docs/schema.md': schemaDiagram,
}
