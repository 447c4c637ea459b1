import type { Checked, Output } from '../../../../contract/core/call.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths, toHundredths } from '../../../../contract/core/fields.ts'
import type { personLessonApi } from '../../../../contract/programme/lessons/person-lessons.calls.ts'
import type { Context } from '../../../core/request/context.ts'
import { inPages } from '../../../core/export/exports.ts'
import { visibleTeachers } from '../../../school/people/teachers.service.ts'
import { lessonsOfTeacher } from './person-lessons.queries.ts'

/**
 * The courses a member of staff leads or guides as one sheet, all or the chosen ones, with what they add up to. Whom
 * the asking person may not see is not there.
 */
export async function teacherSheet(
  ctx: Context,
  { userId, ids }: Checked<typeof personLessonApi.teacherSheet>,
): Promise<Output<typeof personLessonApi.teacherSheet>> {
  const teacher = await visibleTeachers(ctx)
    .select(['person.suId', 'person.suiName', 'person.suiNumber'])
    .where('person.suId', '=', userId)
    .executeTakeFirst()
  if (!teacher) throw new Failure('not-found')
  const all: Output<typeof personLessonApi.teacherSheet>['records'] = []
  for await (const page of inPages(
    (paging: Checked<typeof personLessonApi.ofTeacher>) => lessonsOfTeacher(ctx, paging),
    { suId: userId },
  ))
    all.push(...page)
  const records = ids ? all.filter(({ liId }) => ids.includes(liId)) : all
  if (ids && records.length !== ids.length) throw new Failure('not-found')
  const people = records.reduce((sum, { passCount }) => sum + passCount, 0)
  return {
    teacher,
    summary: {
      lessons: records.length,
      people,
      hours: fromHundredths(records.reduce((sum, { liHours }) => sum + (toHundredths(liHours) ?? 0), 0)),
    },
    records,
  }
}
