import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'
import { openableLessons } from '../../programme/lessons/lists/person-lessons.queries.ts'
import { openableSupplements } from '../../programme/supplements/supplements.queries.ts'

/** Entries with whether the asking person may open the course or supplement record that each is for: one statement. */
export async function withOpens<R extends { liId: string | null; lisId: string | null }>(
  ctx: Context,
  rows: readonly R[],
): Promise<(R & { opens: boolean })[]> {
  const idsOf = (name: 'liId' | 'lisId') => [...new Set(rows.flatMap((row) => row[name] ?? []))]
  const parts = [openableLessons(ctx, idsOf('liId')), openableSupplements(ctx, idsOf('lisId'))].filter(
    (query) => query !== undefined,
  )
  const openable =
    rows.length > 0 && parts.length > 0
      ? (await sql<{ id: string }>`${sql.join(parts, sql` union all `)}`.execute(ctx.db)).rows
      : []
  const open = new Set(openable.map(({ id }) => id))
  return rows.map((row) => ({ ...row, opens: open.has(row.liId ?? row.lisId ?? '') }))
}
