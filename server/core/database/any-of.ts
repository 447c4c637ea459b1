import { sql, type RawBuilder } from 'kysely'

/**
 * The condition that a column holds one of these ids: one parameter however long the list, so that the statement's text
 * stays one. A single id has a text of its own: PostgreSQL takes a list of unknown length for ten, and to save nine of
 * them it would plan a prepared statement anew at each use, which costs more than running it.
 */
export const anyOf = (column: string, ids: readonly string[]): RawBuilder<boolean> =>
  ids.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${ids[0]}::uuid`
    : sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
