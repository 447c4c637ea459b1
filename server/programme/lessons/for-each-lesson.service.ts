import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { forEachItem } from '../../core/request/for-each-item.ts'
import { visibleLessons } from './model/lessons.queries.ts'

/** The same action on several courses, each by itself; a refusal stands in the answer even where only one was named. */
export async function forEachLesson(ctx: Context, liIds: readonly string[], act: (liId: string) => Promise<unknown>) {
  const ids = [...new Set(liIds)]
  const names = new Map(
    (await visibleLessons(ctx).select(['lesson.liId', 'liName']).where(anyOf('lesson.liId', ids)).execute()).map(
      ({ liId, liName }) => [liId, liName],
    ),
  )
  return forEachItem(ids, act, (liId) => names.get(liId) ?? '（不可见的课程）', { listsSingle: true })
}
