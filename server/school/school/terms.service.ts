import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { termsFrom } from './calendar.ts'
import { schoolSettings } from './settings.service.ts'
import { figure } from '../../../contract/core/figure.ts'

type Form = Checked<typeof schoolInfoApi.saveTerm>

const visibleTerms = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'term')

/** Courses that begin in the term of the row at hand. */
const lessonsWithin = sql<number>`(
    select count(*)::int
    from "lesson" l
    where l."schoolId" = "term"."schoolId"
      and l."delFlag" = '0'
      and l."startTime" >= "term"."tmStart"::timestamptz
      and l."startTime" < ("term"."tmEnd" + 1)::timestamptz
  )`

/** Conversion rules that hold from the term of the row at hand. */
const rulesSince = sql<number>`(
    select count(*)::int
    from "transformation" t
    where t."schoolId" = "term"."schoolId" and t."effectTerm" = "term"."tmId"
  )`

/** The terms of the school, the latest first. */
export async function listTerms(ctx: Context, input: Checked<typeof schoolInfoApi.terms>) {
  const today = dayOf(ctx.clock.now())
  const can = ctx.actor.permits.has('school:edit') ? (['edit', 'delete'] as const).slice() : []
  const [rows, total] = await Promise.all([
    visibleTerms(ctx)
      .select(['tmId', 'tmName', 'tmStart', 'tmEnd', 'version'])
      .select(lessonsWithin.as('lessonCount'))
      .orderBy('tmStart', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(visibleTerms(ctx)),
  ])
  const phaseOf = ({ tmStart, tmEnd }: { tmStart: string; tmEnd: string }) =>
    today < tmStart ? ('coming' as const) : today > tmEnd ? ('past' as const) : ('now' as const)
  return asPage(
    rows.map((row) => ({ ...row, phase: phaseOf(row), can })),
    total,
    input,
  )
}

/** Adds a term or changes one. Terms of a school have names of their own and share no day. */
export function saveTerm(ctx: Context, { tmId, version, ...fields }: Form) {
  return inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'terms')
    const others = (await visibleTerms(tx).select(['tmId', 'tmName', 'tmStart', 'tmEnd']).execute()).filter(
      (one) => one.tmId !== tmId,
    )
    if (others.some(({ tmName }) => tmName === fields.tmName))
      throw faultAt('tmName', new Failure('name-taken', { what: '学期', name: fields.tmName }))
    const clash = others.find(({ tmStart, tmEnd }) => tmStart <= fields.tmEnd && fields.tmStart <= tmEnd)
    if (clash)
      throw faultAt(
        'tmStart',
        new Failure('term-overlap', { name: clash.tmName, from: clash.tmStart, to: clash.tmEnd }),
      )
    if (!tmId) return { tmId: await addTerm(tx, fields) }
    const before = await visibleTerms(tx).selectAll().where('tmId', '=', tmId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    await tx.db
      .updateTable('term')
      .set({ ...fields, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('tmId', '=', tmId)
      .execute()
    await audit(tx, {
      action: '编辑学期',
      bizType: 'term',
      bizId: tx.actor.schoolId,
      bizName: fields.tmName,
      ...changedFields(before, fields),
    })
    return { tmId }
  })
}

async function addTerm(tx: Context, fields: Omit<Form, 'tmId' | 'version'>): Promise<string> {
  const tmId = newId()
  await tx.db
    .insertInto('term')
    .values({ ...createdColumns(tx), tmId, ...fields })
    .execute()
  await audit(tx, {
    action: '新增学期',
    bizType: 'term',
    bizId: tx.actor.schoolId,
    bizName: fields.tmName,
    after: fields,
  })
  return tmId
}

/**
 * Removes terms in which no course begins and that no conversion rule names; one of them in use, and none is removed.
 * What lies in no term is divided by the semester cut.
 */
export function removeTerms(ctx: Context, { tmIds }: Checked<typeof schoolInfoApi.removeTerms>) {
  return inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'terms')
    const rows = await visibleTerms(tx)
      .select(['tmId', 'tmName', 'tmStart', 'tmEnd'])
      .select([lessonsWithin.as('lessonCount'), rulesSince.as('ruleCount')])
      .where(anyOf('term.tmId', tmIds))
      .execute()
    if (rows.length !== tmIds.length) throw new Failure('not-found')
    const used = rows.find(({ lessonCount, ruleCount }) => lessonCount + ruleCount > 0)
    if (used)
      throw new Failure('term-in-use', {
        name: used.tmName,
        why:
          used.lessonCount > 0
            ? `内已有 ${figure(used.lessonCount)} 门课程`
            : `被 ${figure(used.ruleCount)} 条转换规则采用`,
      })
    await tx.db.deleteFrom('term').where('schoolId', '=', tx.actor.schoolId).where(anyOf('tmId', tmIds)).execute()
    await auditMany(
      tx,
      rows.map(({ tmName, tmStart, tmEnd }) => ({
        action: '删除学期',
        bizType: 'term',
        bizId: tx.actor.schoolId,
        bizName: tmName,
        before: { tmName, tmStart, tmEnd },
      })),
    )
    return { affected: rows.length }
  })
}

const faultAt = (field: string, failure: Failure): Failure =>
  Object.assign(failure, { errors: [{ field, msg: failure.msg }] })

/** The terms a new school begins with: those of the present school year and the next, by the semester cut. */
export async function seedTerms(ctx: PublicContext, schoolId: string): Promise<void> {
  const now = ctx.clock.now()
  const terms = termsFrom(dayOf(now), 2, await schoolSettings(ctx, schoolId))
  await ctx.db
    .insertInto('term')
    .values(terms.map((term) => ({ schoolId, tmId: newId(), ...term, createTime: now, updateTime: now })))
    .execute()
}
