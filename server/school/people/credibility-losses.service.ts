import { sql } from 'kysely'
import { Failure } from '../../../contract/core/failure.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { countedReasons } from './credibility-log.service.ts'
import { restorable } from './credibility-restore.service.ts'
import { studentLocation, visibleStudents } from './students.service.ts'

const right = credibilityApi.update.permit

/**
 * Whether the asking person, who may see the student, may also change their credibility; `not-found` where they may not
 * see them.
 */
export async function mayChangeCredibility(ctx: Context, suId: string): Promise<boolean> {
  const row = await visibleStudents(ctx)
    .select(['suiCollegeId', 'majorId', 'scClassId', 'suiGrade'])
    .where('person.suId', '=', suId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return ctx.actor.permits.has(right) && scopeIncludes(ctx.actor.scopeFor(right), studentLocation(row))
}

/** What one course took from a student: points (negative), why, and the entries that can still be given back. */
interface CourseLoss {
  change: number
  reason: string
  open: string[]
}

/** What courses took from a student, by course. */
export async function lossesOfStudent(
  ctx: Context,
  suId: string,
): Promise<{ losses: Map<string, CourseLoss>; mayRestore: boolean }> {
  const mayRestore = await mayChangeCredibility(ctx, suId)
  const rows = await from(ctx, 'credibilityLog as g')
    .select([
      'g.liId',
      sql<number>`sum(g."change")::int`.as('change'),
      sql<string>`string_agg(g."reason", '；' order by g."createTime", g."cgId")`.as('reason'),
    ])
    .select(sql<string[]>`coalesce(array_agg(g."cgId"::text) filter (where ${restorable}), '{}')`.as('open'))
    .where('g.suId', '=', suId)
    .where('g.liId', 'is not', null)
    .where('g.restoreOf', 'is', null)
    .where((or) => or.or([or('g.change', '<', 0), or('g.reasonCode', 'in', countedReasons)]))
    .groupBy('g.liId')
    .execute()
  return {
    losses: new Map(rows.map(({ liId, change, reason, open }) => [liId!, { change, reason, open }])),
    mayRestore,
  }
}
