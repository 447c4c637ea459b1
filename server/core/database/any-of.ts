import { sql, type RawBuilder } from 'kysely'

/**
 * The condition that a column holds one of these ids: one parameter however long the list, so that the statement's text
 * stays one.
 */
export const anyOf = (column: string, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
