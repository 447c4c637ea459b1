import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, applyWay, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { teamRole } from '../../../../contract/core/codes/teams.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { registrationApi, RegistrationRow } from '../../../../contract/programme/lessons/registration.calls.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { together } from '../../../core/base/together.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { compiledByShape, compiledOnce } from '../../../core/database/compiled-once.ts'
import type { Db } from '../../../core/database/pool.ts'
import type { Context } from '../../../core/request/context.ts'
import { asPage, contains, countOf, counting, offsetOf } from '../../../core/database/paging.ts'
import { from, withinSchool, type SchoolReader } from '../../../core/database/tenant.ts'
import { sortOf } from '../../../core/database/sorting.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { activeStatuses } from '../model/admission.ts'
import { hasDrawn } from '../model/draw-seed.ts'
import { cancelFault, leaveFault } from '../registration/leaving.service.ts'
import { refusalOf, type LessonMove } from '../model/lesson-life.ts'
import { reachLesson, lessonAuthorities, loadLessonForCheck, type LessonRelations } from '../model/lessons.queries.ts'
import { placesOf, ratingOf } from '../model/rating.queries.ts'
import { workOf } from '../registration/works.service.ts'
import { awardBase, holdersByAward } from '../result/result.service.ts'

type Filters = Pick<
  Checked<typeof registrationApi.view>,
  | 'liId'
  | 'suiName'
  | 'suiNumber'
  | 'laStatus'
  | 'laSignStatus'
  | 'laResult'
  | 'collegeId'
  | 'grade'
  | 'adId'
  | 'teamId'
  | 'teamName'
  | 'hasWork'
>

const sortable = {
  applyTime: 'registration.applyTime',
  suiNumber: 'person.suiNumber',
  suiName: 'person.suiName',
  laStatus: 'registration.laStatus',
  laSignStatus: 'registration.laSignStatus',
  laResult: 'registration.laResult',
  laHours: 'registration.laHours',
  teamName: 'team.teamName',
}

/**
 * The participants of a course that fit the filters. Who may see the course may see them; call after
 * `loadLessonForCheck`. Person and team are joined from the left, so that the database leaves them out where nothing
 * asks for them: counting 20,000 then reads one index.
 */
export function participantsOf(
  ctx: SchoolReader,
  {
    liId,
    suiName,
    suiNumber,
    laStatus,
    laSignStatus,
    laResult,
    collegeId,
    grade,
    adId,
    teamId,
    teamName,
    hasWork,
  }: Filters,
) {
  let query = from(ctx, 'registration')
    .leftJoin('person', withinSchool('person.suId', 'registration.suId'))
    .leftJoin('team', withinSchool('team.teamId', 'registration.teamId'))
    .where('registration.liId', '=', liId)
  if (suiName) query = query.where(contains('person.suiName', suiName))
  if (suiNumber) query = query.where(contains('person.suiNumber', suiNumber))
  if (laStatus) query = query.where('registration.laStatus', '=', laStatus)
  if (laSignStatus) query = query.where('registration.laSignStatus', '=', laSignStatus)
  if (laResult) query = query.where('registration.laResult', '=', laResult)
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (grade) query = query.where('person.suiGrade', '=', grade)
  if (adId) query = query.where('registration.adId', '=', adId)
  if (teamId) query = query.where('registration.teamId', '=', teamId)
  if (teamName) query = query.where(contains('team.teamName', teamName))
  if (hasWork !== undefined) query = query.where('registration.workTime', hasWork ? 'is not' : 'is', null)
  return query
}

/**
 * Participants as list and export show them, by their keys and in that order. Whoever found the keys decided about
 * deleted ones.
 */
export async function participantRows({ db, actor }: Pick<Context, 'db' | 'actor'>, laIds: string[]) {
  if (laIds.length === 0) return []
  const rows = await rowsOf(db, { schoolId: actor.schoolId, laIds })
  const shown = new Map(rows.map((row) => [row.laId, row]))
  return laIds.flatMap((laId) => shown.get(laId) ?? [])
}

/** All participants, each with what list and export show of them. */
const rowsFrom = (reader: SchoolReader) =>
  from(reader, 'registration', { withDeleted: true })
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .leftJoin('team', withinSchool('team.teamId', 'registration.teamId'))
    .select([
      'laId',
      'registration.liId',
      'registration.suId',
      'suiName',
      'suiNumber',
      'suiGrade',
      'laStatus',
      'applyTime',
      'applyFrom',
      'refuseReason',
      'waitNo',
      'drawNo',
      'partakeMode',
      'laSignStatus',
      'signInTime',
      'signOutTime',
      'signMethod',
      'laResult',
      'adId',
      'awardName',
      'laHours',
      'laCredit',
      'laPoints',
      'registration.remark',
      'registration.applyAnswers',
    ])
    .select(
      sql<number>`(
          select count(*)::int
          from "sessionSign" x
          where x."schoolId" = "registration"."schoolId" and x."laId" = "registration"."laId"
        )`.as('attended'),
    )
    .select(workOf('registration').as('work'))
    .select([
      sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
      sql<string>`coalesce("schoolClass"."scClassName", '')`.as('className'),
      'registration.teamId',
      sql<string>`coalesce("team"."teamName", '')`.as('teamName'),
      sql<string | null>`case
          when "team"."teamId" is null then null
          when "team"."captainId" = "registration"."suId" then ${sql.lit(teamRole.captain)}
          else ${sql.lit(teamRole.member)}
        end`.as('teamRole'),
    ])

const rowsOf = compiledOnce((db, { schoolId, laIds }: { schoolId: string; laIds: string[] }) =>
  rowsFrom({ db, schoolId }).where(anyOf('registration.laId', laIds)),
)

type Wanted = Filters & { schoolId: string }

/**
 * A page in its order, each row with how many the filters find. What only the shown rows need is looked up for the keys
 * of the page alone, and the count stays in its narrow index.
 */
function pageRows(
  db: Db,
  { limit, offset, schoolId, ...filters }: Wanted & { limit: number; offset: number },
  { column, direction }: { column: string; direction: 'asc' | 'desc' },
) {
  const found = () => participantsOf({ db, schoolId }, filters)
  const page = found()
    .select('registration.laId as pageKey')
    .orderBy(sql.ref(column), direction)
    .orderBy('registration.laId')
    .limit(limit)
    .offset(offset)
  return rowsFrom({ db, schoolId })
    .innerJoin(page.as('page'), 'page.pageKey', 'registration.laId')
    .select(counting(found()).as('total'))
    .orderBy(sql.ref(column), direction)
    .orderBy('registration.laId')
}
const compiledPage = compiledByShape(pageRows)

/** The rows of a page, and how many there are; built anew only for words, of which the conditions are made. */
async function pageOf({ db, actor }: Context, input: Checked<typeof registrationApi.view>) {
  const order = sortOf(input, sortable)
  const { schoolId } = actor
  const { liId, suiName, suiNumber, laStatus, laSignStatus, laResult, collegeId, grade, adId, teamId, teamName } = input
  const { hasWork } = input
  const place = { limit: input.pageSize, offset: offsetOf(input) }
  // what is no value in the statement makes it another one
  const hasWords = Boolean(suiName || suiNumber || teamName || hasWork !== undefined)
  const values = { schoolId, liId, laStatus, laSignStatus, laResult, collegeId, grade, adId, teamId }
  const rows = hasWords
    ? await pageRows(db, { ...values, suiName, suiNumber, teamName, hasWork, ...place }, order).execute()
    : await compiledPage(db, { ...values, ...place }, order)
  // behind the last page no row tells it
  if (rows.length === 0 && place.offset > 0)
    return { rows, total: await countOf(participantsOf({ db, schoolId }, input)) }
  return { rows, total: rows[0]?.total ?? 0 }
}

/**
 * A page of participants, each with what the asking person may do to them now, read beside what says whether the course
 * may be seen. Whoever came with a team is admitted or refused with it, in the list of teams.
 */
export async function listParticipants(ctx: Context, input: Checked<typeof registrationApi.view>) {
  const [lesson, { rows, total }, rules] = await together(
    loadLessonForCheck(ctx, input.liId),
    pageOf(ctx, input),
    schoolSettings(ctx, ctx.actor.schoolId),
  )
  const acts = await openMoves(ctx, { ...lesson, liId: input.liId }, rules)
  const records = rows.map(({ total: _, ...row }): RegistrationRow =>
    Object.assign({}, row, {
      applyAnswers: row.applyAnswers as RegistrationRow['applyAnswers'],
      laHours: fromHundredths(row.laHours),
      laCredit: fromHundredths(row.laCredit),
      laPoints: fromHundredths(row.laPoints),
      can: acts
        .filter(({ states, move }) => states.includes(row.laStatus) && !(row.teamId !== null && move === 'admit'))
        .map(({ act }) => act),
    }),
  )
  return asPage(records, total, input)
}

/** The actions on participants that the course allows now, with the registration states each is for. */
async function openMoves(
  { db, actor, clock }: Context,
  lesson: LessonRelations & { liId: string; applyWay: string },
  rules: SchoolSettings,
) {
  const now = clock.now()
  const authority = lessonAuthorities(actor, rules)(lesson)
  const isOpen = (move: LessonMove) => !refusalOf(move, lesson, authority, now)
  const mayPass = async () => lesson.applyWay !== applyWay.draw || (await hasDrawn({ db, actor }, lesson.liId))
  const table: { act: string; move: LessonMove; states: readonly string[] }[] = [
    { act: 'pass', move: 'admit', states: isOpen('admit') && (await mayPass()) ? [applyStatus.pending] : [] },
    { act: 'refuse', move: 'admit', states: [applyStatus.pending, applyStatus.waitlisted] },
    { act: 'del', move: 'register', states: activeStatuses },
    {
      act: 'cancel',
      move: 'register',
      states:
        isOpen('register') && !cancelFault(lesson, now, rules)
          ? [applyStatus.pending, applyStatus.accepted, applyStatus.waitlisted]
          : [],
    },
    {
      act: 'leave',
      move: 'register',
      states: isOpen('register') && !leaveFault(lesson, now, rules) ? [applyStatus.accepted] : [],
    },
    { act: 'sign', move: 'sign', states: [applyStatus.accepted] },
    { act: 'award', move: 'award', states: [applyStatus.accepted] },
  ]
  return table.filter(({ move }) => isOpen(move))
}

/** How many of those that the filters find are where in a course, and how many hold each award. */
export async function countParticipants(ctx: Context, input: Checked<typeof registrationApi.counts>) {
  const { liId } = input
  const lesson = await reachLesson(ctx, liId)
  const accepted = `"registration"."laStatus" = '${applyStatus.accepted}'`
  const counted = (condition: string) => sql<number>`(count(*) filter (where ${sql.raw(condition)}))::int`
  const [counts, { awards }, holders, base] = await Promise.all([
    participantsOf(ctx, input)
      .select([
        sql<number>`count(*)::int`.as('applyTotal'),
        counted(`"registration"."laStatus" = '${applyStatus.pending}'`).as('pending'),
        counted(`"registration"."laStatus" = '${applyStatus.accepted}'`).as('passed'),
        counted(`"registration"."laStatus" = '${applyStatus.refused}'`).as('refused'),
        counted(`"registration"."laStatus" = '${applyStatus.waitlisted}'`).as('waiting'),
        counted(`"registration"."laStatus" = '${applyStatus.cancelled}'`).as('cancelled'),
        counted(`"registration"."laStatus" = '${applyStatus.onLeave}'`).as('leave'),
        counted(
          `${accepted} and "registration"."laSignStatus" in ('${signStatus.signedIn}', '${signStatus.late}', '${signStatus.signedOut}', '${signStatus.leftEarly}', '${signStatus.madeUp}')`,
        ).as('signed'),
        counted(`${accepted} and "registration"."laSignStatus" = '${signStatus.late}'`).as('late'),
        counted(`${accepted} and "registration"."laSignStatus" = '${signStatus.absent}'`).as('absent'),
        counted(`${accepted} and "registration"."laResult" = '${resultStatus.unrated}'`).as('unrated'),
        counted(`${accepted} and "registration"."laSignStatus" = '${signStatus.notSigned}'`).as('notSigned'),
        counted(`${accepted} and "registration"."workTime" is null`).as('withoutWork'),
      ])
      .executeTakeFirstOrThrow(),
    ratingOf(ctx, lesson),
    holdersByAward(ctx, liId),
    awardBase(ctx, lesson),
  ])
  const awardCounts = awards
    .filter(({ withdrawn, adId }) => !withdrawn || holders.has(adId))
    .map((award) => ({
      awardName: award.adName,
      count: holders.get(award.adId) ?? 0,
      quota: placesOf(award, base),
    }))
  return { quota: lesson.quota, ...counts, awardCounts }
}
