import { hasRange, rangeFields } from '../model/admission.ts'
import { sql } from 'kysely'
import type { Output } from '../../../../contract/core/call.ts'
import { applyStatus, approvalStatus, lessonStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { lessonCaseApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { changesOf, ownTask } from '../../approvals/flows.service.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { routes } from '../../../core/request/routes.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { hintsFor } from '../approval/review-hints.ts'
import { leadOf } from '../approval/lead-time.ts'
import { planFacts } from '../model/plan-risks.queries.ts'
import { planRisks } from '../model/plan-risks.ts'
import { lessonDetails } from './lesson-detail.queries.ts'

type Case = Output<typeof lessonCaseApi.lessonResult>

/**
 * A course as a reviewer sees it: the whole course, its results in sum, what to look at twice, and how its initiator
 * has done before.
 */
async function lessonCase(ctx: Context, { liId }: { liId: string }): Promise<Case> {
  const lesson = await lessonDetails(ctx, { liId })
  const [results, history, facts, task] = await Promise.all([
    resultsOf(ctx, liId),
    historyOf(ctx, lesson.liPrincipalId),
    hintFacts(ctx, lesson),
    ownTask(ctx, liId),
  ])
  const submitted = lesson.flows[0]?.startTime
  const [rules, leadDays] = await Promise.all([
    schoolSettings(ctx, ctx.actor.schoolId),
    submitted ? leadOf(ctx, submitted, lesson.startTime) : null,
  ])
  // as it stood when the approval was started; without a task of one's own, as it stands now
  const differences = task
    ? await changesOf(ctx, task.insId)
    : (lesson.change?.differences ?? []).map((one) => ({ ...one, since: 'approved' as const }))
  return {
    lesson,
    hints: [
      ...hintsFor(lesson, { ...facts, leadDays, now: ctx.clock.now() }, rules),
      ...(await planHints(ctx, lesson)),
    ],
    differences,
    results,
    history,
    task,
  }
}

async function resultsOf({ db, actor }: Context, liId: string): Promise<Case['results']> {
  const { rows } = await sql<{ awardName: string; count: number; hours: number; credit: number }>`
      select case
        when "laResult" = ${sql.lit(resultStatus.awarded)} then "awardName"
        when "laResult" = ${sql.lit(resultStatus.passed)} then '合格'
        when "laResult" = ${sql.lit(resultStatus.failed)} then '不合格'
        else '未评定'
      end "awardName",
        count(*)::int "count",
        coalesce(sum("laHours"), 0)::int "hours",
        coalesce(sum("laCredit"), 0)::int "credit"
      from "registration"
      where "schoolId" = ${actor.schoolId}
        and "liId" = ${liId}::uuid
        and "delFlag" = '0'
        and "laStatus" = ${sql.lit(applyStatus.accepted)}
      group by 1
      order by 3 desc, 1`.execute(db)
  return rows.map((row) => ({ ...row, hours: fromHundredths(row.hours), credit: fromHundredths(row.credit) }))
}

/**
 * Earlier courses of the principal: how many, the share approved at first try, and the share of participants who came;
 * in per cent.
 */
async function historyOf({ db, actor }: Context, suId: string): Promise<Case['history']> {
  const { rows } = await sql<Case['history']>`
      select count(*)::int "lessons", round(100.0 * sum("signCount") / nullif(sum("passCount"), 0))::int "signRate",
        (
          select round(100.0 * count(*) filter (where a."insStatus" = ${sql.lit(approvalStatus.passed)}) / nullif(
              count(*), 0
            ))::int
          from "approval" a
          where a."schoolId" = ${actor.schoolId}
            and a."bizType" = 'publish'
            and a."startBy" = ${suId}::uuid
            and a."insStatus" in (${sql.lit(approvalStatus.passed)}, ${sql.lit(approvalStatus.refused)})
        ) "passRate"
      from "lesson"
      where "schoolId" = ${actor.schoolId}
        and "liPrincipalId" = ${suId}::uuid
        and "delFlag" = '0'
        and "liStatus" in (
          ${sql.lit(lessonStatus.resultPassed)}, ${sql.lit(lessonStatus.inNotice)},
          ${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)}
        )`.execute(db)
  return rows[0]!
}

/** What is risky about the plan of a course, while its publication is being decided. */
async function planHints(ctx: Context, lesson: Case['lesson']): Promise<Case['hints']> {
  if (lesson.liStatus !== lessonStatus.publishInReview) return []
  const range = await from(ctx, 'lesson')
    .leftJoin('evaluation', withinSchool('evaluation.esId', 'lesson.esId'))
    .select([...rangeFields, 'liHours', 'baseHours'])
    .where('lesson.liId', '=', lesson.liId)
    .executeTakeFirstOrThrow()
  const { liHours, baseHours: normHours } = range
  const plan = {
    ...lesson,
    liHours,
    hasRange: hasRange(range),
    insurance: lesson.liExt['insurance'],
    hasSafetyPlan: Boolean(lesson.liExt['safetyPlanFile']),
    hasPlan: lesson.liPlan !== null,
    contact: lesson.contactName || lesson.contactPhone,
  }
  const ownSteps = (lesson.flows[0]?.steps ?? [])
    .filter(({ people }) => people.some(({ checkerId }) => checkerId === lesson.liPrincipalId))
    .map(({ stepName }) => stepName)
  const facts = await planFacts(ctx, plan, { ...range, liLevel: lesson.liLevel })
  return planRisks(plan, { ...facts, normHours, ownSteps }).map(({ level, text }) => ({ level, text }))
}

/** Lists of fewer people are alike by chance. */
const fewest = 5

async function hintFacts(
  { db, actor }: Context,
  { liId, liName, liPrincipalId, startTime, endTime, passCount }: Case['lesson'],
) {
  const { rows } = await sql<{
    sameName: number
    principalAwarded: boolean
    overlapping: number
    sameList: string
  }>`select (
      select count(*)::int
      from "lesson" l
      where l."schoolId" = ${actor.schoolId}
        and l."liName" = ${liName}
        and l."liId" <> ${liId}::uuid
        and l."delFlag" = '0'
        and l."startTime" between ${startTime}::timestamptz - interval '30 days' and ${startTime}::timestamptz +
        interval '30 days'
    ) "sameName",
      exists (
        select 1
        from "registration" r
        where r."schoolId" = ${actor.schoolId}
          and r."liId" = ${liId}::uuid
          and r."suId" = ${liPrincipalId}::uuid
          and r."delFlag" = '0'
          and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
      ) "principalAwarded",
      (
        select count(distinct r."suId")::int
        from "registration" r
        join "registration" o on o."schoolId" = r."schoolId"
          and o."suId" = r."suId"
          and o."liId" <> r."liId"
          and o."delFlag" = '0'
          and o."laStatus" = ${sql.lit(applyStatus.accepted)}
          and o."signInTime" is not null
        join "lesson" l on l."schoolId" = o."schoolId"
          and l."liId" = o."liId"
          and l."delFlag" = '0'
          and l."startTime" < ${endTime}::timestamptz
          and l."endTime" > ${startTime}::timestamptz
        where r."schoolId" = ${actor.schoolId}
          and r."liId" = ${liId}::uuid
          and r."delFlag" = '0'
          and r."laStatus" = ${sql.lit(applyStatus.accepted)}
          and r."signInTime" is not null
      ) "overlapping",
      coalesce(
        (
          select l."liName"
          from "registration" r
          join "registration" o on o."schoolId" = r."schoolId"
            and o."suId" = r."suId"
            and o."liId" <> r."liId"
            and o."delFlag" = '0'
            and o."laStatus" = ${sql.lit(applyStatus.accepted)}
          join "lesson" l on l."schoolId" = o."schoolId"
            and l."liId" = o."liId"
            and l."delFlag" = '0'
            and l."startTime" between ${startTime}::timestamptz - interval '30 days' and ${startTime}::timestamptz +
            interval '30 days'
          where r."schoolId" = ${actor.schoolId}
            and r."liId" = ${liId}::uuid
            and r."delFlag" = '0'
            and r."laStatus" = ${sql.lit(applyStatus.accepted)}
          group by l."liId", l."liName", l."passCount"
          having count(*) >= ${fewest} and count(*) * 10 >= greatest(l."passCount", ${passCount}) * 9
          order by count(*) desc, l."liId"
          limit 1
        ), ''
      ) "sameList"`.execute(db)
  return rows[0]!
}

export const lessonCaseRoutes = routes(lessonCaseApi, { lessonResult: lessonCase })
