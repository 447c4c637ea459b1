import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { supplementType } from '../../../contract/core/codes/programme.ts'
import { convertFrom } from '../../../contract/core/codes/rules.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { RuleDraft } from '../../../contract/rules/transformation/transformation.schema.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { ruleText } from './convert.ts'

/** The conversion rules of a school; everybody may know them. */
export const visibleTransformations = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'transformation as t')

/** Rules with the names of what they speak of. */
export const transformationRows = (ctx: Pick<Context, 'db' | 'actor'>) =>
  visibleTransformations(ctx)
    .leftJoin('term', withinSchool('term.tmId', 't.effectTerm'))
    .select([
      't.trId',
      't.trName',
      't.trDesc',
      't.fromType',
      't.toType',
      't.mode',
      't.ratio',
      't.segments',
      't.rounding',
      't.decimals',
      't.cap',
      't.scopeLsIds',
      't.scopeGrades',
      't.effectTerm',
      't.enable',
      't.version',
      't.updateTime',
    ])
    .select(sql<string>`coalesce("term"."tmName", '')`.as('effectTermName'))
    .select(
      sql<string[]>`array(
          select c."lsName"
          from "curriculum" c
          where c."schoolId" = t."schoolId" and c."lsId" = any(t."scopeLsIds")
          order by cardinality(c."lsPath"), c."lsSort"
        )`.as('scopeLsNames'),
    )

type TransformationRow = Awaited<ReturnType<ReturnType<typeof transformationRows>['execute']>>[number]

const stored = z.array(z.object({ min: z.number(), value: z.number() }))
/** The rule out of its row; `mode` and types are as the dictionary has them. */
export const ruleOf = (row: TransformationRow) => ({ ...row, segments: stored.parse(row.segments) })

/** A rule as it goes over the wire. */
export function transformationOnWire(row: TransformationRow) {
  const rule = ruleOf(row)
  return {
    ...rule,
    text: ruleText(rule),
    ratio: rule.ratio === null ? null : fromHundredths(rule.ratio),
    cap: rule.cap === null ? null : fromHundredths(rule.cap),
    segments: rule.segments.map(({ min, value }) => ({ min: fromHundredths(min), value: fromHundredths(value) })),
  }
}

/** What of a student's ledger a rule counts. */
export type Counted = Pick<RuleDraft, 'fromType'> & {
  scopeLsIds: readonly string[]
  effectTerm?: string | null | undefined
}

/**
 * What each student has of what the rule converts, in hundredths: `select "suId", "amount"`, one row a student who has
 * any entry.
 * @param suIds a query or list of students
 */
export function amountsOf(
  { actor: { schoolId } }: Pick<Context, 'actor'>,
  { fromType, scopeLsIds, effectTerm }: Counted,
  suIds: RawBuilder<unknown>,
): RawBuilder<{ suId: string; amount: number }> {
  const below =
    scopeLsIds.length === 0
      ? sql`true`
      : sql`c."lsId" = any(
          array(
            select n."lsId"
            from "curriculum" n
            where n."schoolId" = ${schoolId} and n."lsPath" && ${[...scopeLsIds]}::uuid[]
          )
        )`
  const since = effectTerm
    ? sql`c."occurTime" >= (
        select m."tmStart"
        from "term" m
        where m."schoolId" = ${schoolId} and m."tmId" = ${effectTerm}::uuid
      )`
    : sql`true`
  const own = sql`c."schoolId" = ${schoolId} and c."suId" in ${suIds} and ${below} and ${since}`
  if (fromType !== convertFrom.certificates)
    return sql`
      select c."suId", sum(c."clValue")::int "amount"
      from "creditLedger" c
      where ${own} and c."clType" = ${fromType}
      group by c."suId"`
  // certificates: supplement records of that kind which still stand, not everything of them being taken back; what they
  // add up to does not tell, for one that stands may be worth nothing beside a better one of its group
  return sql`
    select e."suId", (count(*) * 100)::int "amount"
    from (
      select c."suId", c."bizId"
      from "creditLedger" c
      join "supplement" s on s."schoolId" = c."schoolId"
        and s."lisId" = c."bizId"
        and s."lisType" = ${sql.lit(supplementType.certificate)}
      where ${own}
      group by c."suId", c."bizId"
      having count(*) <> 2 * count(*) filter (where c."source" = 'REVERSE')
    ) e
    group by e."suId"`
}
