import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { modelApi } from '../../../contract/rules/labels/model.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { createdColumns } from '../../core/request/stamp-columns.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'

type CallInput<K extends keyof typeof modelApi> = Checked<(typeof modelApi)[K]>

/** The labels of the school's quality model in their order; none where it has no model. `max` in hundredths. */
export const modelLabelsOf = (ctx: Context) =>
  from(ctx, 'qualityModelLabel')
    .select(['sqlId', 'qmName as name', 'qmMax as max', 'qmColor as color'])
    .orderBy('qmSort')
    .execute()

/** Labels below a group, the open ones and those the model already shows, in the order of the school. */
const choices = (ctx: Context) =>
  from(ctx, 'qualityLabel as l')
    .innerJoin('qualityLabel as g', withinSchool('g.sqlId', 'l.sqlPid'))
    .select(['l.sqlId', 'l.sqlName', 'g.sqlName as groupName', 'l.sqlColor', 'l.fullScore', 'l.sqlDesc', 'l.levels'])
    .where(
      sql<boolean>`(
          l."enable" = '1'
          and g."enable" = '1'
          or exists (select from "qualityModelLabel" m where m."schoolId" = l."schoolId" and m."sqlId" = l."sqlId")
        )`,
    )
    .orderBy('g.sqlSort')
    .orderBy('g.sqlId')
    .orderBy('l.sqlSort')
    .orderBy('l.sqlId')
    .execute()

const headOf = (ctx: Context) => from(ctx, 'qualityModel').select(['version', 'updateName', 'updateTime'])

/** The model as its editor needs it, with all labels to choose from. */
export async function qualityModel(ctx: Context): Promise<Output<typeof modelApi.list>> {
  const [head, list, labels] = await Promise.all([headOf(ctx).executeTakeFirst(), modelLabelsOf(ctx), choices(ctx)])
  return {
    version: head?.version ?? 0,
    updateName: head?.updateName ?? '',
    updateTime: head?.updateTime ?? null,
    list: list.map((row) => ({ ...row, max: fromHundredths(row.max) })),
    labels: labels.map((row) => ({ ...row, fullScore: fromHundredths(row.fullScore), levels: row.levels as string[] })),
  }
}

/** Writes the whole model. Of two who save at once one wins, and the other is told. */
export const saveModel = (ctx: Context, { version, list }: CallInput<'addList'>) =>
  inTransaction(ctx, async (tx) => {
    const { db, actor, clock } = tx
    const { schoolId } = actor
    const known = await from({ db, schoolId }, 'qualityLabel')
      .select('sqlId')
      .where('sqlPid', 'is not', null)
      .where(
        anyOf(
          'sqlId',
          list.map(({ sqlId }) => sqlId),
        ),
      )
      .execute()
    const gone = list.findIndex(({ sqlId }) => !known.some((row) => row.sqlId === sqlId))
    if (gone >= 0)
      throw invalidInput([
        { field: `list.${gone}.sqlId`, msg: `标签“${list[gone]!.name}”不存在或已删除，请刷新后重试` },
      ])
    const head = (await headOf(tx).forUpdate().executeTakeFirst()) ?? { version: 0 }
    assertVersion(tx, head, version)
    const before = await modelLabelsOf(tx)
    const next = head.version + 1
    const stamp = { updateBy: actor.suId, updateName: actor.suNickname, updateTime: clock.now(), version: next }
    if (head.version > 0) await db.updateTable('qualityModel').set(stamp).where('schoolId', '=', schoolId).execute()
    else {
      const made = await db
        .insertInto('qualityModel')
        .values({ ...createdColumns(tx), ...stamp })
        .onConflict((on) => on.column('schoolId').doNothing())
        .executeTakeFirst()
      if (made.numInsertedOrUpdatedRows !== 1n) throw new Failure('stale-version') // somebody else made the first one
    }
    await db.deleteFrom('qualityModelLabel').where('schoolId', '=', schoolId).execute()
    await db
      .insertInto('qualityModelLabel')
      .values(
        list.map(({ sqlId, name, max, color }, qmSort) => ({
          schoolId,
          sqlId,
          qmName: name,
          qmMax: max,
          qmColor: color ?? '',
          qmSort,
        })),
      )
      .execute()
    await audit(tx, {
      action: '保存素质模型',
      bizType: 'qualityModel',
      bizId: schoolId,
      bizName: '素质模型',
      before: { list: before },
      after: { list },
    })
    return { version: next }
  })

/** Removes the model: transcripts then show the labels, or their groups, as they did before. */
export const deleteModel = (ctx: Context, { version }: CallInput<'del'>) =>
  inTransaction(ctx, async (tx) => {
    assertVersion(tx, await headOf(tx).forUpdate().executeTakeFirst(), version)
    const before = await modelLabelsOf(tx)
    await tx.db.deleteFrom('qualityModel').where('schoolId', '=', tx.actor.schoolId).execute()
    await audit(tx, {
      action: '删除素质模型',
      bizType: 'qualityModel',
      bizId: tx.actor.schoolId,
      bizName: '素质模型',
      before: { list: before },
    })
    return { affected: 1 }
  })
