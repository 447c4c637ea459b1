import { sql } from 'kysely'
import type { Db } from './pool.ts'

/** The tables whose rows are named by id in lists and JSON, with the column they are named by. */
const named = {
  role: 'srId',
  person: 'suId',
  department: 'sdId',
  curriculum: 'lsId',
  lessonLevel: 'llId',
  qualityLabel: 'sqlId',
} as const

interface Reader {
  db: Db
  actor: { schoolId: string }
}

/**
 * Locks rows until the end of the transaction, in one order for all. No foreign key looks after an id that stands in a
 * list or in JSON: whoever writes one down keeps the row with `share` before looking whether it is there, and whoever
 * deletes it takes it with `update` before looking who names it. Then one of two who come at once sees the other.
 */
export async function lockRows(
  { db, actor }: Reader,
  table: keyof typeof named,
  ids: readonly string[],
  strength: 'share' | 'update',
): Promise<void> {
  if (ids.length === 0) return
  const column = sql.ref(named[table])
  const type = table === 'lessonLevel' ? sql`text[]` : sql`uuid[]`
  await sql`
    select
    from ${sql.table(table)}
    where "schoolId" = ${actor.schoolId} and ${column} = any(${ids}::${type})
    order by ${column}
    for ${sql.raw(strength)}`.execute(db)
}
