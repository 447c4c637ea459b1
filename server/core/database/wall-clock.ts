import { sql, type RawBuilder } from 'kysely'

/** A moment as it is read everywhere else, for JSON that the database builds: `2026-11-20 09:30:00`. */
export const wallClock = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD HH24:MI:SS')`

/** The same as text of SQL, for connections that keep another time zone than ours; empty where there is no moment. */
export const wallClockText = (expression: string): string =>
  `coalesce(to_char(${expression} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'), '')`
