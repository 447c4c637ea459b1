import { sql } from 'kysely'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { addDays, dayOf, dayStart } from '../../core/base/clock.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { lessonMoves } from './model/lesson-life.ts'

/** Courses archived in one statement. */
const batch = 1000

/**
 * A recurring job: archives completed courses of terms that are over, once the time for late appeals has run out too.
 * @param only one school instead of all
 * @returns how many were archived
 */
export async function archiveLessons(services: JobServices, only?: string): Promise<number> {
  const schools = only
    ? [{ schoolId: only }]
    : await services.db.selectFrom('school').select('schoolId').where('suspendedTime', 'is', null).execute()
  let archived = 0
  for (const { schoolId } of schools) {
    const ctx = systemContext(services, schoolId)
    try {
      const today = dayOf(ctx.clock.now())
      const [{ tmStart }, { questionLateDays }] = [
        await termOf(ctx, schoolId, today),
        await schoolSettings(ctx, schoolId),
      ]
      for (let count = batch; count === batch; archived += count) {
        count = await inTransaction(ctx, async (tx) => {
          const due = sql<string>`(
              select "liId"
              from "lesson"
              where "schoolId" = ${schoolId}
                and "liStatus" = ${sql.lit(lessonStatus.completed)}
                and "delFlag" = '0'
                and "startTime" < ${dayStart(tmStart)}::timestamptz
                and "completeTime" < ${dayStart(addDays(today, -questionLateDays))}::timestamptz
              order by "liId"
              limit ${batch}
              for update skip locked
            )`
          const rows = await tx.db
            .updateTable('lesson')
            .set({ liStatus: lessonMoves.archive.to, ...updatedColumns(tx), updateBy: null })
            .where('schoolId', '=', schoolId)
            .where('liId', 'in', due)
            .returning(['liId', 'liName'])
            .execute()
          await auditMany(
            tx,
            rows.map(({ liId, liName }) => ({
              action: '学期结束归档',
              bizType: 'lesson' as const,
              bizId: liId,
              bizName: liName,
              before: { liStatus: lessonStatus.completed },
              after: { liStatus: lessonMoves.archive.to },
            })),
          )
          return rows.length
        })
      }
    } catch (err) {
      ctx.log.error({ err, schoolId }, 'the courses of a school could not be archived')
    }
  }
  return archived
}
