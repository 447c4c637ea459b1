import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { usesText } from '../../../contract/rules/curriculum/curriculum.schema.ts'
import { windowText } from '../../../contract/rules/curriculum/supplement-window.ts'
import { starRuleText } from '../../../contract/outcomes/transcripts/stars.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { enableRows } from '../../core/audit/enable-rows.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { areCredited, curriculumRows, movePaths, usesOf, type CurriculumRow } from './curriculum.queries.ts'
import { lockRows } from '../../core/database/lock-rows.ts'

type CallInput<K extends keyof typeof curriculumApi> = Checked<(typeof curriculumApi)[K]>
const deepest = 3

/** Runs a change of the tree with the tree in hand, one change of a school at a time. */
export const withTree = <R>(ctx: Context, work: (ctx: Context, rows: CurriculumRow[]) => Promise<R>): Promise<R> =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'curriculum')
    return work(tx, await curriculumRows(tx))
  })

/** Adds a node as the last one below its parent. */
export const addCurriculum = (ctx: Context, input: CallInput<'add'>) =>
  withTree(ctx, async (tx, rows) => {
    const parent = checkPlace(tx, rows, input, 1)
    await checkLevels(tx, input.allowLevels)
    const lsId = newId()
    const values = settingsOf(input)
    const place = { lsPath: [...(parent?.lsPath ?? []), lsId], lsSort: nextSort(rows, values.lsPid) }
    await tx.db
      .insertInto('curriculum')
      .values({ ...stored(values), ...place, ...createdColumns(tx), lsId })
      .execute()
    await audit(tx, {
      action: '新增课程体系',
      bizType: 'curriculum',
      bizId: lsId,
      bizName: input.lsName,
      after: auditText(values),
    })
    return { lsId }
  })

/**
 * Changes a node; with another parent it moves to the end there with everything below it, and the paths of courses and
 * supplements follow.
 */
export const editCurriculum = (ctx: Context, input: CallInput<'edit'>) =>
  withTree(ctx, async (tx, rows) => {
    const before = mine(rows, input.lsId)
    assertVersion(tx, before, input.version)
    const subtree = rows.filter(({ lsPath }) => lsPath.includes(input.lsId))
    const lsPid = input.lsPid ?? null
    const moves = lsPid !== before.lsPid
    const parent = checkMove(tx, rows, input, moves)
    if (
      input.lsType !== curriculumType.both &&
      subtree.some(({ lsId, lsType }) => lsId !== input.lsId && lsType !== input.lsType)
    )
      throw new Failure('curriculum-type-outside', { name: input.lsName })
    await checkLevels(tx, input.allowLevels)
    const after = settingsOf(input)
    await writeNode(tx, input.lsId, { ...stored(after), ...(moves && { lsSort: nextSort(rows, lsPid) }) })
    if (moves) await movePaths(tx, input.lsId, before.lsPath.length, parent?.lsPath ?? [])
    await audit(tx, {
      action: '编辑课程体系',
      bizType: 'curriculum',
      bizId: input.lsId,
      bizName: input.lsName,
      ...changedFields(auditText(before), auditText(after)),
    })
    return { affected: 1 }
  })

/**
 * Puts a node behind another one below a parent, or first there. Of two people who move the same node one wins, and the
 * other is told; so are those whose neighbour has meanwhile gone elsewhere. Moves of different nodes do not disturb
 * each other.
 */
export const moveCurriculum = (ctx: Context, { lsId, version, lsPid, after }: CallInput<'move'>) =>
  withTree(ctx, async (tx, rows) => {
    const node = mine(rows, lsId)
    assertVersion(tx, node, version)
    const moves = (lsPid ?? null) !== node.lsPid
    const parent = checkMove(tx, rows, { ...node, lsPid }, moves)
    const row = rows.filter((one) => one.lsPid === (lsPid ?? null) && one.lsId !== lsId).map((one) => one.lsId)
    if (after !== undefined && !row.includes(after)) throw new Failure('stale-version')
    const order = row.toSpliced(after === undefined ? 0 : row.indexOf(after) + 1, 0, lsId)
    await writeNode(tx, lsId, { lsPid: lsPid ?? null })
    if (moves) await movePaths(tx, lsId, node.lsPath.length, parent?.lsPath ?? [])
    await sql`
      update "curriculum" c
      set "lsSort" = n.place
      from unnest(${order}::uuid[]) with ordinality as n("lsId", place)
      where c."schoolId" = ${tx.actor.schoolId} and c."lsId" = n."lsId" and c."lsSort" <> n.place`.execute(tx.db)
    const nameOf = (id: string | null | undefined) => rows.find((one) => one.lsId === id)?.lsName ?? '一级模块'
    const before = rows.filter((one) => one.lsPid === node.lsPid).findIndex((one) => one.lsId === lsId)
    await audit(tx, {
      action: '移动课程体系',
      bizType: 'curriculum',
      bizId: lsId,
      bizName: node.lsName,
      before: { parent: nameOf(node.lsPid), place: before + 1 },
      after: { parent: nameOf(lsPid), place: order.indexOf(lsId) + 1 },
    })
    return { affected: 1 }
  })

/** Opens nodes for new courses and supplements, or closes them; what exists stays as it is. */
export const enableCurricula = (ctx: Context, { lsId: lsIds, enable }: CallInput<'enable'>) =>
  withTree(ctx, async (tx, rows) => {
    return enableRows(
      tx,
      { table: 'curriculum', id: 'lsId', name: 'lsName', what: '课程体系' },
      lsIds.map((lsId) => mine(rows, lsId)),
      enable,
    )
  })

/**
 * Deletes nodes nothing hangs on: no nodes below, courses, supplements, credits, scoring rules, flows or control areas.
 */
export const deleteCurricula = (ctx: Context, lsIds: string[]) =>
  withTree(ctx, async (tx, rows) => {
    const gone = lsIds.map((lsId) => mine(rows, lsId))
    const [first] = gone
    await lockRows(tx, 'curriculum', lsIds, 'update')
    const what = usesText(await usesOf(tx, lsIds))
    if (what) throw new Failure('curriculum-in-use', { name: first!.lsName, what: ` ${what}` })
    if (await areCredited(tx, lsIds))
      throw new Failure('curriculum-in-use', { name: first!.lsName, what: '已入账的学分记录' })
    // deepest first, so that a parent named together with its children goes after them
    for (const layer of [3, 2, 1]) {
      const layerIds = gone.filter(({ lsPath }) => lsPath.length === layer).map(({ lsId }) => lsId)
      if (layerIds.length > 0)
        await sql`
            delete from "curriculum" where "schoolId" = ${tx.actor.schoolId} and "lsId" = any(${layerIds}::uuid[])`.execute(
          tx.db,
        )
    }
    await auditMany(
      tx,
      gone.map((row) => ({
        action: '删除课程体系',
        bizType: 'curriculum',
        bizId: row.lsId,
        bizName: row.lsName,
        before: row,
      })),
    )
    return { affected: gone.length }
  })

/** Writes a node under its next version. */
async function writeNode(
  tx: Context,
  lsId: string,
  values: Partial<ReturnType<typeof stored<ReturnType<typeof settingsOf>>>> & { lsSort?: number },
): Promise<void> {
  await tx.db
    .updateTable('curriculum')
    .set({ ...values, ...updatedColumns(tx) })
    .where('schoolId', '=', tx.actor.schoolId)
    .where('lsId', '=', lsId)
    .execute()
}

const nextSort = (rows: CurriculumRow[], lsPid: string | null): number =>
  Math.max(-1, ...rows.filter((row) => row.lsPid === lsPid).map(({ lsSort }) => lsSort)) + 1

function mine(rows: CurriculumRow[], lsId: string): CurriculumRow {
  const row = rows.find((node) => node.lsId === lsId && node.mine)
  if (!row) throw new Failure('not-found')
  return row
}

interface Place {
  lsId?: string
  lsPid?: string | null | undefined
  lsName: string
  lsType: string
}

/** May a node with all below it stand below the wanted parent? Gives the parent. */
function checkMove(
  tx: Context,
  rows: CurriculumRow[],
  place: Place & { lsId: string },
  moves: boolean,
): CurriculumRow | undefined {
  const subtree = rows.filter(({ lsPath }) => lsPath.includes(place.lsId))
  if (place.lsPid && subtree.some(({ lsId }) => lsId === place.lsPid)) throw new Failure('curriculum-loop')
  const own = subtree.find(({ lsId }) => lsId === place.lsId)!
  return checkPlace(
    tx,
    rows,
    place,
    Math.max(...subtree.map(({ lsPath }) => lsPath.length)) - own.lsPath.length + 1,
    moves,
  )
}

/**
 * May a node with `layers` layers stand below the wanted parent, under this name and for this use? Gives the parent.
 */
function checkPlace(
  { scope }: Context,
  rows: CurriculumRow[],
  place: Place,
  layers: number,
  moves = true,
): CurriculumRow | undefined {
  const lsPid = place.lsPid ?? null
  const parent = rows.find(({ lsId }) => lsId === lsPid)
  if (moves && (lsPid === null ? !scope.whole : !parent?.mine)) throw new Failure('not-found')
  if ((parent?.lsPath.length ?? 0) + layers > deepest) throw new Failure('curriculum-too-deep')
  if (parent && parent.lsType !== curriculumType.both && parent.lsType !== place.lsType)
    throw new Failure('curriculum-type-outside', { name: parent.lsName })
  if (rows.some((row) => row.lsPid === lsPid && row.lsName === place.lsName && row.lsId !== place.lsId))
    throw new Failure('name-taken', { what: '课程体系', name: place.lsName })
  return parent
}

async function checkLevels(ctx: Context, levels: string[]): Promise<void> {
  if (levels.length === 0) return
  await lockRows(ctx, 'lessonLevel', levels, 'share')
  const known = await from(ctx, 'lessonLevel').select('llId').execute()
  if (levels.some((level) => !known.some(({ llId }) => llId === level)))
    throw invalidInput([{ field: 'allowLevels', msg: '所选级别不存在' }])
}

/** What a form says of a node. */
const settingsOf = (input: CallInput<'add'>) => ({
  lsPid: input.lsPid ?? null,
  lsName: input.lsName,
  lsCode: input.lsCode ?? '',
  lsType: input.lsType,
  lsIcon: input.lsIcon ?? '',
  lsColor: input.lsColor ?? '',
  required: input.required,
  minHours: input.minHours,
  maxHours: input.maxHours ?? null,
  termCap: input.termCap ?? null,
  ownerRoleId: input.ownerRoleId ?? null,
  allowLevels: [...new Set(input.allowLevels)],
  lsFormScheme: input.lsFormScheme,
  allowSup: input.allowSup,
  supWindow: input.supWindow ?? null,
  supProofs: [...new Set(input.supProofs)],
  supNote: input.supNote ?? '',
  starRule: input.starRule ?? null,
  enable: input.enable,
})
type Settings = Pick<CurriculumRow, 'supWindow' | 'starRule'>

const stored = <S extends Settings>(settings: S) => ({
  ...settings,
  supWindow: settings.supWindow && JSON.stringify(settings.supWindow),
  starRule: settings.starRule && JSON.stringify(settings.starRule),
})

/** For the audit trail: windows and stars in words, as people read them. */
const auditText = <S extends Settings>(settings: S) => ({
  ...settings,
  supWindow: settings.supWindow && windowText(settings.supWindow),
  starRule:
    settings.starRule &&
    starRuleText({ unit: settings.starRule.unit, steps: settings.starRule.steps.map(fromHundredths) }),
})
