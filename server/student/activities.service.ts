import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyStatus, lessonStatus, signStatus, signType } from '../../contract/core/codes/programme.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import { wholeSchool } from '../../contract/core/scope.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { questionsOf } from '../../contract/programme/lessons/apply-questions.ts'
import { isTeamCourse } from '../../contract/programme/lessons/team-fields.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import type { Activity, ActivityRow, ownActivityApi } from '../../contract/student/activities.calls.ts'
import { asPage, countOf, offsetOf, titleContains } from '../core/database/paging.ts'
import { from, withinSchool } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { activeStatuses, admissionFault, candidatesFor, inRangeOfCourse } from '../programme/lessons/model/admission.ts'
import { reachLesson, type ReachedLesson } from '../programme/lessons/model/lessons.queries.ts'
import { seatsOf } from '../programme/lessons/model/seats.queries.ts'
import {
  cancelFault,
  cancelRegistration,
  enterLeave,
  leaveFault,
} from '../programme/lessons/registration/leaving.service.ts'
import { registerSelf } from '../programme/lessons/registration/registration.service.ts'
import { selfRegistrationFault } from '../programme/lessons/registration/self-registration.ts'
import { isTyped, readCode, readMoving } from '../programme/lessons/signing/codes.ts'
import { scanCode } from '../programme/lessons/signing/signing.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'

type Input<K extends keyof typeof ownActivityApi> = Checked<(typeof ownActivityApi)[K]>
type Answer<K extends keyof typeof ownActivityApi> = Output<(typeof ownActivityApi)[K]>

/**
 * The context in which a student acts on an activity that is published to all: with the right over participants and
 * signing alone. The services it is handed to are only ever given the student's own id and number.
 */
export const onActivity = (ctx: Context): Context => ({
  ...ctx,
  scope: wholeSchool,
  actor: {
    ...ctx.actor,
    permits: new Set([registrationApi.add.permit, signingApi.scan.permit]),
    scopeFor: () => wholeSchool,
  },
})

/** States of a course in which those who take part still look at it. */
const shownToParticipants = [
  lessonStatus.published,
  lessonStatus.resultInReview,
  lessonStatus.resultRefused,
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.completed,
] as readonly string[]

/** Courses with the student's own registration, if they have one. */
const activities = (ctx: Context) =>
  from(ctx, 'lesson')
    .innerJoin('person as p', (join) =>
      join.onRef('p.schoolId', '=', 'lesson.schoolId').on('p.suId', '=', ctx.actor.suId),
    )
    .leftJoin('registration as r', (join) =>
      join
        .onRef('r.schoolId', '=', 'lesson.schoolId')
        .onRef('r.liId', '=', 'lesson.liId')
        .on('r.suId', '=', ctx.actor.suId)
        .on('r.delFlag', '=', yesNo.no),
    )

/** What is open to registration at a moment, whoever may register. */
const openAt = (now: string) =>
  sql<boolean>`("lesson"."startTime" > ${now}::timestamptz
    and ("lesson"."applyStart" is null or "lesson"."applyStart" <= ${now}::timestamptz)
    and ("lesson"."applyEnd" is null or "lesson"."applyEnd" >= ${now}::timestamptz))`

/**
 * Published activities whose range includes the student and which are not over, those first that are open now; or those
 * that the student has registered for, the latest first.
 */
export async function listActivities(ctx: Context, input: Input<'list'>): Promise<Answer<'list'>> {
  const now = ctx.clock.now()
  let query = activities(ctx)
  if (input.liName) query = query.where(titleContains('lesson.liName', input.liName))
  if (input.mine) query = query.where('r.laId', 'is not', null).where('lesson.liStatus', 'in', [...shownToParticipants])
  else
    query = query
      .where('lesson.liStatus', '=', sql.lit(lessonStatus.published))
      .where('lesson.endTime', '>', now)
      .where(inRangeOfCourse('lesson', 'p'))
  if (input.open) query = query.where(openAt(now))
  const [rows, total] = await Promise.all([
    query
      .leftJoin('curriculum', withinSchool('curriculum.lsId', 'lesson.lsId'))
      .leftJoin('lessonLevel', (join) =>
        join.onRef('lessonLevel.schoolId', '=', 'lesson.schoolId').onRef('lessonLevel.llId', '=', 'lesson.liLevel'),
      )
      .leftJoin('college', withinSchool('college.scId', 'lesson.liCollegeId'))
      .select(rowColumns)
      .select(openAt(now).as('isOpen'))
      .orderBy(input.mine ? sql`"lesson"."startTime" desc` : sql`not ${openAt(now)}, "lesson"."startTime"`)
      .orderBy('lesson.liId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows.map(asRow), total, input)
}

const rowColumns = [
  'lesson.liId',
  'lesson.liName',
  'lsName',
  'llName',
  'scName',
  'placeText',
  'lesson.startTime',
  'lesson.endTime',
  'applyStart',
  'applyEnd',
  'liHours',
  'liCredit',
  'quota',
  'passCount',
  'applyWay',
  'r.laStatus',
] as const

type Row = {
  liId: string
  liName: string
  lsName: string | null
  llName: string | null
  scName: string | null
  placeText: string
  startTime: string
  endTime: string
  applyStart: string | null
  applyEnd: string | null
  liHours: number
  liCredit: number
  quota: number
  passCount: number
  applyWay: string
  laStatus: string | null
  isOpen: boolean
}

const asRow = ({ lsName, llName, scName, liHours, liCredit, ...row }: Row): ActivityRow => ({
  ...row,
  applyWay: row.applyWay as ActivityRow['applyWay'],
  laStatus: row.laStatus as ActivityRow['laStatus'],
  lsName: lsName ?? '',
  levelName: llName ?? '',
  collegeName: scName ?? '',
  hours: fromHundredths(liHours),
  credit: fromHundredths(liCredit),
})

/** An activity that is published to the student, or that they take part in; `not-found` for any other. */
export async function activityOf(ctx: Context, liId: string) {
  const now = ctx.clock.now()
  const row = await activities(ctx)
    .leftJoin('curriculum', withinSchool('curriculum.lsId', 'lesson.lsId'))
    .leftJoin('lessonLevel', (join) =>
      join.onRef('lessonLevel.schoolId', '=', 'lesson.schoolId').onRef('lessonLevel.llId', '=', 'lesson.liLevel'),
    )
    .leftJoin('college', withinSchool('college.scId', 'lesson.liCollegeId'))
    .select(rowColumns)
    .select(openAt(now).as('isOpen'))
    .select([
      'liStatus',
      'liIntro',
      'liPrincipalName',
      'contactName',
      'waitlistOn',
      'signOutOn',
      'signType',
      'applyQuestions',
    ])
    .select(['r.laId', 'r.laSignStatus', 'r.waitNo', 'r.refuseReason', 'r.applyAnswers', 'p.suiNumber'])
    .where('lesson.liId', '=', liId)
    .executeTakeFirst()
  const isShown =
    row &&
    (row.liStatus === lessonStatus.published || (row.laId !== null && shownToParticipants.includes(row.liStatus)))
  if (!isShown) throw new Failure('not-found')
  return row
}

/** One activity: what it is, how the student stands to it, and what they can do now or why not. */
export async function activityDetail(ctx: Context, { liId }: Input<'detail'>): Promise<Activity> {
  const row = await activityOf(ctx, liId)
  const lesson = await reachLesson(onActivity(ctx), liId)
  const {
    laId,
    laSignStatus,
    waitNo,
    refuseReason,
    liPrincipalName,
    suiNumber: _,
    liStatus,
    signType: ways,
    applyQuestions,
    applyAnswers,
    ...rest
  } = row
  const [sessions, { verdict, can }] = await Promise.all([sessionsOf(ctx, liId, laId), standing(ctx, lesson, row)])
  return {
    ...asRow(rest),
    liIntro: row.liIntro,
    principalName: liPrincipalName,
    contactName: row.contactName,
    waitlistOn: row.waitlistOn === yesNo.yes,
    signOutOn: row.signOutOn === yesNo.yes,
    needsPlace: ways.includes(signType.location),
    sessions,
    questions: questionsOf(applyQuestions),
    answers: (applyAnswers ?? []) as Activity['answers'],
    laId,
    laSignStatus: laSignStatus as Activity['laSignStatus'],
    waitNo,
    refuseReason: refuseReason ?? '',
    isOpen: rest.isOpen && liStatus === lessonStatus.published,
    verdict,
    can,
  }
}

const sessionsOf = (ctx: Context, liId: string, laId: string | null) =>
  from(ctx, 'lessonSession')
    .leftJoin('sessionSign as x', (join) =>
      join
        .onRef('x.schoolId', '=', 'lessonSession.schoolId')
        .onRef('x.lseNo', '=', 'lessonSession.lseNo')
        .on('x.laId', '=', laId),
    )
    .select(['lessonSession.lseNo', 'startTime', 'endTime', 'placeText', 'x.signInTime', 'x.signOutTime'])
    .where('lessonSession.liId', '=', liId)
    .orderBy('lessonSession.lseNo')
    .execute()

/** What the student can do about an activity now; where they cannot register, why not. */
async function standing(
  ctx: Context,
  lesson: ReachedLesson,
  { laStatus, laSignStatus }: { laStatus: string | null; laSignStatus: string | null },
): Promise<Pick<Activity, 'verdict' | 'can'>> {
  const now = ctx.clock.now()
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  if (laStatus !== null && activeStatuses.includes(laStatus)) {
    const isHere = laSignStatus !== null && laSignStatus !== signStatus.notSigned
    const can: Activity['can'] = []
    if (lesson.liStatus !== lessonStatus.published) return { verdict: '', can }
    if (!isHere && laStatus !== applyStatus.onLeave && !cancelFault(lesson, now, rules)) can.push('cancel')
    if (!isHere && laStatus === applyStatus.accepted && !leaveFault(lesson, now, rules)) can.push('leave')
    if (laStatus === applyStatus.accepted) can.push('sign')
    if (isTeamCourse(lesson)) can.push('team')
    return { verdict: '', can }
  }
  // a team may form although nobody of it is registered yet; its page tells what is in the way
  if (isTeamCourse(lesson) && lesson.liStatus === lessonStatus.published) return { verdict: '', can: ['team'] }
  const [candidate] = await candidatesFor(ctx, lesson, { suIds: [ctx.actor.suId] })
  const fault =
    selfRegistrationFault(lesson, now) ??
    (candidate ? admissionFault(candidate, lesson, now, rules) : new Failure('not-found'))
  if (fault) return { verdict: fault.msg, can: [] }
  const { free } = await seatsOf(ctx, lesson)
  const isFull = free <= 0 && lesson.waitlistOn !== yesNo.yes
  return isFull ? { verdict: new Failure('quota-full').msg, can: [] } : { verdict: '', can: ['join'] }
}

/** Registers the student: admitted, waiting for a decision or on the waiting list, as the activity says. */
export async function joinActivity(ctx: Context, { liId, answers }: Input<'join'>): Promise<Answer<'join'>> {
  await activityOf(ctx, liId)
  await registerSelf(onActivity(ctx), liId, answers)
  const { laStatus, waitNo } = await activityOf(ctx, liId)
  return { laStatus: laStatus as Answer<'join'>['laStatus'], waitNo }
}

/** The student's own registration; `not-found` where there is none. */
async function ownRegistration(ctx: Context, liId: string): Promise<string> {
  const { laId } = await activityOf(ctx, liId)
  if (laId === null) throw new Failure('not-found')
  return laId
}

/** Takes the student's registration back, within the time that the school allows. */
export const cancelActivity = async (ctx: Context, { liId }: Input<'cancel'>) =>
  cancelRegistration(onActivity(ctx), { laId: await ownRegistration(ctx, liId) })

/** Excuses the student before the activity begins. */
export const leaveActivity = async (ctx: Context, { liId, reason }: Input<'leave'>) =>
  enterLeave(onActivity(ctx), { laId: await ownRegistration(ctx, liId), reason })

/** Signs the student in or out by a code that they scanned or typed, and tells at once whether it counted. */
export async function signActivity(
  ctx: Context,
  { code, liId, scannedAt, device, ...place }: Input<'sign'>,
): Promise<Answer<'sign'>> {
  const claimed = isTyped(code) ? liId : ((readMoving(code) ?? readCode(code))?.liId ?? undefined)
  if (!claimed)
    throw isTyped(code) ? invalidInput([{ field: 'liId', msg: '请先打开要签到的活动' }]) : new Failure('code-wrong')
  const { suiNumber, liName } = await activityOf(ctx, claimed)
  const { direction, laSignStatus, time } = await scanCode(
    onActivity(ctx),
    { ...place, liId: claimed, code, suiNumber },
    { scannedAt, device },
  )
  const text = `${direction === 'in' ? '签到' : '签退'}成功，${labelOf('sign_status', laSignStatus)}，${time.slice(11, 16)}`
  return { liId: claimed, liName, text }
}
