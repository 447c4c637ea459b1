import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { enableRows } from '../../core/audit/enable-rows.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import { labelOnWire, labelRows, usesOfLabel, visibleLabels, type LabelRow } from './labels.queries.ts'
import { platformLabels, type PlatformLabel } from './platform-labels.ts'
import { lockRows } from '../../core/database/lock-rows.ts'
import { figure } from '../../../contract/core/figure.ts'

type CallInput<K extends keyof typeof labelApi> = Checked<(typeof labelApi)[K]>

/** Groups with their labels. A group is shown when it or one of its labels fits the filter, then with those labels. */
export async function listLabels(ctx: Context, { sqlName, enable }: CallInput<'all'>) {
  const rows = await labelRows(ctx)
  const fits = (row: (typeof rows)[number]) =>
    (!sqlName || row.sqlName.includes(sqlName)) && (!enable || row.enable === enable)
  return rows
    .filter(({ sqlPid }) => sqlPid === null)
    .map((group) => {
      const all = rows.filter(({ sqlPid }) => sqlPid === group.sqlId)
      const children =
        sqlName && group.sqlName.includes(sqlName)
          ? all.filter((row) => !enable || row.enable === enable)
          : all.filter(fits)
      return {
        shown: fits(group) || children.length > 0,
        row: { ...labelOnWire(ctx, group, all.length), children: children.map((row) => labelOnWire(ctx, row, 0)) },
      }
    })
    .flatMap(({ shown, row }) => (shown ? [row] : []))
}

/** One label as the list shows it; undefined where there is none. */
export async function labelForEdit(ctx: Context, sqlId: string) {
  const row = (await labelRows(ctx)).find((label) => label.sqlId === sqlId)
  return row && labelOnWire(ctx, row, 0)
}

/** The catalogue, with a mark on what the school already has, by its origin or by its name. */
export async function platformCatalogue(ctx: Context) {
  const own = await visibleLabels(ctx).select(['platformId', 'sqlName']).execute()
  const mark = ({ platformId, sqlName, sqlColor, sqlDesc }: PlatformLabel) => ({
    platformId,
    sqlName,
    sqlColor,
    sqlDesc,
    adopted: own.some((row) => row.platformId === platformId || row.sqlName === sqlName),
  })
  return platformLabels.map((group) => ({ ...mark(group), children: group.children.map(mark) }))
}

/**
 * Copies labels of the catalogue into the school, with the groups they need; what the school already has is left alone.
 */
export const adoptLabels = (ctx: Context, { ids }: CallInput<'adopt'>) =>
  inLockedTransaction(ctx, 'labels', async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const known = new Set<string>(
      platformLabels.flatMap((group) => [group.platformId, ...group.children.map(({ platformId }) => platformId)]),
    )
    if (ids.some((id) => !known.has(id))) throw new Failure('not-found')
    const own = await visibleLabels(tx).select(['sqlId', 'sqlPid', 'platformId', 'sqlName', 'sqlSort']).execute()
    const next = (sqlPid: string | null) => nextSort(own, sqlPid)
    const has = (label: { platformId: string; sqlName: string }) =>
      own.find((row) => row.platformId === label.platformId || row.sqlName === label.sqlName)
    const stamp = {
      schoolId,
      createBy: suId,
      createName: suNickname,
      createTime: tx.clock.now(),
      updateBy: suId,
      updateTime: tx.clock.now(),
    }
    const rows = platformLabels.flatMap((group, at) => {
      const missing = group.children.filter((label) => ids.includes(label.platformId) && !has(label))
      const present = has(group)
      if (missing.length === 0 && (present || !ids.includes(group.platformId))) return []
      const sqlPid = present ? (present.sqlPid ?? present.sqlId) : newId()
      const { children: _, ...face } = group
      const first = present ? next(sqlPid) : 0
      const children = missing.map((label, sort) => ({
        ...stamp,
        ...label,
        sqlId: newId(),
        sqlPid,
        sqlSort: first + sort,
      }))
      return [
        ...(present ? [] : [{ ...stamp, ...face, sqlId: sqlPid, sqlPid: null, sqlSort: next(null) + at }]),
        ...children,
      ]
    })
    if (rows.length > 0) await tx.db.insertInto('qualityLabel').values(rows).execute()
    await auditMany(
      tx,
      rows.map((row) => ({
        action: '采用平台标签',
        bizType: 'qualityLabel',
        bizId: row.sqlId,
        bizName: row.sqlName,
        after: { platformId: row.platformId },
      })),
    )
    return { affected: rows.length }
  })

/**
 * Changes a label, or adds one of the school's own where no `sqlId` is given. Labels stand in groups, groups in
 * nothing.
 */
export const saveLabel = (ctx: Context, { sqlId, version, ...input }: CallInput<'edit'>) =>
  inLockedTransaction(ctx, 'labels', async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const rows = await labelRows(tx)
    const before = rows.find((row) => row.sqlId === sqlId)
    if (sqlId) assertVersion(tx, before, version)
    if (rows.some((row) => row.sqlName === input.sqlName && row.sqlId !== sqlId))
      throw new Failure('name-taken', { what: '素质标签', name: input.sqlName })
    const group = rows.find((row) => row.sqlId === input.sqlPid)
    if (input.sqlPid && (!group || group.sqlPid !== null || group.sqlId === sqlId)) throw new Failure('not-found')
    const below = rows.filter(({ sqlPid }) => sqlPid === sqlId).length
    if (before && before.sqlPid === null && input.sqlPid && below > 0)
      throw new Failure('label-in-use', { name: before.sqlName, why: `下仍有 ${below} 个标签` })
    if (before && before.sqlPid !== null && !input.sqlPid) assertUnused(before)
    const sqlPid = input.sqlPid ?? null
    const sqlSort = input.sqlSort ?? (before && before.sqlPid === sqlPid ? before.sqlSort : nextSort(rows, sqlPid))
    const face = {
      ...input,
      sqlPid,
      sqlSort,
      sqlCode: input.sqlCode ?? '',
      sqlDesc: input.sqlDesc ?? '',
      sqlColor: input.sqlColor ?? group?.sqlColor ?? '',
    }
    // levels after the last that is told are not kept
    const stored = { ...face, levels: input.levels.slice(0, input.levels.findLastIndex((text) => text !== '') + 1) }
    const values = { ...stored, levels: JSON.stringify(stored.levels) }
    const stamp = { updateBy: suId, updateTime: tx.clock.now() }
    if (!before) {
      const id = newId()
      await tx.db
        .insertInto('qualityLabel')
        .values({
          ...values,
          ...stamp,
          schoolId,
          sqlId: id,
          createBy: suId,
          createName: suNickname,
          createTime: stamp.updateTime,
        })
        .execute()
      await audit(tx, {
        action: '新增素质标签',
        bizType: 'qualityLabel',
        bizId: id,
        bizName: input.sqlName,
        after: stored,
      })
      return { sqlId: id }
    }
    await tx.db
      .updateTable('qualityLabel')
      .set({ ...values, ...stamp, version: before.version + 1 })
      .where('schoolId', '=', schoolId)
      .where('sqlId', '=', before.sqlId)
      .execute()
    await audit(tx, {
      action: '编辑素质标签',
      bizType: 'qualityLabel',
      bizId: before.sqlId,
      bizName: input.sqlName,
      ...changedFields(before, stored),
    })
    return { sqlId: before.sqlId }
  })

/**
 * Puts a label behind another one of a group, or a group behind another group; of two who move the same one the second
 * is told.
 */
export const moveLabel = (ctx: Context, { sqlId, version, sqlPid, after }: CallInput<'move'>) =>
  inLockedTransaction(ctx, 'labels', async (tx) => {
    const { schoolId } = tx.actor
    const rows = await labelRows(tx)
    const label = rows.find((row) => row.sqlId === sqlId)
    const group = rows.find((row) => row.sqlId === sqlPid)
    // groups stay groups and labels stay in groups: what else would follow is for the form to ask
    if (!label || (label.sqlPid === null ? sqlPid !== undefined : group?.sqlPid !== null))
      throw new Failure('not-found')
    assertVersion(tx, label, version)
    const others = rows.filter((row) => row.sqlPid === (sqlPid ?? null) && row.sqlId !== sqlId).map((row) => row.sqlId)
    if (after !== undefined && !others.includes(after)) throw new Failure('stale-version')
    const order = others.toSpliced(after === undefined ? 0 : others.indexOf(after) + 1, 0, sqlId)
    await tx.db
      .updateTable('qualityLabel')
      .set({ sqlPid: sqlPid ?? null, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('sqlId', '=', sqlId)
      .execute()
    await sql`
      update "qualityLabel" l
      set "sqlSort" = n.place
      from unnest(${order}::uuid[]) with ordinality as n("sqlId", place)
      where l."schoolId" = ${schoolId} and l."sqlId" = n."sqlId" and l."sqlSort" <> n.place`.execute(tx.db)
    await audit(tx, {
      action: '移动素质标签',
      bizType: 'qualityLabel',
      bizId: sqlId,
      bizName: label.sqlName,
      after: { group: group?.sqlName ?? '', place: order.indexOf(sqlId) + 1 },
    })
    return { affected: 1 }
  })

/** Opens labels for new scoring rules, or closes them; what was scored stays. */
export const enableLabels = (ctx: Context, { sqlId: sqlIds, enable }: CallInput<'enable'>) =>
  inLockedTransaction(ctx, 'labels', async (tx) => {
    const rows = (await labelRows(tx)).filter(({ sqlId }) => sqlIds.includes(sqlId))
    if (rows.length !== sqlIds.length) throw new Failure('not-found')
    return enableRows(tx, { table: 'qualityLabel', id: 'sqlId', name: 'sqlName', what: '素质标签' }, rows, enable)
  })

/** The scoring rules that give points for a label. */
export async function labelUses(ctx: Context, { sqlId }: CallInput<'uses'>) {
  if (!(await visibleLabels(ctx).select('sqlId').where('sqlId', '=', sqlId).executeTakeFirst()))
    throw new Failure('not-found')
  return usesOfLabel(ctx, sqlId)
}

/** Deletes labels that no scoring rule and no model names; a group only together with all its labels. */
export const deleteLabels = (ctx: Context, sqlIds: string[]) =>
  inLockedTransaction(ctx, 'labels', async (tx) => {
    await lockRows(tx, 'qualityLabel', sqlIds, 'update')
    const rows = await labelRows(tx)
    const gone = rows.filter(({ sqlId }) => sqlIds.includes(sqlId))
    if (gone.length !== sqlIds.length) throw new Failure('not-found')
    gone.forEach(assertUnused)
    for (const { sqlId, sqlName } of gone) {
      const left = rows.filter((row) => row.sqlPid === sqlId && !sqlIds.includes(row.sqlId)).length
      if (left > 0) throw new Failure('label-in-use', { name: sqlName, why: `下仍有 ${left} 个标签` })
    }
    await sql`
      delete from "qualityLabel" where "schoolId" = ${tx.actor.schoolId} and "sqlId" = any(${sqlIds}::uuid[])`.execute(
      tx.db,
    )
    await auditMany(
      tx,
      gone.map((row) => ({
        action: '删除素质标签',
        bizType: 'qualityLabel',
        bizId: row.sqlId,
        bizName: row.sqlName,
        before: row,
      })),
    )
    return { affected: gone.length }
  })

function assertUnused({ sqlName, usedCount, inModel }: LabelRow): void {
  const why = [usedCount > 0 && `已被 ${figure(usedCount)} 条评价规则采用`, inModel && '已选入素质模型']
    .filter(Boolean)
    .join('、')
  if (why) throw new Failure('label-in-use', { name: sqlName, why })
}

const nextSort = (rows: readonly { sqlPid: string | null; sqlSort: number }[], sqlPid: string | null): number =>
  Math.max(-1, ...rows.filter((row) => row.sqlPid === sqlPid).map(({ sqlSort }) => sqlSort)) + 1

/** The catalogue's labels as tags for courses. */
export const lessonLabels = async () =>
  platformLabels.flatMap((group) =>
    group.children.map(({ platformId, sqlName }) => ({ id: platformId, name: sqlName, groupName: group.sqlName })),
  )

/** The school's open labels below their groups. */
export async function qualityGroups(ctx: Context) {
  const rows = await visibleLabels(ctx)
    .select(['sqlId', 'sqlPid', 'sqlName', 'sqlColor'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('sqlSort')
    .orderBy('sqlId')
    .execute()
  const face = ({ sqlId, sqlName, sqlColor }: (typeof rows)[number]) => ({ sqlId, sqlName, sqlColor })
  return rows
    .filter(({ sqlPid }) => sqlPid === null)
    .map((group) => ({ ...face(group), children: rows.filter(({ sqlPid }) => sqlPid === group.sqlId).map(face) }))
}

/** The open abilities that scoring may give weight to: the labels below the groups. */
export async function abilityOptions(ctx: Context) {
  const groups = await qualityGroups(ctx)
  return groups.flatMap(({ children, sqlName }) => children.map((label) => ({ ...label, groupName: sqlName })))
}
