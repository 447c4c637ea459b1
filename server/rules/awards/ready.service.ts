import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { visibleTemplates } from './awards.queries.ts'
import { readyDetail, readyTemplates } from './ready-templates.ts'

const namesOf = async (ctx: Context): Promise<Set<string>> =>
  new Set((await visibleTemplates(ctx).select('atName').execute()).map(({ atName }) => atName))

/** The usual templates, with a mark on those whose name the school already uses. */
export async function listReady(ctx: Context): Promise<Output<typeof awardApi.ready>> {
  const taken = await namesOf(ctx)
  return readyTemplates.map(({ rows, ...template }) => ({
    ...template,
    exists: taken.has(template.atName),
    details: rows.map(readyDetail).map(({ adSort: _, ...row }) => ({
      ...row,
      hours: fromHundredths(row.hours),
      credit: fromHundredths(row.credit),
      points: fromHundredths(row.points),
      abilityFactor: fromHundredths(row.abilityFactor),
    })),
  }))
}

/** Adds the chosen templates with their awards; those whose name the school already has are left out. */
export const addReady = (ctx: Context, { ids }: Checked<typeof awardApi.addReady>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'awards')
    const taken = await namesOf(tx)
    if (ids.some((id) => !readyTemplates.some(({ readyId }) => readyId === id))) throw new Failure('not-found')
    const chosen = readyTemplates
      .filter(({ readyId, atName }) => ids.includes(readyId) && !taken.has(atName))
      .map((template) => ({ ...template, atId: newId() }))
    if (chosen.length === 0) throw new Failure('award-ready-taken')
    const { schoolId } = tx.actor
    await tx.db
      .insertInto('awardTemplate')
      .values(
        chosen.map(({ atId, atName, atType, atDesc }) => ({ ...createdColumns(tx), atId, atName, atType, atDesc })),
      )
      .execute()
    await tx.db
      .insertInto('awardDetail')
      .values(
        chosen.flatMap(({ atId, rows }) =>
          rows.map((row, at) => ({ ...readyDetail(row, at), schoolId, atId, adId: newId() })),
        ),
      )
      .execute()
    await auditMany(
      tx,
      chosen.map(({ atId, atName, readyId }) => ({
        action: '添加常用奖励模板',
        bizType: 'awardTemplate',
        bizId: atId,
        bizName: atName,
        after: { readyId },
      })),
    )
    return { affected: chosen.length }
  })
