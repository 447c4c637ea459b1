import { sql } from 'kysely'
import type { Checked } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { labelApi } from '../../contract/labels/labels.calls.ts'
import { audit, auditMany, changedFields } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { inTransaction } from '../core/transaction.ts'
import { takeTurn } from '../core/turn.ts'
import { labelOnWire, labelRows, visibleLabels } from './labels.queries.ts'
import { platformLabels } from './platform-labels.ts'

type Asked<K extends keyof typeof labelApi> = Checked<(typeof labelApi)[K]>

const inTurn = <R>(ctx: Context, work: (ctx: Context) => Promise<R>): Promise<R> =>
  inTransaction(ctx, async (tx) => {
    await takeTurn(tx, 'labels')
    return work(tx)
  })

/** Groups with their labels. A group is shown when it or one of its labels fits the filter, then with those labels. */
export async function listLabels(ctx: Context, { sqlName, enable }: Asked<'all'>) {
  const rows = await labelRows(ctx)
  const fits = (row: (typeof rows)[number]) => (!sqlName || row.sqlName.includes(sqlName)) && (!enable || row.enable === enable)
  return rows
    .filter(({ sqlPid }) => sqlPid === null)
    .map((group) => {
      const all = rows.filter(({ sqlPid }) => sqlPid === group.sqlId)
      const children = sqlName && group.sqlName.includes(sqlName) ? all.filter((row) => !enable || row.enable === enable) : all.filter(fits)
      return { shown: fits(group) || children.length > 0, row: { ...labelOnWire(ctx, group, all.length), children: children.map((row) => labelOnWire(ctx, row, 0)) } }
    })
    .flatMap(({ shown, row }) => (shown ? [row] : []))
}

/** The catalogue, with a mark on what the school already has, by its origin or by its name. */
export async function platformCatalogue(ctx: Context) {
  const own = await visibleLabels(ctx).select(['platformId', 'sqlName']).execute()
  const mark = ({ platformId, sqlName, sqlColor }: { platformId: string; sqlName: string; sqlColor: string }) => ({
    platformId,
    sqlName,
    sqlColor,
    adopted: own.some((row) => row.platformId === platformId || row.sqlName === sqlName),
  })
  return platformLabels.map((group) => ({ ...mark(group), children: group.children.map(mark) }))
}

/** Copies labels of the catalogue into the school, with the groups they need; what the school already has is left alone. */
export const adoptLabels = (ctx: Context, { ids }: Asked<'adopt'>) =>
  inTurn(ctx, async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const known = new Set<string>(platformLabels.flatMap((group) => [group.platformId, ...group.children.map(({ platformId }) => platformId)]))
    if (ids.some((id) => !known.has(id))) throw new Failure('not-found')
    const own = await visibleLabels(tx).select(['sqlId', 'sqlPid', 'platformId', 'sqlName']).execute()
    const has = (label: { platformId: string; sqlName: string }) => own.find((row) => row.platformId === label.platformId || row.sqlName === label.sqlName)
    const stamp = { schoolId, createBy: suId, createName: suNickname, createTime: tx.clock.now(), updateBy: suId, updateTime: tx.clock.now() }
    const rows = platformLabels.flatMap((group, sqlSort) => {
      const children = group.children.map((label, sort) => ({ ...label, sqlSort: sort })).filter((label) => ids.includes(label.platformId) && !has(label))
      const present = has(group)
      if (children.length === 0 && (present || !ids.includes(group.platformId))) return []
      const sqlPid = present ? (present.sqlPid ?? present.sqlId) : newId()
      const { children: _, ...face } = group
      return [...(present ? [] : [{ ...stamp, ...face, sqlId: sqlPid, sqlPid: null, sqlSort }]), ...children.map((label) => ({ ...stamp, ...label, sqlId: newId(), sqlPid }))]
    })
    if (rows.length > 0) await tx.db.insertInto('qualityLabel').values(rows).execute()
    await auditMany(tx, rows.map((row) => ({ action: '采用平台标签', bizType: 'qualityLabel', bizId: row.sqlId, bizName: row.sqlName, after: { platformId: row.platformId } })))
    return { affected: rows.length }
  })

/** Changes a label, or adds one of the school's own where no `sqlId` is given. Labels stand in groups, groups in nothing. */
export const saveLabel = (ctx: Context, { sqlId, version, ...input }: Asked<'edit'>) =>
  inTurn(ctx, async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const rows = await labelRows(tx)
    const before = rows.find((row) => row.sqlId === sqlId)
    if (sqlId && !before) throw new Failure('not-found')
    if (rows.some((row) => row.sqlName === input.sqlName && row.sqlId !== sqlId)) throw new Failure('name-taken', { what: '素质标签', name: input.sqlName })
    const group = rows.find((row) => row.sqlId === input.sqlPid)
    if (input.sqlPid && (!group || group.sqlPid !== null || group.sqlId === sqlId)) throw new Failure('not-found')
    if (before && before.sqlPid === null && input.sqlPid && rows.some(({ sqlPid }) => sqlPid === sqlId)) throw new Failure('label-in-use', { name: before.sqlName, why: '下仍有标签' })
    if (before && before.sqlPid !== null && !input.sqlPid && before.usedCount > 0) throw new Failure('label-in-use', { name: before.sqlName, why: '已被评价规则采用' })
    const values = { ...input, sqlPid: input.sqlPid ?? null, sqlCode: input.sqlCode ?? '', sqlDesc: input.sqlDesc ?? '', sqlColor: input.sqlColor ?? group?.sqlColor ?? '' }
    const stamp = { updateBy: suId, updateTime: tx.clock.now() }
    if (!before) {
      const id = newId()
      await tx.db.insertInto('qualityLabel').values({ ...values, ...stamp, schoolId, sqlId: id, createBy: suId, createName: suNickname, createTime: stamp.updateTime }).execute()
      await audit(tx, { action: '新增素质标签', bizType: 'qualityLabel', bizId: id, bizName: input.sqlName, after: values })
      return { sqlId: id }
    }
    const done = await tx.db.updateTable('qualityLabel').set({ ...values, ...stamp, version: before.version + 1 }).where('schoolId', '=', schoolId).where('sqlId', '=', before.sqlId).where('version', '=', version!).executeTakeFirst()
    if (done.numUpdatedRows === 0n) throw new Failure('stale-version')
    await audit(tx, { action: '编辑素质标签', bizType: 'qualityLabel', bizId: before.sqlId, bizName: input.sqlName, ...changedFields(before, values) })
    return { sqlId: before.sqlId }
  })

/** Deletes labels no scoring rule names; a group only together with all its labels. */
export const deleteLabels = (ctx: Context, sqlIds: string[]) =>
  inTurn(ctx, async (tx) => {
    const rows = await labelRows(tx)
    const gone = rows.filter(({ sqlId }) => sqlIds.includes(sqlId))
    if (gone.length !== sqlIds.length) throw new Failure('not-found')
    const used = gone.find(({ usedCount }) => usedCount > 0)
    if (used) throw new Failure('label-in-use', { name: used.sqlName, why: '已被评价规则采用' })
    const full = gone.find((group) => rows.some((row) => row.sqlPid === group.sqlId && !sqlIds.includes(row.sqlId)))
    if (full) throw new Failure('label-in-use', { name: full.sqlName, why: '下仍有标签' })
    await sql`delete from "qualityLabel" where "schoolId" = ${tx.actor.schoolId} and "sqlId" = any(${sqlIds}::uuid[])`.execute(tx.db)
    await auditMany(tx, gone.map((row) => ({ action: '删除素质标签', bizType: 'qualityLabel', bizId: row.sqlId, bizName: row.sqlName, before: row })))
    return { affected: gone.length }
  })

/** The catalogue's labels as tags for courses. */
export const lessonLabels = async () => platformLabels.flatMap((group) => group.children.map(({ platformId, sqlName }) => ({ id: platformId, name: sqlName, groupName: group.sqlName })))

/** The school's open labels below their groups. */
export async function qualityGroups(ctx: Context) {
  const rows = await visibleLabels(ctx).select(['sqlId', 'sqlPid', 'sqlName', 'sqlColor']).where('enable', '=', '1').orderBy('sqlSort').orderBy('sqlId').execute()
  const face = ({ sqlId, sqlName, sqlColor }: (typeof rows)[number]) => ({ sqlId, sqlName, sqlColor })
  return rows.filter(({ sqlPid }) => sqlPid === null).map((group) => ({ ...face(group), children: rows.filter(({ sqlPid }) => sqlPid === group.sqlId).map(face) }))
}

/** The open abilities that scoring may give weight to: the labels below the groups. */
export async function abilityOptions(ctx: Context) {
  const groups = await qualityGroups(ctx)
  return groups.flatMap(({ children, sqlName }) => children.map((label) => ({ ...label, groupName: sqlName })))
}
