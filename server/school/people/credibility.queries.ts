import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { credibilityOf } from './credibility-log.service.ts'
import { mayChangeCredibility } from './credibility-losses.service.ts'
import { restorable } from './credibility-restore.service.ts'
import { credibilityRulesOf } from './credibility-rules.ts'
import { isClosed, type CredibilityProviders } from './credibility.service.ts'
import { visibleStudentsWithPlace } from './students.service.ts'

/** Every change of a student's credibility, newest first. */
export const credibilityLog =
  ({ courses }: Pick<CredibilityProviders, 'courses'>) =>
  async (ctx: Context, input: Checked<typeof credibilityApi.log>): Promise<Output<typeof credibilityApi.log>> => {
    const mayChange = await mayChangeCredibility(ctx, input.suId)
    const query = from(ctx, 'credibilityLog as g').where('g.suId', '=', input.suId)
    const [rows, total] = await Promise.all([
      query
        .select([
          'cgId',
          'createTime',
          'change',
          'before',
          'after',
          'reasonCode',
          'reason',
          'liId',
          'operatorName',
          'restoreOf',
          restorable.as('isOpen'),
        ])
        .select(
          sql<boolean>`exists (
              select
              from "credibilityLog" u
              where u."schoolId" = g."schoolId" and u."restoreOf" = g."cgId"
            )`.as('restored'),
        )
        .orderBy('createTime', 'desc')
        .orderBy('cgId', 'desc')
        .limit(input.pageSize)
        .offset(offsetOf(input))
        .execute(),
      countOf(query),
    ])
    const known = await courses(ctx, [...new Set(rows.flatMap(({ liId }) => liId ?? []))])
    const records = rows.map(({ isOpen, ...row }) => {
      const course = row.liId === null ? undefined : known.get(row.liId)
      return {
        ...row,
        liName: course?.liName ?? '',
        opens: course?.opens ?? false,
        can: isOpen && mayChange ? ['restore' as const] : [],
      }
    })
    return asPage(records, total, input)
  }

/** Where a student stands, the bounds, and what may be done about it. */
export async function credibilityStatus(
  ctx: Context,
  { suId }: Checked<typeof credibilityApi.standing>,
): Promise<Output<typeof credibilityApi.standing>> {
  const mayChange = await mayChangeCredibility(ctx, suId)
  const { schoolId } = ctx.actor
  const [statuses, rules] = await Promise.all([credibilityOf(ctx, schoolId, [suId]), credibilityRulesOf(ctx, schoolId)])
  const { suiCredibility, absences, blackUntil } = statuses.get(suId)!
  const closed = isClosed({ blackUntil }, ctx.clock.now())
  return {
    suiCredibility,
    absences,
    blackUntil: closed ? blackUntil : null,
    min: rules.credibilityMin,
    max: rules.credibilityMax,
    absencesPerBan: rules.blackCount,
    can: mayChange ? (closed ? ['adjust', 'lift'] : ['adjust']) : [],
  }
}

/** Whom a course took points from that were not given back, and how many. */
export const lossesOfLesson =
  ({ courses }: Pick<CredibilityProviders, 'courses'>) =>
  async (
    ctx: Context,
    input: Checked<typeof credibilityApi.lessonLosses>,
  ): Promise<Output<typeof credibilityApi.lessonLosses>> => {
    const course = (await courses(ctx, [input.liId])).get(input.liId)
    if (!course) throw new Failure('not-found')
    const caused = visibleStudentsWithPlace(ctx)
      .innerJoin('credibilityLog as g', withinSchool('g.suId', 'person.suId'))
      .where('g.liId', '=', input.liId)
    const [sums, rows] = await Promise.all([
      caused
        .select([
          sql<number>`count(distinct g."suId") filter (where ${restorable})::int`.as('people'),
          sql<number>`count(*) filter (where ${restorable})::int`.as('entries'),
          sql<number>`coalesce(-sum(g."change") filter (where ${restorable}), 0)::int`.as('points'),
          sql<number>`count(*) filter (where g."restoreOf" is not null)::int`.as('restored'),
        ])
        .executeTakeFirstOrThrow(),
      caused
        .where(restorable)
        .select([
          'person.suId',
          'suiName',
          'suiNumber',
          'suiCredibility',
          sql<string>`coalesce("scClassName", '')`.as('className'),
          sql<number>`(-sum(g."change"))::int`.as('points'),
        ])
        .groupBy(['person.schoolId', 'person.suId', 'scClassName'])
        .orderBy('suiNumber')
        .limit(input.pageSize)
        .offset(offsetOf(input))
        .execute(),
    ])
    // what another part of the school holds is not named to whoever has nothing to do with it
    if (!course.opens && sums.entries + sums.restored === 0) throw new Failure('not-found')
    return { ...asPage(rows, sums.people, input), liName: course.liName, ...sums }
  }
