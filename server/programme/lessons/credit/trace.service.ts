import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, resultStatus, signStatus, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { CreditTrace } from '../../../../contract/programme/lessons/credit-trace.ts'
import type { personLessonApi } from '../../../../contract/programme/lessons/person-lessons.calls.ts'
import type { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { entriesFor, type Explain } from '../../credits/rules.ts'
import { scoredLabels } from '../../../rules/labels/label-names.service.ts'
import { visibleStudents } from '../../../school/people/students.service.ts'
import { gatesOf, stepsOf } from './credit-trace.ts'
import { visibleLessons } from '../model/lessons.queries.ts'
import { tooSeldom } from '../model/attend-rate.service.ts'
import { ratedBy, ratingOf } from '../model/rating.queries.ts'

/** Why a participant has, or does not have, their credit: for those who may see the course. */
export async function participantCreditTrace(
  ctx: Context,
  { laId }: Checked<typeof registrationApi.explain>,
): Promise<CreditTrace> {
  const found = await visibleLessons(ctx)
    .innerJoin('registration', withinSchool('registration.liId', 'lesson.liId'))
    .select(['lesson.liId', 'registration.suId'])
    .where('registration.laId', '=', laId)
    .where('registration.delFlag', '=', sql.lit(yesNo.no))
    .executeTakeFirst()
  if (!found) throw new Failure('not-found')
  return traceOf(ctx, found)
}

/**
 * The same of any student and course, for those who may see the student. Courses that were never published are nobody's
 * business here.
 */
export async function studentCreditTrace(
  ctx: Context,
  { suId, liId }: Checked<typeof personLessonApi.path>,
): Promise<CreditTrace> {
  if (!(await visibleStudents(ctx).select('person.suId').where('person.suId', '=', suId).executeTakeFirst()))
    throw new Failure('not-found')
  return traceOf(ctx, { suId, liId }, [lessonStatus.draft, lessonStatus.publishInReview, lessonStatus.publishRefused])
}

async function traceOf(
  ctx: Context,
  { suId, liId }: { suId: string; liId: string },
  hidden: readonly string[] = [],
): Promise<CreditTrace> {
  const lesson = await from(ctx, 'lesson').selectAll().where('liId', '=', liId).executeTakeFirst()
  // whoever took part keeps their credit after they were deleted
  const person = await from(ctx, 'person', { withDeleted: true })
    .select(['suiName', 'suiNumber'])
    .where('suId', '=', suId)
    .executeTakeFirst()
  if (!lesson || !person || hidden.includes(lesson.liStatus)) throw new Failure('not-found')
  const row = await from(ctx, 'registration')
    .selectAll()
    .where('liId', '=', liId)
    .where('suId', '=', suId)
    .executeTakeFirst()
  const granted = await from(ctx, 'creditLedger')
    .leftJoin('qualityLabel', withinSchool('qualityLabel.sqlId', 'creditLedger.sqlId'))
    .select(['clType', 'clValue', 'explain', 'sqlName', 'grantedAt', 'creditLedger.source', 'reverseOf'])
    .where('bizId', '=', liId)
    .where('creditLedger.suId', '=', suId)
    .orderBy('grantedAt')
    .orderBy('clType')
    .orderBy('clId')
    .execute()
  const entry = (
    clType: string,
    sqlName: string | null,
    value: number,
    explain: Explain,
    grantedAt: string | null,
    corrects: boolean,
  ) => ({
    clType: labelOf('credit_type', clType) + (sqlName ? `·${sqlName}` : ''),
    value: fromHundredths(value),
    explain: explain.text,
    steps: corrects ? [] : stepsOf(explain, value),
    grantedAt,
    corrects,
  })
  const entries = granted.map(({ clType, clValue, explain, sqlName, grantedAt, source, reverseOf }) =>
    entry(clType, sqlName, clValue, explain as Explain, grantedAt, source !== 'LESSON' || reverseOf !== null),
  )
  const expected =
    entries.length === 0 &&
    row !== undefined &&
    row.laStatus === applyStatus.accepted &&
    isOneOf(row.laResult, resultStatus.passed, resultStatus.awarded)
  if (expected) {
    const labels = new Map((await scoredLabels(ctx)).map(({ sqlId, sqlName }) => [sqlId, sqlName]))
    const rated = ratedBy(await ratingOf(ctx, lesson), lesson, row)
    for (const { clType, sqlId, value, explain } of entriesFor(rated, {
      hours: row.laHours,
      credit: row.laCredit,
      points: row.laPoints,
    }))
      entries.push(entry(clType, sqlId && (labels.get(sqlId) ?? null), value, explain, null, false))
  }
  const { liStatus, endTime, signOutOn, liPublictySdate, liPublictyEdate, completeTime } = lesson
  const facts = row ?? {
    laStatus: null,
    applyTime: '',
    refuseReason: '',
    laSignStatus: signStatus.notSigned,
    signInTime: null,
    signOutTime: null,
    laResult: resultStatus.unrated,
    awardName: '',
  }
  const seldom = row && (await tooSeldom(ctx, lesson, [row.laId])).get(row.laId)
  return {
    ...person,
    liName: lesson.liName,
    expected,
    entries,
    gates: gatesOf({
      ...facts,
      seldom,
      liStatus,
      endTime,
      signOutOn,
      liPublictySdate,
      liPublictyEdate,
      completeTime,
      entries: granted.length,
      now: ctx.clock.now(),
    }),
  }
}
