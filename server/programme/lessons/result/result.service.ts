import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { quotaUnit } from '../../../../contract/core/codes/teams.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { recordset } from '../../../core/database/bulk.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { entitlementOf } from '../../credits/rules.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { resultContent } from './result-content.queries.ts'
import { lessonTransitions } from '../model/lesson-life.ts'
import { noticeByRule } from '../approval/auto-notice.service.ts'
import { startResultApproval } from '../approval/lesson-approval.service.ts'
import { lessonFor, reachLesson, type ReachedLesson } from '../model/lessons.queries.ts'
import { actionOnLesson } from '../model/action-on-lesson.service.ts'
import { mayHaveLeftEarly, placesOf, ratedBy, ratingOf } from '../model/rating.queries.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { placesTaken } from '../model/seats.queries.ts'
import {
  auditPeople,
  withCourseQueue,
  onParticipants,
  type RegistrationRow,
} from '../registration/registration.service.ts'
import { moveCounters } from '../registration/registration-write.ts'
import { tooSeldom } from '../model/attend-rate.service.ts'
import { hasLeft, hasLeftEarly } from '../model/sign-rules.ts'
import { figure } from '../../../../contract/core/figure.ts'

type Rateable = Pick<
  RegistrationRow,
  'laId' | 'suiName' | 'suiNumber' | 'laStatus' | 'laSignStatus' | 'signOutTime' | 'laResult' | 'partakeMode'
>

/** The awards that a course may give, each with how many hold it. */
export async function lessonAwards(ctx: Context, { liId }: Checked<typeof registrationApi.loadAward>) {
  const lesson = await reachLesson(ctx, liId)
  const [{ awards }, used, base] = await Promise.all([
    ratingOf(ctx, lesson),
    holdersByAward(ctx, liId),
    awardBase(ctx, lesson),
  ])
  return awards
    .filter(({ withdrawn }) => !withdrawn)
    .map((award) => ({
      adId: award.adId,
      adName: award.adName,
      hours: fromHundredths(award.hours),
      credit: fromHundredths(award.credit),
      points: fromHundredths(award.points),
      quota: placesOf(award, base),
      used: used.get(award.adId) ?? 0,
    }))
}

/**
 * Holders of each award, of whom a team is one, without some of them.
 * @param without registrations or teams
 */
export async function holdersByAward(
  ctx: Context,
  liId: string,
  without: readonly string[] = [],
): Promise<Map<string, number>> {
  const holder = sql<string>`coalesce("teamId", "laId")`
  const rows = await from(ctx, 'registration')
    .select(['adId', sql<number>`count(distinct ${holder})::int`.as('n')])
    .where('liId', '=', liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where('adId', 'is not', null)
    .where(sql<boolean>`${holder} <> all(${without}::uuid[])`)
    .groupBy('adId')
    .execute()
  return new Map(rows.map(({ adId, n }) => [adId!, n]))
}

/** Of how many a share of the participants is taken for an award: of teams where those register, else of people. */
export const awardBase = (ctx: Context, lesson: ReachedLesson): Promise<number> =>
  isTeamCourse(lesson) ? placesTaken(ctx, { ...lesson, quotaUnit: quotaUnit.team }) : Promise.resolve(lesson.passCount)

/** Rates participants, all or none: passed, not passed, or with an award while there are places for it. */
export function setAward(
  ctx: Context,
  { laIds, laResult, adId, partakeMode }: Checked<typeof registrationApi.setAward>,
) {
  return onParticipants(ctx, 'award', laIds, async (tx, lesson, rows) => {
    const { awardName } = await rate(
      tx,
      lesson,
      rows.map((row) => ({ ...row, partakeMode: partakeMode ?? row.partakeMode })),
      laResult,
      laResult === resultStatus.awarded ? (adId ?? null) : null,
    )
    const what = {
      laResult: labelOf('result_status', laResult),
      ...(awardName ? { awardName } : {}),
      ...(partakeMode ? { partakeMode: labelOf('partake_mode', partakeMode) } : {}),
    }
    await auditPeople(tx, registrationApi.setAward.summary, lesson, rows, what)
    return { affected: rows.length }
  })
}

/**
 * Why participants cannot be rated so, by registration: whoever is to pass or win must have come, stayed, and come
 * often enough.
 */
export async function ratingFaults(
  ctx: Context,
  lesson: ReachedLesson,
  rows: readonly Rateable[],
  laResult: string,
): Promise<Map<string, Failure>> {
  const faults = new Map<string, Failure>()
  const refuse = (laId: string, fault: Failure) => faults.has(laId) || faults.set(laId, fault)
  for (const { laId, laStatus, suiName: name } of rows)
    if (laStatus !== applyStatus.accepted) refuse(laId, new Failure('not-participant', { name, act: '评定结果' }))
  if (laResult === resultStatus.failed) return faults
  for (const { laId, laSignStatus, suiName: name } of rows)
    if (!attendedStatuses.includes(laSignStatus)) refuse(laId, new Failure('unsigned-no-award', { name }))
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  for (const row of rows) {
    const name = row.suiName
    if (row.laSignStatus !== signStatus.leftEarly && !hasLeft(lesson.signOutOn, row))
      refuse(row.laId, new Failure('no-sign-out-no-award', { name }))
    if (hasLeftEarly(lesson, row, rules)) refuse(row.laId, new Failure('left-early-no-award', { name }))
  }
  const seldom = await tooSeldom(
    ctx,
    lesson,
    rows.map(({ laId }) => laId),
  )
  const rate = lesson.minAttendRate
  for (const { laId, suiName: name } of rows) {
    const few = seldom.get(laId)
    if (few) refuse(laId, new Failure('attend-rate-low', { name, n: few.came, m: few.sessions, rate }))
  }
  return faults
}

interface TeamShare {
  teamId: string | null
  teamRank: number | null
  teamSize: number | null
}

/** The team of each of these registrations, with what their share of its result goes by. */
async function teamSharesOf(ctx: Context, rows: readonly { laId: string }[]): Promise<Map<string, TeamShare>> {
  const shares = await from(ctx, 'registration')
    .select(['laId', 'teamId', 'teamRank', 'teamSize'])
    .where(
      anyOf(
        'laId',
        rows.map(({ laId }) => laId),
      ),
    )
    .execute()
  return new Map(shares.map(({ laId, ...share }) => [laId, share]))
}

/**
 * Rates participants of a locked course, all or none: by its rules, within its awards' places, and as their attendance
 * allows.
 */
export async function rate(
  ctx: Context,
  lesson: ReachedLesson,
  rows: readonly Rateable[],
  laResult: string,
  adId: string | null,
) {
  const [fault] = (await ratingFaults(ctx, lesson, rows, laResult)).values()
  if (fault) throw fault
  const rating = await ratingOf(ctx, lesson)
  const teams = isTeamCourse(lesson) ? await teamSharesOf(ctx, rows) : new Map<string, TeamShare>()
  const award = rating.awards.find((one) => one.adId === adId && !one.withdrawn)
  if (laResult === resultStatus.awarded && !award) throw new Failure('award-not-of-lesson')
  if (award) {
    const places = placesOf(award, await awardBase(ctx, lesson))
    const holders = [...new Set(rows.map(({ laId }) => teams.get(laId)?.teamId ?? laId))]
    const used = (await holdersByAward(ctx, lesson.liId, holders)).get(award.adId) ?? 0
    if (places !== null && used + holders.length > places)
      throw new Failure('award-quota-full', { award: award.adName, quota: places })
  }
  const written = rows.map(({ laId, partakeMode }) => {
    const { hours, credit, points } = entitlementOf(
      ratedBy(rating, lesson, { partakeMode, laResult, adId, ...teams.get(laId) }),
    )
    return { laId, partakeMode, laHours: hours, laCredit: credit, laPoints: points }
  })
  await sql`
    update "registration" t
    set "laResult" = ${laResult},
      "adId" = ${adId}::uuid,
      "awardName" = ${award?.adName ?? ''},
      "partakeMode" = r."partakeMode",
      "laHours" = r."laHours",
      "laCredit" = r."laCredit",
      "laPoints" = r."laPoints",
      "updateTime" = ${ctx.clock.now()}::timestamptz,
      "version" = t."version" + 1
    from
    ${recordset(written, { laId: 'uuid', partakeMode: 'text', laHours: 'int', laCredit: 'int', laPoints: 'int' })}
    where t."schoolId" = ${ctx.actor.schoolId} and t."laId" = r."laId"`.execute(ctx.db)
  await moveCounters(
    ctx,
    lesson.liId,
    rows,
    rows.map((row) => ({ ...row, laResult })),
  )
  return { awardName: award?.adName }
}

/** Admitted participants of a locked course that fit a condition, locked too. */
const participantsWhere = (
  ctx: Context,
  liId: string,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<Rateable[]> =>
  from(ctx, 'registration')
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .select(['laId', 'suiName', 'suiNumber', 'laStatus', 'laSignStatus', 'signOutTime', 'laResult', 'partakeMode'])
    .where('liId', '=', liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where(condition)
    .orderBy('laId')
    .forUpdate('registration')
    .execute()

/**
 * Rates everybody not rated yet by attendance: who was there to the end has passed; unless only those are meant, the
 * others have not.
 */
export function rateRemaining(ctx: Context, { liId, onlySigned }: Checked<typeof registrationApi.rateRemaining>) {
  return withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'award', liId)
    const open = await participantsWhere(tx, liId, sql<boolean>`"laResult" = ${sql.lit(resultStatus.unrated)}`)
    const seldom = await tooSeldom(
      tx,
      lesson,
      open.map(({ laId }) => laId),
    )
    const rules = await schoolSettings(tx, tx.actor.schoolId)
    const there = open.filter(
      (row) =>
        attendedStatuses.includes(row.laSignStatus) &&
        hasLeft(lesson.signOutOn, row) &&
        !hasLeftEarly(lesson, row, rules) &&
        !seldom.has(row.laId),
    )
    const missing = onlySigned ? [] : open.filter((row) => !there.includes(row))
    if (there.length > 0) await rate(tx, lesson, there, resultStatus.passed, null)
    if (missing.length > 0) await rate(tx, lesson, missing, resultStatus.failed, null)
    if (there.length + missing.length > 0)
      await auditPeople(tx, registrationApi.rateRemaining.summary, lesson, [...there, ...missing], {
        passed: there.length,
        failed: missing.length,
      })
    return { affected: there.length + missing.length }
  })
}

/**
 * Submits the result: everybody who was there must be rated; those who never came become absent, those who left unseen
 * have left early, and neither has passed.
 */
export const submitResult = (ctx: Context, input: Checked<typeof lessonApi.resultAudit>) =>
  actionOnLesson(ctx, 'resultAudit', lessonApi.resultAudit, input, async (tx, lesson) => {
    const { liId } = lesson
    if (lesson.passCount === 0) throw new Failure('no-participants')
    await setEarlyLeavers(tx, lesson)
    const unrated = await participantsWhere(
      tx,
      liId,
      sql<boolean>`"laResult" = ${sql.lit(resultStatus.unrated)} and "laSignStatus" = any(${attendedStatuses}::text[])`,
    )
    if (unrated.length > 0) throw new Failure('not-rated-yet', { n: unrated.length })
    const absent = await participantsWhere(
      tx,
      liId,
      sql<boolean>`"laSignStatus" in (${sql.lit(signStatus.notSigned)}, ${sql.lit(signStatus.absent)})
        and not ("laSignStatus" = ${sql.lit(signStatus.absent)} and "laResult" = ${sql.lit(resultStatus.failed)})`,
    )
    if (absent.length > 0) {
      await tx.db
        .updateTable('registration')
        .set({
          laSignStatus: signStatus.absent,
          laResult: resultStatus.failed,
          adId: null,
          awardName: '',
          laHours: 0,
          laCredit: 0,
          laPoints: 0,
          updateTime: tx.clock.now(),
          version: sql<number>`version + 1`,
        })
        .where('schoolId', '=', tx.actor.schoolId)
        .where(sql<boolean>`"laId" = any(${absent.map(({ laId }) => laId)}::uuid[])`)
        .execute()
      await moveCounters(
        tx,
        liId,
        absent,
        absent.map((row) => ({ ...row, laSignStatus: signStatus.absent, laResult: resultStatus.failed })),
      )
    }
    const { passed, awarded } = await from(tx, 'registration')
      .select([
        sql<number>`(
            count(*) filter (where "laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)}))
          )::int`.as('passed'),
        sql<number>`(count(*) filter (where "laResult" = ${sql.lit(resultStatus.awarded)}))::int`.as('awarded'),
      ])
      .where('liId', '=', liId)
      .where('laStatus', '=', applyStatus.accepted)
      .executeTakeFirstOrThrow()
    const summary = `录取 ${figure(lesson.passCount)} 人，签到 ${figure(lesson.signCount)} 人，合格 ${figure(passed)} 人，获奖 ${figure(awarded)} 人`
    const resultSummary = input.resultSummary ?? lesson.resultSummary
    const content = await resultContent(tx, liId, resultSummary)
    const liStatus = await startResultApproval(tx, lesson, { summary, content })
    const period = liStatus === lessonTransitions.resultPassed.to ? await noticeByRule(tx, lesson) : null
    return { liStatus: period ? lessonTransitions.noticedByRule.to : liStatus, resultSummary, ...period }
  })

/**
 * Whoever had to sign out and did not, or too early, has left early (docs/rules.md R11), and whoever has left early has
 * not passed, however they were rated before.
 */
async function setEarlyLeavers(ctx: Context, lesson: ReachedLesson): Promise<void> {
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const early = (await participantsWhere(ctx, lesson.liId, mayHaveLeftEarly(lesson))).filter((row) =>
    hasLeftEarly(lesson, row, rules),
  )
  if (early.length === 0) return
  await ctx.db
    .updateTable('registration')
    .set({
      laSignStatus: signStatus.leftEarly,
      laResult: resultStatus.failed,
      adId: null,
      awardName: '',
      laHours: 0,
      laCredit: 0,
      laPoints: 0,
      updateTime: ctx.clock.now(),
      version: sql<number>`version + 1`,
    })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(sql<boolean>`"laId" = any(${early.map(({ laId }) => laId)}::uuid[])`)
    .execute()
  await moveCounters(
    ctx,
    lesson.liId,
    early,
    early.map((row) => ({ ...row, laSignStatus: signStatus.leftEarly, laResult: resultStatus.failed })),
  )
}
