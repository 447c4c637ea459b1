import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { quotaType } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { enableRows } from '../../core/audit/enable-rows.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { createdColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import {
  detailOnWire,
  detailRows,
  givenDetails,
  lockCourses,
  templateUses,
  visibleTemplates,
  type DetailRow,
} from './awards.queries.ts'

type CallInput<K extends keyof typeof awardApi> = Checked<(typeof awardApi)[K]>

/** What the list of templates may be sorted by. */
const sortable = {
  updateTime: 'updateTime',
  atName: 'atName',
  atType: 'atType',
  enable: 'enable',
  createName: 'createName',
}

/** Templates, the last changed first unless another order is asked for. */
export async function listTemplates(ctx: Context, input: CallInput<'list'>) {
  let query = visibleTemplates(ctx)
  if (input.atName) query = query.where('atName', 'like', likeText(input.atName))
  if (input.atType) query = query.where('atType', '=', input.atType)
  if (input.enable) query = query.where('enable', '=', input.enable)
  const total = await countOf(query)
  const rows = await query
    .select(['atId', 'atName', 'atType', 'atDesc', 'enable', 'version', 'createName', 'updateTime'])
    .orderBy(listOrder(input, sortable, 'desc'))
    .orderBy('atId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  const atIds = rows.map(({ atId }) => atId)
  const details = await detailRows(ctx, atIds)
  const uses = await templateUses(ctx, atIds)
  const { permits } = ctx.actor
  const records = rows.map((row) => {
    const { live, all } = uses.get(row.atId) ?? { live: 0, all: 0 }
    const can: ('edit' | 'delete')[] = []
    if (permits.has('award:edit')) can.push('edit')
    if (permits.has('award:delete') && all === 0) can.push('delete')
    return {
      ...row,
      usedCount: live,
      can,
      awardNames: details.filter(({ atId }) => atId === row.atId).map(({ adName }) => adName),
    }
  })
  return asPage(records, total, input)
}

/** The open templates with their awards, for the course form; with the closed ones for a filter. */
export async function templateOptions(ctx: Context, { withClosed = false }: CallInput<'select'>) {
  let query = visibleTemplates(ctx)
  if (!withClosed) query = query.where('enable', '=', enableStatus.enabled)
  const rows = await query.select(['atId', 'atName', 'atType']).orderBy('atType').orderBy('atName').execute()
  const details = await detailRows(
    ctx,
    rows.map(({ atId }) => atId),
  )
  return rows.map((row) => ({ ...row, details: details.filter(({ atId }) => atId === row.atId).map(detailOnWire) }))
}

/** One template with its awards. */
export async function templateDetail(ctx: Context, { atId }: CallInput<'detail'>) {
  const row = await visibleTemplates(ctx)
    .select(['atId', 'atName', 'atType', 'atDesc', 'enable', 'version'])
    .where('atId', '=', atId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const [uses, given, details] = [
    await templateUses(ctx, [atId]),
    await givenDetails(ctx, atId),
    await detailRows(ctx, [atId]),
  ]
  return {
    ...row,
    usedCount: uses.get(atId)?.live ?? 0,
    details: details.map((detail) => ({ ...detailOnWire(detail), givenCount: given.get(detail.adId) ?? 0 })),
  }
}

/** The awards a course may give; none where it has no template. */
export async function awardsOfLesson(ctx: Context, { liId }: CallInput<'ofLesson'>) {
  const lesson = await from(ctx, 'lesson').select('atId').where('liId', '=', liId).executeTakeFirst()
  if (!lesson) throw new Failure('not-found')
  return lesson.atId === null ? [] : (await detailRows(ctx, [lesson.atId])).map(detailOnWire)
}

/** Adds a template with its awards. */
export const addTemplate = (ctx: Context, { details, ...input }: CallInput<'add'>) =>
  inTransaction(ctx, async (tx) => {
    await checkName(tx, input.atName)
    const atId = newId()
    const values = { ...input, atDesc: input.atDesc ?? '' }
    await tx.db
      .insertInto('awardTemplate')
      .values({ ...values, ...createdColumns(tx), atId })
      .execute()
    await tx.db
      .insertInto('awardDetail')
      .values(
        details.map((row, adSort) => ({
          ...detailColumns(row, adSort),
          schoolId: tx.actor.schoolId,
          atId,
          adId: newId(),
        })),
      )
      .execute()
    await audit(tx, {
      action: '新增奖励模板',
      bizType: 'awardTemplate',
      bizId: atId,
      bizName: input.atName,
      after: { ...values, details },
    })
    return { atId }
  })

/** Changes a template. Awards left out are deleted; those that somebody holds must stay. */
export const editTemplate = (ctx: Context, { atId, version, details, ...input }: CallInput<'edit'>) =>
  inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const before = await visibleTemplates(tx)
      .select(['atName', 'atType', 'atDesc', 'enable', 'version'])
      .where('atId', '=', atId)
      .forUpdate()
      .executeTakeFirst()
    assertVersion(tx, before, version)
    await checkName(tx, input.atName, atId)
    const values = { ...input, atDesc: input.atDesc ?? '' }
    await tx.db
      .updateTable('awardTemplate')
      .set({ ...values, updateBy: suId, updateTime: tx.clock.now(), version: before.version + 1 })
      .where('schoolId', '=', schoolId)
      .where('atId', '=', atId)
      .execute()
    const old = await detailRows(tx, [atId])
    if (details.some(({ adId }) => adId && !old.some((row) => row.adId === adId))) throw new Failure('not-found')
    await saveDetails(tx, atId, old, details)
    const { before: was, after } = changedFields<object>(
      { ...before, details: old.map(({ atId: _, adSort: __, ...row }) => row) },
      { ...values, details },
    )
    await audit(tx, {
      action: '编辑奖励模板',
      bizType: 'awardTemplate',
      bizId: atId,
      bizName: input.atName,
      before: was,
      after,
    })
    return { affected: 1 }
  })

async function saveDetails(
  ctx: Context,
  atId: string,
  old: DetailRow[],
  details: CallInput<'edit'>['details'],
): Promise<void> {
  const { db, actor } = ctx
  const { schoolId } = actor
  const gone = old.filter(({ adId }) => !details.some((row) => row.adId === adId))
  if (gone.length > 0) {
    await lockCourses(ctx, atId)
    const given = await givenDetails(ctx, atId)
    const held = gone.find(({ adId }) => given.has(adId))
    if (held) throw new Failure('award-given', { name: held.adName, n: given.get(held.adId)! })
  }
  // All rows leave the "one name once" index first, so that two awards may swap their names.
  await db
    .updateTable('awardDetail')
    .set({ delFlag: yesNo.yes })
    .where('schoolId', '=', schoolId)
    .where('atId', '=', atId)
    .execute()
  if (gone.length > 0)
    await db
      .deleteFrom('awardDetail')
      .where('schoolId', '=', schoolId)
      .where(
        anyOf(
          'adId',
          gone.map(({ adId }) => adId),
        ),
      )
      .execute()
  const rows = details.map((row, adSort) => ({
    ...detailColumns(row, adSort),
    schoolId,
    atId,
    adId: row.adId ?? newId(),
    delFlag: yesNo.no,
  }))
  await db
    .insertInto('awardDetail')
    .values(rows)
    .onConflict((on) =>
      on
        .columns(['schoolId', 'adId'])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            (
              [
                'adName',
                'adLevel',
                'hours',
                'credit',
                'points',
                'abilityFactor',
                'quotaType',
                'quota',
                'needProof',
                'adSort',
                'delFlag',
              ] as const
            ).map((column) => [column, eb.ref(`excluded.${column}`)]),
          ),
        ),
    )
    .execute()
}

/** Offers templates in new courses, or no longer; courses that have chosen them keep them. */
export const enableTemplates = (ctx: Context, { atIds, enable }: CallInput<'enable'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleTemplates(tx)
      .select(['atId', 'atName', 'enable'])
      .where(anyOf('atId', atIds))
      .forUpdate()
      .execute()
    if (rows.length !== atIds.length) throw new Failure('not-found')
    return enableRows(tx, { table: 'awardTemplate', id: 'atId', name: 'atName', what: '奖励模板' }, rows, enable)
  })

/** Deletes templates no course gives awards of. */
export const deleteTemplates = (ctx: Context, { atIds }: CallInput<'remove'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleTemplates(tx)
      .select(['atId', 'atName'])
      .where(sql<boolean>`"atId" = any(${atIds}::uuid[])`)
      .forUpdate()
      .execute()
    if (rows.length !== atIds.length) throw new Failure('not-found')
    const uses = [...(await templateUses(tx, atIds)).values()].reduce((sum, { all }) => sum + all, 0)
    if (uses > 0) throw new Failure('award-template-in-use', { n: uses })
    for (const table of ['awardDetail', 'awardTemplate'])
      await sql`
          delete from ${sql.table(table)} where "schoolId" = ${tx.actor.schoolId} and "atId" = any(${atIds}::uuid[])`.execute(
        tx.db,
      )
    await auditMany(
      tx,
      rows.map(({ atId, atName }) => ({
        action: '删除奖励模板',
        bizType: 'awardTemplate',
        bizId: atId,
        bizName: atName,
        before: { atName },
      })),
    )
    return { affected: rows.length }
  })

async function checkName(ctx: Context, atName: string, except?: string): Promise<void> {
  let query = visibleTemplates(ctx).select('atId').where('atName', '=', atName)
  if (except) query = query.where('atId', '!=', except)
  if (await query.executeTakeFirst()) throw new Failure('name-taken', { what: '奖励模板', name: atName })
}

const detailColumns = (row: CallInput<'add'>['details'][number], adSort: number) => ({
  adName: row.adName,
  adLevel: row.adLevel,
  abilityFactor: row.abilityFactor,
  hours: row.hours,
  credit: row.credit,
  points: row.points,
  quotaType: row.quotaType,
  quota: row.quotaType === quotaType.unlimited ? null : (row.quota ?? null),
  needProof: row.needProof ? yesNo.yes : yesNo.no,
  adSort,
})
