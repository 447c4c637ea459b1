import { Failure } from '../../../../contract/core/failure.ts'
import { audit } from '../../../core/audit/audit.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { reachLesson } from '../model/lessons.queries.ts'
import { starsFault } from './stars.ts'

/**
 * A participant (the actor) says what they thought of a course, in stars; they may change it while the time runs. The
 * trail has that they did and not how many, for those who read it ran the course.
 */
export function giveStars(ctx: Context, { liId, laStars }: { liId: string; laStars: number }) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const { endTime, liName } = await reachLesson(tx, liId)
    const row = await from(tx, 'registration')
      .select(['laId', 'laStatus', 'laSignStatus'])
      .where('liId', '=', liId)
      .where('suId', '=', suId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('not-found')
    const fault = starsFault({ ...row, endTime }, tx.clock.now(), await schoolSettings(tx, schoolId))
    if (fault) throw fault
    await tx.db
      .updateTable('registration')
      .set({ laStars })
      .where('schoolId', '=', schoolId)
      .where('laId', '=', row.laId)
      .execute()
    await audit(tx, { action: '评价活动', bizType: 'lesson', bizId: liId, bizName: liName })
    return { affected: 1 }
  })
}
