import { anyOf } from '../../../core/database/any-of.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { visibleLessons } from '../model/lessons.queries.ts'

/**
 * What courses of the school are called, and whether the asking person may open them: for records elsewhere that name a
 * course.
 */
export async function courseNames(
  ctx: Context,
  liIds: readonly string[],
): Promise<Map<string, { liName: string; opens: boolean }>> {
  if (liIds.length === 0) return new Map()
  const { actor, db } = ctx
  const [named, open] = await Promise.all([
    from({ db, actor }, 'lesson').select(['liId', 'liName']).where(anyOf('liId', liIds)).execute(),
    actor.permits.has('lesson:list')
      ? visibleLessons({ ...ctx, scope: actor.scopeFor('lesson:list') })
          .select('lesson.liId')
          .where(anyOf('lesson.liId', liIds))
          .execute()
      : [],
  ])
  const visible = new Set(open.map(({ liId }) => liId))
  return new Map(named.map(({ liId, liName }) => [liId, { liName, opens: visible.has(liId) }]))
}
