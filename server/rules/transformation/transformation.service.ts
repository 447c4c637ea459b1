import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { inSchoolStatuses } from '../../../contract/core/codes/in-school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import type { PrintLang } from '../../../contract/outcomes/transcripts/words.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { visibleStudentsWithPlace } from '../../school/people/students.service.ts'
import { convert, type ConversionRule } from './convert.ts'
import {
  amountsOf,
  ruleOf,
  transformationOnWire,
  transformationRows,
  visibleTransformations,
} from './transformation.queries.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

type CallInput<K extends keyof typeof transformationApi> = Checked<(typeof transformationApi)[K]>

/** What the list of rules may be sorted by. */
const sortable = {
  trName: 't.trName',
  enable: 't.enable',
  fromType: 't.fromType',
  toType: 't.toType',
  updateTime: 't.updateTime',
}

/** Rules by what they result in and by name, unless another order is asked for. */
export async function listTransformations(ctx: Context, input: CallInput<'all'>) {
  const wanted = fits(input)
  const total = await countOf(visibleTransformations(ctx).where(wanted))
  const rows = await transformationRows(ctx)
    .where(wanted)
    .$if(input.sort !== undefined, (query) => query.orderBy(listOrder(input, sortable)))
    .orderBy('t.toType')
    .orderBy('t.trName')
    .orderBy('t.trId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  const can = ctx.actor.permits.has('transformation:edit') ? (['edit', 'delete'] as const) : []
  return asPage(
    rows.map((row) => ({ ...transformationOnWire(row), can: [...can] })),
    total,
    input,
  )
}

function fits({ trName, ...picks }: CallInput<'all'>): RawBuilder<boolean> {
  const parts = [sql`true`]
  if (trName) parts.push(sql`t."trName" like ${likeText(trName)}`)
  for (const field of ['fromType', 'toType', 'enable'] as const)
    if (picks[field]) parts.push(sql`${sql.ref(`t.${field}`)} = ${picks[field]}`)
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** One rule, for its form. */
export async function transformationDetail(ctx: Context, { trId }: CallInput<'query'>) {
  const row = await transformationRows(ctx).where('t.trId', '=', trId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return transformationOnWire(row)
}

/** The terms from which a rule may hold, the latest first. */
export async function effectTerms(ctx: Context) {
  return from(ctx, 'term').select(['tmId as id', 'tmName as name']).orderBy('tmStart', 'desc').execute()
}

/**
 * What a rule, saved or not, makes of the students in school: a page of them by number, and the spread of results over
 * all of the filter. The amounts are summed once; equal amounts are converted once.
 */
export async function previewTransformation(
  ctx: Context,
  { rule, search, suiCollegeId, suiGrade, ...page }: CallInput<'preview'>,
) {
  const draft: ConversionRule = { ...rule, ratio: rule.ratio ?? null, cap: rule.cap ?? null }
  let students = visibleStudentsWithPlace(ctx).where('person.suiStatus', 'in', inSchoolStatuses)
  if (rule.scopeGrades.length > 0)
    students = students.where(sql<boolean>`"person"."suiGrade" = any(${rule.scopeGrades}::text[])`)
  if (search) students = students.where(isNamed(search))
  if (suiCollegeId) students = students.where('person.suiCollegeId', '=', suiCollegeId)
  if (suiGrade) students = students.where('person.suiGrade', '=', suiGrade)

  const shown = await students
    .select([
      'person.suId',
      'person.suiName',
      'person.suiNumber',
      sql<string>`coalesce("scName", '')`.as('collegeName'),
      sql<string>`coalesce("person"."suiGrade", '')`.as('suiGrade'),
    ])
    .orderBy('person.suiNumber')
    .offset(offsetOf(page))
    .limit(page.pageSize)
    .execute()
  const amounts = await amountsOf(ctx, rule, sql`(select unnest(${shown.map(({ suId }) => suId)}::uuid[]))`).execute(
    ctx.db,
  )
  const amountBy = new Map(amounts.rows.map(({ suId, amount }) => [suId, amount]))
  const records = shown.map((student) => {
    const amount = amountBy.get(student.suId) ?? 0
    const { value, explain } = convert(draft, amount)
    return { ...student, from: fromHundredths(Math.max(0, amount)), to: fromHundredths(value), explain }
  })

  const all = students.select('person.suId')
  const total = await countOf(students)
  const levels = await sql<{
    amount: number
    people: number
  }>`
    select a."amount", count(*)::int "people"
    from (${amountsOf(ctx, rule, sql`(${all})`)}) a
    group by a."amount"`.execute(ctx.db)
  const spread = new Map<number, number>()
  for (const { amount, people } of levels.rows) {
    const { value } = convert(draft, amount)
    spread.set(value, (spread.get(value) ?? 0) + people)
  }
  const counted = [...spread.values()].reduce((sum, people) => sum + people, 0)
  const nothing = convert(draft, 0).value
  if (total > counted) spread.set(nothing, (spread.get(nothing) ?? 0) + total - counted)
  const sum = [...spread].reduce((all_, [value, people]) => all_ + value * people, 0)
  return {
    ...asPage(records, total, page),
    converted: [...spread].reduce((some, [value, people]) => some + (value > 0 ? people : 0), 0),
    average: fromHundredths(total === 0 ? 0 : Math.round(sum / total)),
    spread: [...spread]
      .toSorted(([a], [b]) => b - a)
      .slice(0, 100)
      .map(([value, people]) => ({ to: fromHundredths(value), people })),
  }
}

/** What the open rules make of students: for transcripts. One statement a rule. */
export async function conversionsOf(
  ctx: Context,
  students: readonly { suId: string; suiGrade: string }[],
  lang: PrintLang = 'zh',
) {
  const rules = (
    await transformationRows(ctx)
      .where('t.enable', '=', enableStatus.enabled)
      .orderBy('t.toType')
      .orderBy('t.trName')
      .execute()
  ).map(ruleOf)
  const results: { suId: string; trId: string; trName: string; toType: string; value: string; explain: string }[] = []
  for (const rule of rules) {
    const meant = students.filter(
      ({ suiGrade }) => rule.scopeGrades.length === 0 || rule.scopeGrades.includes(suiGrade),
    )
    if (meant.length === 0) continue
    const { rows } = await amountsOf(
      ctx,
      { ...rule, fromType: rule.fromType as '1' },
      sql`(select unnest(${meant.map(({ suId }) => suId)}::uuid[]))`,
    ).execute(ctx.db)
    const amountBy = new Map(rows.map(({ suId, amount }) => [suId, amount]))
    for (const { suId } of meant) {
      const { value, explain } = convert(rule, amountBy.get(suId) ?? 0, lang)
      results.push({
        suId,
        trId: rule.trId,
        trName: rule.trName,
        toType: rule.toType,
        value: fromHundredths(value),
        explain,
      })
    }
  }
  return results
}
