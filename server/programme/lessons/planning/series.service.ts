import type { Checked } from '../../../../contract/core/call.ts'
import { itemCategory } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { fieldsTelling } from '../../../../contract/programme/lessons/lesson-fields.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { from } from '../../../core/database/tenant.ts'
import { insertLesson } from './lesson-save.service.ts'
import type { LessonValues } from '../form/lesson-form.ts'
import { valuesOf } from '../form/lesson-parts.service.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { moved, nameOf, partsOf } from './series.ts'

/**
 * Makes a draft the first of a series (第 1 期) and adds one numbered draft for each period, all or none. Sign-up and
 * sessions move along with the start; everything else is taken over. Each is a course of its own from then on. More may
 * be added later.
 */
export function makeSeries(ctx: Context, { liId, version, children }: Checked<typeof lessonApi.series>) {
  return inTransaction(ctx, async (tx) => {
    const lesson = await lessonFor(tx, 'series', liId)
    if (version !== undefined && version !== lesson.version) throw new Failure('stale-version')
    const { schoolId } = tx.actor
    const { base, number } = partsOf(lesson.liName)
    const first = number || 1
    const liName = number ? lesson.liName : nameOf(base, 1)
    await tx.db
      .updateTable('lesson')
      .set({ liName, itemCategory: itemCategory.seriesFirst, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    const values = await valuesOf(tx, lesson)
    let next = Math.max(first, await lastNumber(tx, liId))
    const liIds: string[] = []
    for (const { startTime, endTime } of children.toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1))) {
      // a course of one session from start to end has one again; several keep their distances and end with the activity
      const several = values.sessions.length > 1
      const sessions = several
        ? values.sessions
            .map((one) => ({
              ...one,
              startTime: moved(one.startTime, lesson.startTime, startTime),
              endTime: moved(one.endTime, lesson.startTime, startTime),
            }))
            .filter((one) => one.endTime <= endTime)
        : []
      const child = await insertLesson(
        tx,
        {
          ...values,
          ...movedAlong(values, startTime),
          liName: nameOf(base, ++next),
          startTime,
          endTime,
          sessions,
        },
        { itemCategory: itemCategory.seriesItem, parentLiId: liId, action: '生成系列课程' },
      )
      liIds.push(child.liId)
    }
    await audit(tx, {
      action: lessonApi.series.summary,
      bizType: 'lesson',
      bizId: liId,
      bizName: liName,
      before: { liName: lesson.liName },
      after: { liName, count: liIds.length },
    })
    return { affected: liIds.length, liIds }
  })
}

/** The moments of a course that belong to its date, as they are for one that starts at another time. */
const movedAlong = (values: LessonValues, startTime: string): Partial<LessonValues> =>
  Object.fromEntries(
    fieldsTelling('isTimed').flatMap(([field]) => {
      const moment = values[field]
      return typeof moment === 'string' ? [[field, moved(moment, values.startTime, startTime)]] : []
    }),
  )

/** The highest number that a course of the series bears. */
async function lastNumber(ctx: Context, liId: string): Promise<number> {
  const rows = await from(ctx, 'lesson').select('liName').where('parentLiId', '=', liId).execute()
  return Math.max(0, ...rows.map(({ liName }) => partsOf(liName).number))
}
