import { sql, type RawBuilder } from 'kysely'

/** A moment as it is read everywhere else, for JSON that the database builds: `2026-11-20 09:30:00`. */
export const wallClock = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD HH24:MI:SS')`
