import type { Checked, Output } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyStatus, lessonStatus, signStatus } from '../../contract/core/codes/programme.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import { wholeSchool } from '../../contract/core/scope.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { questionsOf } from '../../contract/programme/lessons/apply-questions.ts'
import { isTeamCourse } from '../../contract/programme/lessons/team-fields.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import type { SchoolSettings } from '../../contract/school/school/settings.ts'
import type { Activity, ownActivityApi } from '../../contract/student/activities.calls.ts'
import { compiledOnce } from '../core/database/compiled-once.ts'
import { from } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { activeStatuses, admissionFault, candidatesFor } from '../programme/lessons/model/admission.ts'
import { reachLesson, type ReachedLesson } from '../programme/lessons/model/lessons.queries.ts'
import { seatsOf } from '../programme/lessons/model/seats.queries.ts'
import { isSignedByPlace, mayStillSign, type SessionAttendance } from '../programme/lessons/model/sign-rules.ts'
import {
  cancelFault,
  cancelRegistration,
  enterLeave,
  leaveFault,
  leavingWords,
} from '../programme/lessons/registration/leaving.service.ts'
import { registerSelf } from '../programme/lessons/registration/crowd-registration.service.ts'
import { giveStars } from '../programme/lessons/registration/stars.service.ts'
import { handInWork, workOf } from '../programme/lessons/registration/works.service.ts'
import { workFault } from '../programme/lessons/registration/works.ts'
import { starsFault, starsUntil } from '../programme/lessons/registration/stars.ts'
import { selfRegistrationFault } from '../programme/lessons/registration/self-registration.ts'
import { isTyped, readCode, readMoving } from '../programme/lessons/signing/codes.ts'
import { scanCode } from '../programme/lessons/signing/signing.service.ts'
import { busyClasses, busyText } from '../school/organisation/class-times.queries.ts'
import { examWeeksBetween } from '../school/school/plan-calendar.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { conditionsOf } from './activity-conditions.ts'
import { activityRows, asRow, openAt, rowColumns, shownToParticipants, type Student } from './activity-rows.queries.ts'

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

const oneActivity = compiledOnce((db, { liId, now, ...student }: Student & { liId: string; now: string }) =>
  activityRows(db, student)
    .select(rowColumns)
    .select(openAt(now).as('isOpen'))
    .select([
      'liStatus',
      'liIntro',
      'liPrincipalName',
      'contactName',
      'waitlistOn',
      'signOutOn',
      'applyQuestions',
      'workRequest',
    ])
    .select(['r.laId', 'r.laSignStatus', 'r.waitNo', 'r.refuseReason', 'r.laStars', 'r.applyAnswers', 'p.suiNumber'])
    .select(workOf('r').as('work'))
    .where('lesson.liId', '=', liId),
)

/** An activity that is published to the student, or that they take part in; `not-found` for any other. */
export async function activityOf({ db, actor: { schoolId, suId }, clock }: Context, liId: string) {
  const [row] = await oneActivity(db, { schoolId, suId, liId, now: clock.now() })
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
    applyQuestions,
    applyAnswers,
    ...rest
  } = row
  const [sessions, rules] = await Promise.all([sessionsOf(ctx, liId, laId), schoolSettings(ctx, ctx.actor.schoolId)])
  const conditions = await conditionsOf(ctx, lesson, rules)
  const { verdict, can: allowed } = await standing(ctx, lesson, row, sessions, rules)
  if (!starsFault(row, ctx.clock.now(), rules)) allowed.push('rate')
  if (!workFault(row, ctx.clock.now())) allowed.push('work')
  // the page of the team that they were in can still be read by graduates
  const can = ctx.actor.isGraduate ? allowed.filter((act) => act === 'team') : allowed
  return {
    ...asRow(rest),
    liIntro: row.liIntro,
    principalName: liPrincipalName,
    contactName: row.contactName,
    waitlistOn: row.waitlistOn === yesNo.yes,
    signOutOn: row.signOutOn === yesNo.yes,
    needsPlace: isSignedByPlace(lesson),
    sessions,
    questions: questionsOf(applyQuestions),
    answers: (applyAnswers ?? []) as Activity['answers'],
    laId,
    laSignStatus: laSignStatus as Activity['laSignStatus'],
    waitNo,
    refuseReason: refuseReason ?? '',
    isOpen: rest.isOpen && liStatus === lessonStatus.published,
    starsUntil: starsUntil(row, rules),
    conditions,
    leaving: leavingWords(row, rules),
    verdict,
    clashes: can.includes('join') || laId !== null ? await clashesOf(ctx, sessions.length > 0 ? sessions : [row]) : [],
    can,
  }
}

/** What else the student has at these times by the timetable of their class and the exam weeks of the school. */
async function clashesOf(ctx: Context, times: readonly { startTime: string; endTime: string }[]): Promise<string[]> {
  const { scClassId } = await from(ctx, 'person')
    .select('scClassId')
    .where('suId', '=', ctx.actor.suId)
    .executeTakeFirstOrThrow()
  const [first, last] = [times[0]!.startTime, times.at(-1)!.endTime]
  const [busy, weeks] = await Promise.all([
    scClassId ? busyClasses(ctx, times, scClassId) : [],
    examWeeksBetween(ctx, first, last),
  ])
  return [
    ...busy.map((one) => `与课表冲突：${busyText(one)}`),
    ...weeks.map(({ ewName, ewStart, ewEnd }) => `在${ewName}内（${ewStart} 至 ${ewEnd}）`),
  ]
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
  sessions: readonly SessionAttendance[],
  rules: SchoolSettings,
): Promise<Pick<Activity, 'verdict' | 'can'>> {
  const now = ctx.clock.now()
  if (laStatus !== null && activeStatuses.includes(laStatus)) {
    const isHere = laSignStatus !== null && laSignStatus !== signStatus.notSigned
    const can: Activity['can'] = []
    if (lesson.liStatus !== lessonStatus.published) return { verdict: '', can }
    if (!isHere && laStatus !== applyStatus.onLeave && !cancelFault(lesson, now, rules)) can.push('cancel')
    if (!isHere && laStatus === applyStatus.accepted && !leaveFault(lesson, now, rules)) can.push('leave')
    if (laStatus === applyStatus.accepted && mayStillSign(lesson, sessions, now, rules)) can.push('sign')
    if (isTeamCourse(lesson)) can.push('team')
    return { verdict: '', can }
  }
  if (ctx.actor.isGraduate) return { verdict: new Failure('graduate-reads-only').msg, can: [] }
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
  const { laStatus, waitNo } = await registerSelf(onActivity(ctx), liId, answers)
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

/** Tells what the student thought of an activity that they took part in. */
export async function rateActivity(ctx: Context, { liId, laStars }: Input<'rate'>) {
  await activityOf(ctx, liId)
  return giveStars(onActivity(ctx), { liId, laStars })
}

/** Keeps what the student hands in for an activity they take part in. */
export async function handIn(ctx: Context, input: Input<'handIn'>) {
  await activityOf(ctx, input.liId)
  return handInWork(onActivity(ctx), input)
}

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
