import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { applyStatus, lessonStatus } from '../../contract/core/codes/programme.ts'
import type { signHint } from '../../contract/core/codes/signing.ts'
import type { CodeOf } from '../../contract/core/codes/code-list.ts'
import { Failure } from '../../contract/core/failure.ts'
import { nothingVisible } from '../../contract/core/scope.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import type { managedSigningApi, ManagedPerson } from '../../contract/programme/lessons/managed-signing.calls.ts'
import { ownSigningApi } from '../../contract/student/signing.calls.ts'
import { addDays } from '../core/base/clock.ts'
import { asPage, contains, countOf, offsetOf } from '../core/database/paging.ts'
import { from, withinSchool } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { lessonMoves, refusalOf } from '../programme/lessons/model/lesson-life.ts'
import {
  lessonAuthorities,
  lessonFor,
  relationsOf,
  visibleLessons,
} from '../programme/lessons/model/lessons.queries.ts'
import { hintText } from '../programme/lessons/model/sign-hint-text.ts'
import { signParticipants } from '../programme/lessons/signing/attendance.service.ts'
import { codeOfPerson, scanPerson } from '../programme/lessons/signing/person-code.service.ts'
import { signBoard } from '../programme/lessons/signing/signing.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { withOwnRights } from './own-rights.ts'

type Input<K extends keyof typeof managedSigningApi> = Checked<(typeof managedSigningApi)[K]>
type Answer<K extends keyof typeof managedSigningApi> = Output<(typeof managedSigningApi)[K]>

/**
 * The context in which somebody looks after a sign-in: the right over attendance alone and no area, so that only what a
 * course says of them lets them in, at the times of the course. To students the right is lent for it; staff have it by
 * their roles or not at all.
 */
function asManager(ctx: Context): Context {
  const { permit } = signingApi.scan
  const { permits } = ctx.actor
  const has = permits.has(ownSigningApi.code.permit) || permits.has(permit)
  return { ...withOwnRights(ctx, ...(has ? [permit] : [])), scope: nothingVisible }
}

/** Days after its end in which a course is still shown to whoever looks after its sign-in. */
const shownDays = 3

/** The student's own code, which changes. */
export const ownSignCode = (ctx: Context): Promise<Output<typeof ownSigningApi.code>> => codeOfPerson(ctx)

/** Courses at whose sign-in somebody helps, those first that begin first, until some days after their end. */
export async function managedActivities(ctx: Context): Promise<Answer<'managed'>> {
  const manager = asManager(ctx)
  const now = ctx.clock.now()
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const rows = await visibleLessons(manager)
    .selectAll('lesson')
    .select(relationsOf(ctx.actor))
    .where('lesson.liStatus', 'in', [lessonStatus.published, lessonStatus.resultRefused])
    .where('lesson.endTime', '>', addDays(now, -shownDays))
    .orderBy('lesson.startTime')
    .orderBy('lesson.liId')
    .limit(100)
    .execute()
  const authorityOver = lessonAuthorities(manager.actor, rules)
  return rows.flatMap((row) => {
    const refusal = refusalOf('sign', row, authorityOver(row), now)
    if (refusal === 'not-permitted') return []
    const { liId, liName, placeText, startTime, endTime, passCount, signCount } = row
    const verdict = refusal
      ? new Failure(refusal, { act: lessonMoves.sign.name, signOpenMinutes: rules.signOpenMinutes }).msg
      : ''
    return [{ liId, liName, placeText, startTime, endTime, passCount, signCount, verdict }]
  })
}

/** The code of the course for this moment, to be shown to those who come. */
export const managedBoard = (ctx: Context, input: Input<'board'>): Promise<Answer<'board'>> =>
  signBoard(asManager(ctx), input)

/** The admitted participants with their standing, those first who have not come, and what was noticed of them. */
export async function managedPeople(ctx: Context, input: Input<'people'>): Promise<Answer<'people'>> {
  const { liId, search, laSignStatus } = input
  await lessonFor(asManager(ctx), 'sign', liId, { lock: false })
  let query = from(ctx, 'registration')
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .where('registration.liId', '=', liId)
    .where('registration.laStatus', '=', applyStatus.accepted)
  if (search)
    query = query.where((or) => or.or([contains('person.suiName', search), contains('person.suiNumber', search)]))
  if (laSignStatus) query = query.where('registration.laSignStatus', '=', laSignStatus)
  const [rows, total] = await Promise.all([
    query
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select(['laId', 'suiName', 'suiNumber', 'scClassName', 'laSignStatus', 'signInTime', 'signOutTime'])
      .select(
        sql<{ kind: string; amount: number }[]>`coalesce(
            (
              select json_agg(json_build_object('kind', h."kind", 'amount', h."amount") order by h."lseNo", h."kind")
              from "signHint" h
              where h."schoolId" = "registration"."schoolId" and h."laId" = "registration"."laId"
            ), '[]'
          )`.as('hints'),
      )
      .orderBy('laSignStatus')
      .orderBy('suiNumber')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ scClassName, hints, ...row }) => ({
      ...row,
      laSignStatus: row.laSignStatus as ManagedPerson['laSignStatus'],
      className: scClassName ?? '',
      hints: hints.map(({ kind, amount }) => hintText(kind as CodeOf<typeof signHint>, amount)),
    })),
    total,
    input,
  )
}

/** Signs in whoever stands before the manager, by the code on their phone or their number. */
export const managedScan = (ctx: Context, input: Input<'scan'>): Promise<Answer<'scan'>> =>
  scanPerson(asManager(ctx), input)

/** Corrects what is entered of one participant; the reason stands in the trail. */
export const managedSign = (ctx: Context, { laId, ...entry }: Input<'correct'>): Promise<Answer<'correct'>> =>
  signParticipants(asManager(ctx), { laIds: [laId], ...entry })
