import { sql } from 'kysely'
import { applyStatus, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { from } from '../../../core/database/tenant.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { admissionFault, candidatesFor, rangeFields, type Candidate, type LessonRange } from '../model/admission.ts'
import type { Countable } from '../model/registration-counts.ts'
import { groupsOf, seatGroups, type Seats } from '../model/seats.ts'
import { collegeQuotas, seatsOf } from '../model/seats.queries.ts'
import { notifyStudents, untold } from './registration-notify.service.ts'
import { changeRegistrations } from './registration-write.ts'

interface Waiting extends Countable {
  laId: string
  suId: string
  teamId: string | null
  suiCollegeId: string | null
  suiName: string
}

type OfLesson = LessonRange & { liId: string; liName: string }

/** How many more than there are places are read at once, for some may not be admitted. */
const spare = 50

/**
 * Fills places that have become free from the waiting list, in its order, and tells those called up; once the activity
 * has begun nobody is called up, for they would count as absent. Whoever could not register now is passed over and told
 * why; they go on waiting. The course must be locked.
 */
export async function promoteWaiting(ctx: Context, liId: string): Promise<void> {
  const now = ctx.clock.now()
  const lesson = await from(ctx, 'lesson')
    .select(['liId', 'liName', 'quota', 'quotaUnit', 'applyUnit', 'passCount', 'quotaByCollege', ...rangeFields])
    .where('liId', '=', liId)
    .where('liStatus', '=', lessonStatus.published)
    .where('startTime', '>', now)
    .executeTakeFirst()
  if (!lesson) return
  const isForTeams = isTeamCourse(lesson)
  if (!isForTeams && lesson.passCount >= lesson.quota) return
  // how many have to be read: a team or a college that does not fit is passed over
  const free = isForTeams || collegeQuotas(lesson).length > 0 ? null : lesson.quota - lesson.passCount
  const most = free === null ? null : free + spare
  const seats = await seatsOf(ctx, lesson)
  const faults = new Map<string, Failure | undefined>()
  const waiting: Waiting[] = []
  let seated: Waiting[] = []
  for (;;) {
    const page = await waitingOf(ctx, liId, most, waiting.length)
    waiting.push(...page)
    seated = await seatAdmissible(ctx, lesson, waiting, seats, faults)
    if (free === null || page.length < free + spare || seated.length >= free) break
  }
  await tellPassedOver(ctx, lesson, waiting, faults)
  if (seated.length === 0) return
  await changeRegistrations(ctx, liId, seated, { laStatus: applyStatus.accepted, waitNo: null, auditTime: now })
  await audit(ctx, {
    action: '候补转为录取',
    bizType: 'lesson',
    bizId: liId,
    bizName: lesson.liName,
    after: { people: seated.map(({ suiName }) => suiName) },
  })
  await notifyStudents(
    ctx,
    lesson,
    seated.map(({ suId }) => suId),
    'promoted',
  )
}

/** Those who wait, in their order. @param most how many, null all @param offset how many are known already */
async function waitingOf(
  { db, actor }: Context,
  liId: string,
  most: number | null,
  offset: number,
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
      select w."laId", w."suId", w."teamId", p."suiCollegeId", w."laStatus", w."laSignStatus", w."laResult", p."suiName"
      from "registration" w
      join "person" p on p."schoolId" = w."schoolId" and p."suId" = w."suId"
      where w."schoolId" = ${actor.schoolId}
        and w."liId" = ${liId}::uuid
        and w."delFlag" = '0'
        and w."laStatus" = ${sql.lit(applyStatus.waitlisted)}
      order by w."waitNo", w."laId"
      limit ${most}
      offset ${offset}`.execute(db)
  return rows
}

/**
 * Who of those waiting gets the places, none of whom the rules of registration refuse by now; a team with such a member
 * goes without. Only whoever would get a place is asked about, again and again until all of them may take it.
 * @param faults what is known of people, which grows
 */
async function seatAdmissible(
  ctx: Context,
  lesson: OfLesson,
  waiting: readonly Waiting[],
  seats: Seats,
  faults: Map<string, Failure | undefined>,
): Promise<Waiting[]> {
  for (;;) {
    const groups = groupsOf(waiting).filter((group) => group.every(({ suId }) => !faults.get(suId)))
    const { seated } = seatGroups(groups, seats)
    const asked = seated.map(({ suId }) => suId).filter((suId) => !faults.has(suId))
    if (asked.length === 0) return seated
    const rules = await schoolSettings(ctx, ctx.actor.schoolId)
    const people = await candidatesFor(ctx, lesson, { suIds: asked }, [applyStatus.accepted])
    const known = new Map(people.map((one) => [one.suId, one]))
    for (const suId of asked) faults.set(suId, faultOf(known.get(suId), lesson, ctx.clock.now(), rules))
  }
}

/** Why somebody who waits could not be admitted now; that they are on the list already is no reason. */
const faultOf = (
  student: Candidate | undefined,
  lesson: LessonRange,
  now: string,
  rules: Parameters<typeof admissionFault>[3],
): Failure | undefined =>
  student ? admissionFault({ ...student, laStatus: null }, lesson, now, rules) : new Failure('not-found')

/** The reasons of {@link admissionFault} as they are told to the student themselves. */
function reasonToSelf({ reason, values, msg }: Failure): string {
  if (reason === 'time-conflict') return `与您已录取的课程“${values['lesson']}”时间冲突`
  if (reason === 'blacklisted') return '您在暂停报名期内'
  if (reason === 'outside-range') return '您已不在报名范围内'
  if (reason === 'not-a-student') return '您目前不是在读或延期学生'
  if (reason === 'credibility-low') return `您的诚信分为 ${values['points']} 分，低于报名所需的 ${values['n']} 分`
  return msg
}

/** Tells whoever was passed over why, once for each reason; the others of a team are told who of it. */
async function tellPassedOver(
  ctx: Context,
  lesson: OfLesson,
  waiting: readonly Waiting[],
  faults: ReadonlyMap<string, Failure | undefined>,
): Promise<void> {
  const told = new Map<string, string[]>()
  const add = (why: string, suId: string) => told.set(why, [...(told.get(why) ?? []), suId])
  for (const group of groupsOf(waiting)) {
    const unfit = group.filter(({ suId }) => faults.get(suId))
    for (const { suId } of unfit) add(reasonToSelf(faults.get(suId)!), suId)
    // what is the matter with somebody is told to nobody else
    const names = unfit.map(({ suiName }) => suiName).join('、')
    if (unfit.length > 0)
      for (const { suId } of group.filter((one) => !unfit.includes(one))) add(`队员 ${names} 目前不符合报名条件`, suId)
  }
  for (const [why, suIds] of told)
    await notifyStudents(ctx, lesson, await untold(ctx, lesson, suIds, 'passedOver', why), 'passedOver', why)
}
