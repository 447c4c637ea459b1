import { sql } from 'kysely'
import { z } from 'zod'
import { storedRules } from '../../../contract/rules/evaluation/evaluation.schema.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Scope } from '../../../contract/core/scope.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { fullNameOf } from '../curriculum/curriculum.service.ts'

/**
 * The scoring rules of a school, each with its node and level. Everybody may know them; what may be changed is a matter
 * of the scope.
 */
export const visibleEvaluations = (ctx: Context) =>
  from(ctx, 'evaluation as e')
    .innerJoin('curriculum as c', withinSchool('c.lsId', 'e.lsId'))
    .innerJoin('lessonLevel as l', withinSchool('l.llId', 'e.esLessonLevel'))

/** The columns of a rule with its names. `mine` tells whether its node lies in `scope`. */
export const evaluationRows = (ctx: Context, scope: Scope = ctx.scope) =>
  visibleEvaluations(ctx)
    .select([
      'e.esId',
      'e.esName',
      'e.lsId',
      'e.esLessonLevel',
      'l.llName as levelName',
      'e.versionNo',
      'e.current',
      'e.baseHours',
      'e.hourCap',
      'e.credit',
      'e.points',
    ])
    .select([
      'e.teamRules',
      'e.bestOnlyGroup',
      'e.yearCap',
      'e.modeRules',
      'e.awardRules',
      'e.abilityRules',
      'e.effectFrom',
      'e.effectTo',
      'e.enable',
      'e.version',
      'e.updateTime',
    ])
    .select([fullNameOf('c.lsPath', 'c.schoolId').as('lsFullName'), inScope(scope, { path: 'c.lsPath' }).as('mine')])

export type EvaluationRow = Awaited<ReturnType<ReturnType<typeof evaluationRows>['execute']>>[number]

/**
 * Courses that score by each of these rules: those there are (`live`), and with those that were deleted and still point
 * at it (`all`). Rules without any are not in it.
 */
export async function usesOf(ctx: Context, esIds: string[]): Promise<Map<string, { live: number; all: number }>> {
  const rows = await from(ctx, 'lesson', { withDeleted: true })
    .select([
      'esId',
      sql<number>`(count(*) filter (where "delFlag" = '0'))::int`.as('live'),
      sql<number>`count(*)::int`.as('all'),
    ])
    .where(sql<boolean>`"esId" = any(${esIds}::uuid[])`)
    .groupBy('esId')
    .execute()
  return new Map(rows.map(({ esId, live, all }) => [esId!, { live, all }]))
}

/** Names of all labels, by id. */
export async function labelNames(ctx: Context): Promise<Map<string, string>> {
  const rows = await from(ctx, 'qualityLabel').select(['sqlId', 'sqlName']).execute()
  return new Map(rows.map(({ sqlId, sqlName }) => [sqlId, sqlName]))
}

const stored = z.object(storedRules)
/** The rules out of their JSON columns. */
export const rulesOf = (row: Pick<EvaluationRow, 'modeRules' | 'awardRules' | 'abilityRules' | 'teamRules'>) =>
  stored.parse(row)

/** A rule as it goes over the wire: amounts as decimal text. */
export function evaluationOnWire(row: EvaluationRow, names: ReadonlyMap<string, string>) {
  const { mine: _, ...rest } = row
  const rules = rulesOf(row)
  return {
    ...rest,
    courseSystemId: row.lsId,
    baseHours: fromHundredths(row.baseHours),
    hourCap: row.hourCap === null ? null : fromHundredths(row.hourCap),
    credit: fromHundredths(row.credit),
    points: fromHundredths(row.points),
    modeRules: rules.modeRules.map(({ partakeMode, factor }) => ({ partakeMode, factor: fromHundredths(factor) })),
    awardRules: rules.awardRules.map(({ adName, hours, credit, points }) => ({
      adName,
      hours: fromHundredths(hours),
      credit: fromHundredths(credit),
      points: fromHundredths(points),
    })),
    teamRules: rules.teamRules.map(({ size, ratios }) => ({ size, ratios: ratios.map(fromHundredths) })),
    yearCap: row.yearCap === null ? null : fromHundredths(row.yearCap),
    abilityRules: rules.abilityRules.map(({ sqlId, weight }) => ({ sqlId, weight, sqlName: names.get(sqlId) ?? '' })),
  }
}
