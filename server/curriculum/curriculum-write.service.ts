import { sql } from 'kysely'
import type { Checked } from '../../contract/core/call.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import type { curriculumApi } from '../../contract/curriculum/curriculum.calls.ts'
import { audit, auditMany, changedFields } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { inTransaction } from '../core/transaction.ts'
import { takeTurn } from '../core/turn.ts'
import { curriculumRows, hangingOn, movePaths, type CurriculumRow } from './curriculum.queries.ts'

type Asked<K extends keyof typeof curriculumApi> = Checked<(typeof curriculumApi)[K]>
const deepest = 3

/** Runs a change of the tree with the tree in hand, one change of a school at a time. */
const withTree = <R>(ctx: Context, work: (ctx: Context, rows: CurriculumRow[]) => Promise<R>): Promise<R> =>
  inTransaction(ctx, async (tx) => {
    await takeTurn(tx, 'curriculum')
    return work(tx, await curriculumRows(tx))
  })

/** Adds a node as the last one below its parent. */
export const addCurriculum = (ctx: Context, input: Asked<'add'>) =>
  withTree(ctx, async (tx, rows) => {
    const parent = checkPlace(tx, rows, input, 1)
    await checkLevels(tx, input.allowLevels)
    const lsId = newId()
    const { schoolId, suId, suNickname } = tx.actor
    const now = tx.clock.now()
    const siblings = rows.filter(({ lsPid }) => lsPid === (input.lsPid ?? null))
    const values = { ...columns(input), lsPath: [...(parent?.lsPath ?? []), lsId], lsSort: Math.max(-1, ...siblings.map(({ lsSort }) => lsSort)) + 1 }
    await tx.db.insertInto('curriculum').values({ ...values, schoolId, lsId, createBy: suId, createName: suNickname, createTime: now, updateBy: suId, updateTime: now }).execute()
    await audit(tx, { action: '新增课程体系', bizType: 'curriculum', bizId: lsId, bizName: input.lsName, after: values })
    return { lsId }
  })

/** Changes a node; with another parent it moves there with everything below it, and the paths of courses and supplements follow. */
export const editCurriculum = (ctx: Context, input: Asked<'edit'>) =>
  withTree(ctx, async (tx, rows) => {
    const before = mine(rows, input.lsId)
    const subtree = rows.filter(({ lsPath }) => lsPath.includes(input.lsId))
    if (input.lsPid && subtree.some(({ lsId }) => lsId === input.lsPid)) throw new Failure('curriculum-loop')
    const depth = before.lsPath.length
    const moves = (input.lsPid ?? null) !== before.lsPid
    const parent = checkPlace(tx, rows, input, Math.max(...subtree.map(({ lsPath }) => lsPath.length)) - depth + 1, moves)
    if (input.lsType !== '3' && subtree.some(({ lsId, lsType }) => lsId !== input.lsId && lsType !== input.lsType)) throw new Failure('curriculum-type-outside', { name: input.lsName })
    await checkLevels(tx, input.allowLevels)
    const after = columns(input)
    const done = await tx.db
      .updateTable('curriculum')
      .set({ ...after, updateBy: tx.actor.suId, updateTime: tx.clock.now(), version: sql`"version" + 1` })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('lsId', '=', input.lsId)
      .where('version', '=', input.version)
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) throw new Failure('stale-version')
    if (moves) await movePaths(tx, input.lsId, depth, parent?.lsPath ?? [])
    await audit(tx, { action: '编辑课程体系', bizType: 'curriculum', bizId: input.lsId, bizName: input.lsName, ...changedFields(before, after) })
    return { affected: 1 }
  })

/** Swaps a node with its neighbour above or below; at the end of the row nothing happens. */
export const sortCurriculum = (ctx: Context, { lsId, to }: Asked<'sort'>) =>
  withTree(ctx, async (tx, rows) => {
    const node = mine(rows, lsId)
    const order = rows.filter(({ lsPid }) => lsPid === node.lsPid).map((row) => row.lsId)
    const at = order.indexOf(lsId)
    const other = to === 'up' ? at - 1 : at + 1
    if (other < 0 || other >= order.length) return { affected: 0 }
    ;[order[at], order[other]] = [order[other]!, order[at]!]
    await sql`update "curriculum" c set "lsSort" = n.place, "updateTime" = ${tx.clock.now()} from unnest(${order}::uuid[]) with ordinality as n("lsId", place)
      where c."schoolId" = ${tx.actor.schoolId} and c."lsId" = n."lsId" and c."lsSort" <> n.place`.execute(tx.db)
    await audit(tx, { action: '调整课程体系顺序', bizType: 'curriculum', bizId: lsId, bizName: node.lsName, before: { place: at + 1 }, after: { place: other + 1 } })
    return { affected: 1 }
  })

/** Deletes nodes nothing hangs on: no nodes below, courses, supplements, scoring rules, flows or control areas. */
export const deleteCurricula = (ctx: Context, lsIds: string[]) =>
  withTree(ctx, async (tx, rows) => {
    const gone = lsIds.map((lsId) => mine(rows, lsId))
    const what = await hangingOn(tx, lsIds)
    if (what) throw new Failure('curriculum-in-use', { what })
    // deepest first, so that a parent named together with its children goes after them
    for (const layer of [3, 2, 1]) {
      const layerIds = gone.filter(({ lsPath }) => lsPath.length === layer).map(({ lsId }) => lsId)
      if (layerIds.length > 0) await sql`delete from "curriculum" where "schoolId" = ${tx.actor.schoolId} and "lsId" = any(${layerIds}::uuid[])`.execute(tx.db)
    }
    await auditMany(tx, gone.map((row) => ({ action: '删除课程体系', bizType: 'curriculum', bizId: row.lsId, bizName: row.lsName, before: row })))
    return { affected: gone.length }
  })

function mine(rows: CurriculumRow[], lsId: string): CurriculumRow {
  const row = rows.find((node) => node.lsId === lsId && node.mine)
  if (!row) throw new Failure('not-found')
  return row
}

/** May a node with `layers` layers stand below the wanted parent, under this name and for this use? Gives the parent. */
function checkPlace({ scope }: Context, rows: CurriculumRow[], input: Asked<'add'> & { lsId?: string }, layers: number, moves = true): CurriculumRow | undefined {
  const lsPid = input.lsPid ?? null
  const parent = rows.find(({ lsId }) => lsId === lsPid)
  if (moves && (lsPid === null ? !scope.whole : !parent?.mine)) throw new Failure('not-found')
  if ((parent?.lsPath.length ?? 0) + layers > deepest) throw new Failure('curriculum-too-deep')
  if (parent && parent.lsType !== '3' && parent.lsType !== input.lsType) throw new Failure('curriculum-type-outside', { name: parent.lsName })
  if (rows.some((row) => row.lsPid === lsPid && row.lsName === input.lsName && row.lsId !== input.lsId)) throw new Failure('name-taken', { what: '课程体系', name: input.lsName })
  return parent
}

async function checkLevels({ db, actor }: Context, levels: string[]): Promise<void> {
  if (levels.length === 0) return
  const known = await db.selectFrom('lessonLevel').select('llId').where('schoolId', '=', actor.schoolId).execute()
  if (levels.some((level) => !known.some(({ llId }) => llId === level))) throw invalidInput([{ field: 'allowLevels', msg: '所选级别不存在' }])
}

const columns = (input: Asked<'add'>) => ({
  lsPid: input.lsPid ?? null,
  lsName: input.lsName,
  lsCode: input.lsCode ?? '',
  lsType: input.lsType,
  lsColor: input.lsColor ?? '',
  required: input.required,
  minHours: input.minHours,
  maxHours: input.maxHours ?? null,
  termCap: input.termCap ?? null,
  ownerRoleId: input.ownerRoleId ?? null,
  allowLevels: [...new Set(input.allowLevels)],
  lsFormScheme: input.lsFormScheme,
  enable: input.enable,
})
