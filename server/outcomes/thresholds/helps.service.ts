import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { HelpRow, thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { studentScopeColumns, visibleStudents } from '../../school/people/students.service.ts'

const visibleHelps = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleStudents(ctx).innerJoin('thresholdHelp as h', (join) =>
    join
      .onRef('h.schoolId', '=', 'person.schoolId')
      .onRef('h.suId', '=', 'person.suId')
      .on('h.delFlag', '=', sql.lit(yesNo.no)),
  )

/** What was done for a student, the latest first. */
export async function helpsOf(ctx: Context, suId: string): Promise<HelpRow[]> {
  const rows = await visibleHelps(ctx)
    .select(['h.thId', 'h.helpDate', 'h.helpContent', 'h.helperName', 'h.createName', 'h.createTime', 'h.version'])
    .select([
      sql<HelpRow['helpWay']>`h."helpWay"`.as('helpWay'),
      inScope(ctx.actor.scopeFor('threshold:prompt'), studentScopeColumns).as('inPrompt'),
    ])
    .where('h.suId', '=', suId)
    .orderBy('h.helpDate', 'desc')
    .orderBy('h.thId', 'desc')
    .limit(200)
    .execute()
  const may = ctx.actor.permits.has('threshold:prompt')
  return rows.map(({ inPrompt, ...row }) => ({ ...row, can: may && inPrompt ? ['edit', 'delete'] : [] }))
}

/** Writes down what was done for a warned student, or changes such an entry. */
export const saveHelp = (ctx: Context, { thId, version, suId, ...fields }: Checked<typeof thresholdApi.saveHelp>) =>
  inTransaction(ctx, async (tx) => {
    const student = await visibleStudents(tx)
      .select(['person.suId', 'person.suiName'])
      .where('person.suId', '=', suId)
      .executeTakeFirst()
    if (!student) throw new Failure('not-found')
    const id = thId ?? newId()
    if (thId) {
      const { numUpdatedRows } = await tx.db
        .updateTable('thresholdHelp')
        .set({ ...fields, ...updatedColumns(tx) })
        .where('schoolId', '=', tx.actor.schoolId)
        .where('thId', '=', thId)
        .where('suId', '=', suId)
        .where('delFlag', '=', sql.lit(yesNo.no))
        .$if(version !== undefined, (known) => known.where('version', '=', version!))
        .executeTakeFirst()
      if (numUpdatedRows === 0n)
        throw new Failure(
          (await visibleHelps(tx)
            .select('h.thId')
            .where('h.thId', '=', thId)
            .where('h.suId', '=', suId)
            .executeTakeFirst())
            ? 'stale-version'
            : 'not-found',
        )
    } else
      await tx.db
        .insertInto('thresholdHelp')
        .values({ ...createdColumns(tx), thId: id, suId, ...fields })
        .execute()
    await countHelps(tx, [suId])
    await audit(tx, {
      action: '保存帮扶记录',
      bizType: 'threshold',
      bizId: suId,
      bizName: student.suiName,
      after: fields,
    })
    return { thId: id }
  })

/** Removes entries of help. */
export const deleteHelps = (ctx: Context, { ids }: Checked<typeof thresholdApi.delHelp>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleHelps(tx)
      .select(['h.thId', 'h.suId', 'person.suiName', 'h.helpDate', 'h.helpContent'])
      .where(anyOf('h.thId', ids))
      .execute()
    if (rows.length !== ids.length) throw new Failure('not-found')
    await tx.db
      .updateTable('thresholdHelp')
      .set({ delFlag: yesNo.yes, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('thId', ids))
      .execute()
    await countHelps(
      tx,
      rows.map(({ suId }) => suId),
    )
    await auditMany(
      tx,
      rows.map(({ suId, suiName, helpDate, helpContent }) => ({
        action: '删除帮扶记录',
        bizType: 'threshold',
        bizId: suId,
        bizName: suiName,
        before: { helpDate, helpContent },
      })),
    )
    return { affected: ids.length }
  })

/** Keeps beside each student how often and by whom they were helped. */
async function countHelps({ db, actor }: Context, suIds: readonly string[]): Promise<void> {
  await sql`
    update "studentWarning" w
    set "helpCount" = h."n", "lastHelpTime" = h."last", "helperName" = coalesce(h."helper", '')
    from (
      select s."suId", count(x."thId")::int "n", max(x."helpDate")::timestamptz "last",
        (array_agg(x."helperName" order by x."helpDate" desc, x."thId" desc))[1] "helper"
      from unnest(${[...suIds]}::uuid[]) as s("suId")
      left join "thresholdHelp" x on x."schoolId" = ${actor.schoolId} and x."suId" = s."suId" and x."delFlag" = '0'
      group by s."suId"
    ) h
    where w."schoolId" = ${actor.schoolId} and w."suId" = h."suId"`.execute(db)
}
