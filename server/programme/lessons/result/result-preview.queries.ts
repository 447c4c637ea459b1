import { sql } from 'kysely'
import type { Checked, Output } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { leftEarly } from '../model/sign-rules.ts'

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
  const stillUnrated = early.filter((laResult) => laResult === resultStatus.unrated).length
  return {
    ...counts,
    // they fail by leaving early, rated or not
    unrated: counts.unrated - stillUnrated,
    failed: counts.failed - (early.length - stillUnrated),
    early: early.length,
    hours: fromHundredths(counts.hours),
    credit: fromHundredths(counts.credit),
  }
}

/** How those are rated now who would be found to have left early. */
async function earlyLeavers(ctx: Context, lesson: ReachedLesson): Promise<string[]> {
  if (lesson.signOutOn !== yesNo.yes) return []
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const rows = await from(ctx, 'registration')
    .select(['laSignStatus', 'signOutTime', 'laResult'])
    .where('liId', '=', lesson.liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where('laSignStatus', 'in', [signStatus.signedIn, signStatus.late])
    .where('laResult', 'in', [resultStatus.unrated, resultStatus.failed])
    .execute()
  return rows.filter((row) => leftEarly(lesson, row, rules)).map(({ laResult }) => laResult)
}
