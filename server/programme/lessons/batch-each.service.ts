import { Failure } from '../../../contract/core/failure.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { visibleLessons } from './model/lessons.queries.ts'

/**
 * The same action on several courses, one after another and each by itself: what the rules refuse for one does not hold
 * up the others.
 * @returns how many it was done to, and for every other one its name and why not
 */
export async function batchEach(ctx: Context, liIds: readonly string[], act: (liId: string) => Promise<unknown>) {
  const ids = [...new Set(liIds)]
  const names = new Map(
    (await visibleLessons(ctx).select(['lesson.liId', 'liName']).where(anyOf('lesson.liId', ids)).execute()).map(
      ({ liId, liName }) => [liId, liName],
    ),
  )
  const failed: { id: string; name: string; msg: string }[] = []
  for (const liId of ids) {
    try {
      await act(liId)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failed.push({ id: liId, name: names.get(liId) ?? '（不可见的课程）', msg: error.msg })
    }
  }
  return { affected: ids.length - failed.length, failed }
}
