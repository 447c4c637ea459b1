import { anyOf } from '../../../core/database/any-of.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { openableLessons } from './person-lessons.queries.ts'

/**
 * What courses of the school are called, and whether the asking person may open them: for records elsewhere that name a
 * course.
 */
export async function courseNames(
  ctx: Context,
  liIds: readonly string[],
): Promise<Map<string, { liName: string; opens: boolean }>> {
  if (liIds.length === 0) return new Map()
  const [named, openable] = await Promise.all([
    from(ctx, 'lesson').select(['liId', 'liName']).where(anyOf('liId', liIds)).execute(),
    openableLessons(ctx, liIds)?.execute() ?? [],
  ])
  const open = new Set(openable.map(({ id }) => id))
  return new Map(named.map(({ liId, liName }) => [liId, { liName, opens: open.has(liId) }]))
}
