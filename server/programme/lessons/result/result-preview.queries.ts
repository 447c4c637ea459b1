import { sql } from 'kysely'
import type { Checked, Output } from '../../../../contract/core/call.ts'
import { applyStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { mayHaveLeftEarly } from '../model/rating.queries.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { hasLeftEarly } from '../model/sign-rules.ts'

type Preview = Output<typeof lessonApi.resultPreview>

/** What submitting the result would do to the participants, by the rules of `submitResult`. */
export async function resultPreview(ctx: Context, { liId }: Checked<typeof lessonApi.resultPreview>): Promise<Preview> {
  const lesson = await lessonFor(ctx, 'resultAudit', liId, { lock: false })
  const came = sql`"laSignStatus" = any(${attendedStatuses}::text[])`
  const gets = sql`"laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})`
  const counted = (condition: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${condition}))::int`
  const summed = (column: 'laHours' | 'laCredit') =>
    sql<number>`coalesce(sum(${sql.ref(column)}) filter (where ${gets}), 0)::int`
  const [counts, early] = await Promise.all([
    from(ctx, 'registration')
      .select([
        sql<number>`count(*)::int`.as('admitted'),
        counted(came).as('signed'),
        counted(sql`${came} and "laResult" = ${sql.lit(resultStatus.unrated)}`).as('unrated'),
        counted(sql`${came} and "laResult" = ${sql.lit(resultStatus.failed)}`).as('failed'),
        counted(sql`"laSignStatus" in (${sql.lit(signStatus.notSigned)}, ${sql.lit(signStatus.absent)})`).as('absent'),
        counted(gets).as('passed'),
        counted(sql`"laResult" = ${sql.lit(resultStatus.awarded)}`).as('awarded'),
        summed('laHours').as('hours'),
        summed('laCredit').as('credit'),
      ])
      .where('liId', '=', liId)
      .where('laStatus', '=', applyStatus.accepted)
      .executeTakeFirstOrThrow(),
    earlyLeavers(ctx, lesson),
  ])
  const rated = (...results: string[]) => early.filter(({ laResult }) => results.includes(laResult))
  const losing = rated(resultStatus.passed, resultStatus.awarded)
  const lost = (column: 'laHours' | 'laCredit') => losing.reduce((sum, row) => sum + row[column], 0)
  return {
    ...counts,
    // they fail by leaving early, however they are rated
    unrated: counts.unrated - rated(resultStatus.unrated).length,
    failed: counts.failed - rated(resultStatus.failed).length,
    early: early.length,
    passed: counts.passed - losing.length,
    awarded: counts.awarded - rated(resultStatus.awarded).length,
    hours: fromHundredths(counts.hours - lost('laHours')),
    credit: fromHundredths(counts.credit - lost('laCredit')),
  }
}

/** How those are rated now who would be found to have left early. */
async function earlyLeavers(ctx: Context, lesson: ReachedLesson) {
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const rows = await from(ctx, 'registration')
    .select(['laSignStatus', 'signOutTime', 'laResult', 'laHours', 'laCredit'])
    .where('liId', '=', lesson.liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where(mayHaveLeftEarly(lesson))
    .execute()
  return rows.filter((row) => hasLeftEarly(lesson, row, rules))
}
