import type { Checked } from '../../../../contract/core/call.ts'
import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { applyStatus, lessonStatus, publictyStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { noteViewer } from '../../../core/audit/notice-viewer.ts'
import type { Context } from '../../../core/request/context.ts'
import { maskedName, maskedNumber } from '../../../core/secrets/masks.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import { asPage, countOf, offsetOf } from '../../../core/database/paging.ts'
import { lastNoticeDay, publicityPeriod } from '../../../school/school/publicity-period.service.ts'
import { lessonTransitions } from '../model/lesson-life.ts'
import { reachLesson, loadLessonForCheck } from '../model/lessons.queries.ts'
import { actionOnLesson } from '../model/action-on-lesson.service.ts'
import { hasAcceptedDisputes } from '../../credits/open-disputes.queries.ts'
import { beginRound, endRound, roundsOf } from '../model/notice-rounds.service.ts'

/**
 * Puts the approved result into public notice, from the first day's 00:00:00 to the last day's 23:59:59; as long as the
 * course promised, and within what the school allows. Days that are not told are worked out as for a notice by itself.
 */
export const publicise = (ctx: Context, input: Checked<typeof lessonApi.publicty>) =>
  actionOnLesson(ctx, 'publicty', lessonApi.publicty, input, async (tx, lesson) => {
    const { schoolId } = tx.actor
    const { liPublictySdate: from = tx.clock.now(), liPublictyEdate } = input
    const promised = lesson.publictyDays
    const to = liPublictyEdate ?? (await lastNoticeDay(tx, schoolId, { from, promised }))
    const { start, end } = await publicityPeriod(tx, schoolId, { from, to, promised, field: 'liPublictySdate' })
    await beginRound(tx, lesson.liId, start, end)
    // disputes that were open when an earlier notice was revoked are so still
    const isDisputed = await hasAcceptedDisputes(tx, lesson.liId)
    return {
      liPublictySdate: start,
      liPublictyEdate: end,
      ...(isDisputed && { liStatus: lessonTransitions.questioned.to }),
    }
  })

/** Ends the public notice of a result before its time; the result can then be changed. */
export const unpublicise = (ctx: Context, input: Checked<typeof lessonApi.unpublicty>) =>
  actionOnLesson(ctx, 'unpublicty', lessonApi.unpublicty, input, async (tx, { liId }) => {
    await endRound(tx, tx.actor.schoolId, liId, {
      publictyStatus: publictyStatus.revoked,
      endName: tx.actor.suNickname,
      endReason: input.reason,
    })
    return { liPublictySdate: null, liPublictyEdate: null }
  })

/** Every time the result was put into public notice, newest first. */
export async function publictyRounds(ctx: Context, { liId }: Checked<typeof lessonApi.publictyRounds>) {
  await loadLessonForCheck(ctx, liId)
  return roundsOf(ctx, liId)
}

/**
 * Who gets what, as the public sees it, while the notice lasts: no full name, no full number; `suiNumber` finds the row
 * of a whole number. Who looked is in the trail, once a day.
 */
export async function publicList(ctx: Context, input: Checked<typeof lessonApi.publictyList>) {
  const lesson = await reachLesson(ctx, input.liId)
  if (!isOneOf(lesson.liStatus, lessonStatus.inNotice, lessonStatus.questioned)) throw new Failure('not-in-notice')
  await noteViewer(ctx, { bizType: 'lesson', bizId: lesson.liId, bizName: lesson.liName })
  let query = from(ctx, 'registration')
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .where('liId', '=', input.liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where('laResult', 'in', [resultStatus.passed, resultStatus.awarded])
  if (input.suiNumber) query = query.where('suiNumber', '=', input.suiNumber)
  const [rows, total] = await Promise.all([
    query
      .select(['suiName', 'suiNumber', 'college.scName', 'laResult', 'awardName', 'laHours'])
      .orderBy('suiNumber')
      .orderBy('laId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const shown = rows.map(({ suiName, suiNumber, scName, laResult, awardName, laHours }) => ({
    suiName: maskedName(suiName),
    suiNumber: maskedNumber(suiNumber),
    collegeName: scName ?? '',
    laResult,
    awardName,
    hours: fromHundredths(laHours),
  }))
  return asPage(shown, total, input)
}
