import type { Updateable } from 'kysely'
import type { Call } from '../../../../contract/core/call.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import type { Tables } from '../../../core/database/pool.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { lessonMoves, type LessonMove } from './lesson-life.ts'
import { lessonFor, type ReachedLesson } from './lessons.queries.ts'

interface Action {
  liId: string
  version?: number | undefined
  reason?: string | undefined
}

/**
 * One act on one course, whole: locks it, asks the table of moves, checks the version if one was sent, does the work,
 * sets the new state with what the work adds, and writes the trail.
 */
export function actionOnLesson(
  ctx: Context,
  move: LessonMove,
  call: Call,
  { liId, version, reason }: Action,
  work: (tx: Context, lesson: ReachedLesson) => Promise<Updateable<Tables['lesson']>>,
) {
  return inTransaction(ctx, async (tx) => {
    const lesson = await lessonFor(tx, move, liId)
    if (version !== undefined && version !== lesson.version) throw new Failure('stale-version')
    const { to } = lessonMoves[move]
    const set = { ...(to ? { liStatus: to as string } : {}), ...(await work(tx, lesson)) }
    await tx.db
      .updateTable('lesson')
      .set({ ...set, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('liId', '=', liId)
      .execute()
    const before = Object.fromEntries(Object.keys(set).map((field) => [field, lesson[field as keyof ReachedLesson]]))
    await audit(tx, {
      action: call.summary,
      bizType: 'lesson',
      bizId: liId,
      bizName: lesson.liName,
      before,
      after: set,
      reason: reason ?? '',
    })
    return { affected: 1 }
  })
}
