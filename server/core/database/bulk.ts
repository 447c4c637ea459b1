import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'

/**
 * Rows as a relation named `r`, sent as one parameter: `insert into t (...) select ... from ${recordset(rows, {...})}`.
 * The text of the statement does not depend on the number of rows, so it is prepared once. A few thousand rows at a
 * time are best.
 * @param columns the SQL type of each field, e.g. `{ suId: 'uuid', suiName: 'text', suiIdCard: 'bytea' }`; bytea as
 *   `\x` and hex digits
 */
export function recordset<const C extends Record<string, string>>(
  rows: readonly { readonly [K in keyof C]: unknown }[],
  columns: C,
): RawBuilder<unknown> {
  const types = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(${sql.raw(types.join(', '))})`
}

/** Slices of at most `size`, in order. Between two slices other requests get their turn. */
export async function* chunksOf<T>(all: readonly T[], size: number): AsyncGenerator<T[]> {
  for (let at = 0; at < all.length; at += size) {
    yield all.slice(at, at + size)
    await setImmediate()
  }
}
