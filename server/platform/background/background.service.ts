import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Checked, ForAll, Output } from '../../../contract/core/call.ts'
import { fullPath } from '../../../contract/core/call.ts'
import { backgroundItemStatus, backgroundKind, backgroundStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import {
  undoMinutes,
  type backgroundApi,
  type BackgroundTask,
} from '../../../contract/platform/background/background.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { recordset, chunksOf } from '../../core/database/bulk.ts'
import { asPage, countOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { assertFreshCode } from '../../core/http/fresh-code.ts'
import { cancelJobs, enqueue } from '../../core/jobs/jobs.ts'
import type { Context } from '../../core/request/context.ts'
import { checkInput } from '../../core/request/input.ts'
import { lockWithinSchool } from '../../core/request/advisory-lock.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { countRows, findRows, inputFor, knownFields, type FoundRow } from './found-rows.ts'
import type { Registry } from './registry.ts'
import {
  assertSchoolHasRoom,
  asTask,
  canUndo,
  openStatuses,
  ownTasks,
  taskRows,
  type TaskRow,
} from './tasks.queries.ts'

export const backgroundJobs = { act: 'background:act', export: 'background:export' } as const

/** Tasks that a person may have waiting or running at a time. */
const maxOpen = 5

/** How many rows of a list fit a filter; what an action on all of them would be done to. */
export const countAll =
  (registry: Registry) =>
  async (ctx: Context, { list, filter }: Checked<typeof backgroundApi.countAll>) => ({
    total: await countRows(ctx, registry.listRoute(ctx.actor, list), filter),
  })

/**
 * Starts an action on all rows of a list that fit a filter. Which rows these are is settled now, within what the person
 * sees; that it is their number that the person has confirmed is asked for.
 * @throws Failure `all-changed` with the number as it is now
 */
export const actOnAll =
  (registry: Registry) =>
  async (ctx: Context, { list, filter, act, given, title, total }: Checked<typeof backgroundApi.actOnAll>) => {
    const { actor } = ctx
    const { route, how } = registry.actRoute(actor, act, list)
    const listRoute = registry.listRoute(actor, list)
    const rows = await findRows(ctx, { list: listRoute, filter, how, expected: total })
    // what the call would refuse of any request is refused now, with its fields
    checkInput(route.call.input, inputFor(how, given, rows.slice(0, 1)))
    assertFreshCode(route.call, ctx)
    return startAct(ctx, {
      title: title ? `${listRoute.call.summary}：${title}` : route.call.summary,
      act,
      list,
      filter: knownFields(listRoute.call, filter),
      given: knownFields(route.call, given),
      rows,
    })
  }

interface NewAct {
  title: string
  act: string
  list: string
  filter: Record<string, unknown>
  given: Record<string, unknown>
  rows: readonly FoundRow[]
  undoOf?: string
}

const startAct = (ctx: Context, { title, act, list, filter, given, rows, undoOf }: NewAct) =>
  inTransaction(ctx, async (tx) => {
    const { actor, db } = tx
    const btId = await insertTask(tx, backgroundKind.act, {
      btTitle: title,
      callPath: act,
      listPath: list,
      btInput: given,
      filter,
      total: rows.length,
      undoOf: undoOf ?? null,
      reason: typeof given['reason'] === 'string' ? given['reason'] : '',
    })
    let at = 0
    for await (const part of chunksOf(rows, 5000)) {
      const numbered = part.map((row) => ({ ...row, itemNo: at++ }))
      await sql`
        insert into "backgroundItem" ("schoolId", "btId", "itemNo", "itemId", "itemName", "groupId", "pairId")
        select ${actor.schoolId}, ${btId}::uuid, r."itemNo", r."itemId", r."itemName", r."groupId", r."pairId"
        from ${recordset(numbered, { itemNo: 'int', itemId: 'uuid', itemName: 'text', groupId: 'text', pairId: 'text' })}`.execute(
        db,
      )
    }
    await audit(tx, {
      action: undoOf ? '撤销批量操作' : '批量操作全部记录',
      bizType: 'background',
      bizId: btId,
      bizName: title,
      reason: typeof given['reason'] === 'string' ? given['reason'] : '',
      after: { rows: rows.length, filter, ...(undoOf && { undoOf }) },
    })
    return { btId, total: rows.length }
  })

type NewTask = {
  btTitle: string
  callPath: string
  btInput: object
  listPath?: string
  filter?: object
  total: number | null
  undoOf?: string | null
  reason: string
}

/** Lets one transaction at a time start tasks of a person: how many are open, and what is undone, is asked before. */
const lockTasks = (tx: Context): Promise<void> => lockWithinSchool(tx, 'background', [tx.actor.suId])

/** Keeps a task and asks for its job; both are there once the transaction has been committed, or neither. */
async function insertTask(
  tx: Context,
  kind: 'act' | 'export',
  { btInput, filter = {}, ...task }: NewTask,
): Promise<string> {
  const { actor, clock, db, origin } = tx
  await lockTasks(tx)
  const n = await countOf(ownTasks(tx).where('b.btStatus', 'in', openStatuses))
  if (n >= maxOpen) throw new Failure('background-waiting', { n })
  await assertSchoolHasRoom(tx)
  const btId = newId()
  const jobId = await enqueue(tx, {
    schoolId: actor.schoolId,
    kind: backgroundJobs[kind],
    key: btId,
    createBy: actor.suId,
    payload: { btId, suId: actor.suId },
  })
  await db
    .insertInto('backgroundTask')
    .values({
      schoolId: actor.schoolId,
      btId,
      btKind: kind,
      ...task,
      btInput: JSON.stringify(btInput),
      filter: JSON.stringify(filter),
      origin: JSON.stringify({
        requestId: origin.requestId,
        ip: origin.ip,
        agent: origin.agent,
        wantsCsv: origin.wantsCsv === true,
      }),
      jobId,
      createBy: actor.suId,
      createName: actor.suNickname,
      createTime: clock.now(),
    })
    .execute()
  return btId
}

/** Takes back what an action on all has done, by the call that takes a single one back; what has gone on stays. */
export const undoTask =
  (registry: Registry) =>
  (ctx: Context, { btId }: Checked<typeof backgroundApi.undo>) =>
    inTransaction(ctx, async (tx) => {
      await lockTasks(tx)
      const row = await taskOf(tx, btId)
      const how = howOf(registry, tx, row)
      const given = how?.undo?.given(row.btInput as Record<string, unknown>)
      if (!how?.undo || !given || !canUndo(row, how, tx.clock.now()))
        throw new Failure('background-undo-late', { n: undoMinutes })
      const { call } = registry.undoRoute(tx.actor, how.undo.path)
      assertFreshCode(call, tx)
      const kept = await ownTasks(tx).select('b.filter').where('b.btId', '=', btId).executeTakeFirstOrThrow()
      const rows = await from(tx, 'backgroundItem')
        .select(['itemId', 'itemName', 'groupId', 'pairId'])
        .where('btId', '=', btId)
        .where('itemStatus', '=', backgroundItemStatus.done)
        .orderBy('itemNo')
        .execute()
      return startAct(tx, {
        title: `撤销：${row.btTitle}`,
        act: fullPath(call),
        list: row.listPath ?? '',
        filter: kept.filter as Record<string, unknown>,
        given,
        rows,
        undoOf: btId,
      })
    })

/** Starts an export whose file is fetched when it is done; refused at once where the call itself would be. */
export const exportInBackground =
  (registry: Registry) =>
  async (ctx: Context, { call, input, rows, csv }: Checked<typeof backgroundApi.exportFile>) => {
    const route = registry.exportRoute(ctx.actor, call)
    checkInput(route.call.input, input)
    assertFreshCode(route.call, ctx)
    const known = knownFields(route.call, input)
    const { reason, ...filter } = known as { reason?: string }
    return inTransaction({ ...ctx, origin: { ...ctx.origin, wantsCsv: csv === true } }, async (tx) => ({
      btId: await insertTask(tx, backgroundKind.export, {
        btTitle: route.call.summary,
        callPath: call,
        btInput: known,
        filter,
        total: rows ?? null,
        reason: reason ?? '',
      }),
    }))
  }

/** Work of other kinds that a person has under way or had lately, such as imports; handed in by who knows of it. */
export type OtherWork = (ctx: Context) => Promise<BackgroundTask[]>

/** The person's tasks, the latest first, with how far they are. */
export const listTasks =
  (registry: Registry, others: readonly OtherWork[]) =>
  async (
    ctx: Context,
    { current, pageSize, ...paging }: Checked<typeof backgroundApi.list>,
  ): Promise<Output<typeof backgroundApi.list>> => {
    const now = ctx.clock.now()
    const [rows, ...work] = await Promise.all([
      taskRows(ctx).orderBy('b.createTime', 'desc').orderBy('b.btId').limit(listed).execute(),
      ...others.map((other) => other(ctx)),
    ])
    const tasks = [...rows.map((row) => asTask(row, howOf(registry, ctx, row), now)), ...work.flat()].toSorted((a, b) =>
      a.createTime < b.createTime ? 1 : -1,
    )
    const page = tasks.slice((current - 1) * pageSize, current * pageSize)
    return asPage(page, tasks.length, { current, pageSize, ...paging })
  }

/** The latest tasks of a person; older ones are in the trail. */
const listed = 200

/** How an action is done to the rows of its list; undefined for exports, for undoing, and once the right is gone. */
function howOf(registry: Registry, { actor }: Context, row: TaskRow): ForAll | undefined {
  if (row.btKind !== backgroundKind.act || row.undoOf !== null) return undefined
  try {
    return registry.actRoute(actor, row.callPath, row.listPath ?? '').how
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

async function taskOf(ctx: Context, btId: string): Promise<TaskRow> {
  const row = await taskRows(ctx).where('b.btId', '=', btId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** Stops a task that waits or runs. What has been done stays done; of an export nothing is kept. */
export const cancelTask = (ctx: Context, { btId }: Checked<typeof backgroundApi.cancel>) =>
  inTransaction(ctx, async (tx) => {
    const { actor, clock, db } = tx
    const { numUpdatedRows } = await db
      .updateTable('backgroundTask')
      .set({ btStatus: backgroundStatus.cancelled, endTime: clock.now() })
      .where('schoolId', '=', actor.schoolId)
      .where('createBy', '=', actor.suId)
      .where('btId', '=', btId)
      .where('btStatus', 'in', openStatuses)
      .executeTakeFirst()
    const row = await taskOf(tx, btId)
    if (numUpdatedRows === 0n) throw new Failure('background-over')
    await cancelJobs(tx, {
      schoolId: actor.schoolId,
      kind: row.btKind === backgroundKind.export ? backgroundJobs.export : backgroundJobs.act,
      key: btId,
    })
    await audit(tx, {
      action: '取消后台任务',
      bizType: 'background',
      bizId: btId,
      bizName: row.btTitle,
      after: { rows: row.total, done: row.doneCount, refused: row.refusedCount },
    })
    return { affected: 1 }
  })

/** Removes the file of an export before its time; the sweep removes its content. */
export const removeFile = (ctx: Context, { btId }: Checked<typeof backgroundApi.remove>) =>
  inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('backgroundTask')
      .set({ btStatus: backgroundStatus.removed })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('createBy', '=', tx.actor.suId)
      .where('btId', '=', btId)
      .where('btKind', '=', backgroundKind.export)
      .where('btStatus', '=', backgroundStatus.done)
      .executeTakeFirst()
    const row = await taskOf(tx, btId)
    if (numUpdatedRows === 0n) throw new Failure('background-no-file')
    await audit(tx, { action: '删除后台导出的文件', bizType: 'export', bizId: btId, bizName: row.btTitle })
    return { affected: 1 }
  })

/** The file of an export, for who asked for it, still may, and still sees what it shows. */
export const taskFile =
  (registry: Registry) =>
  async (ctx: Context, { btId }: Checked<typeof backgroundApi.download>): Promise<FileAnswer> => {
    const row = await ownTasks(ctx)
      .select([
        'b.btTitle',
        'b.callPath',
        'b.storeKey',
        'b.fileName',
        'b.fileType',
        'b.btStatus',
        'b.doneCount',
        'b.scope',
      ])
      .where('b.btId', '=', btId)
      .executeTakeFirst()
    if (!row) throw new Failure('not-found')
    if (row.btStatus !== backgroundStatus.done || !row.storeKey) throw new Failure('background-no-file')
    const { call } = registry.exportRoute(ctx.actor, row.callPath)
    const scope = ctx.actor.scopeFor(call.permit)
    if (row.scope !== null && !scope.whole && !isDeepStrictEqual(row.scope, scope))
      throw new Failure('background-scope-changed')
    const body = await ctx.files.get(row.storeKey)
    await audit(ctx, {
      action: '下载后台导出的文件',
      bizType: 'export',
      bizId: btId,
      bizName: row.btTitle,
      after: { rows: row.doneCount },
    })
    return { name: row.fileName ?? row.btTitle, type: row.fileType ?? 'application/octet-stream', body }
  }

interface ResultRow {
  itemNo: number
  itemName: string
  itemStatus: string
  msg: string
}

/**
 * What became of each record of an action, those that were refused first, with the reason; for who did it and still may
 * see the list, for it names its records.
 */
export const taskResults =
  (registry: Registry) =>
  async (ctx: Context, { btId }: Checked<typeof backgroundApi.results>): Promise<FileAnswer> => {
    const row = await taskOf(ctx, btId)
    if (row.btKind !== backgroundKind.act) throw new Failure('background-no-file')
    registry.listRoute(ctx.actor, row.listPath ?? '')
    const order = [backgroundItemStatus.refused, backgroundItemStatus.waiting, backgroundItemStatus.done]
    async function* rows() {
      for (const itemStatus of order)
        yield* inBatches((last: ResultRow | undefined) =>
          from(ctx, 'backgroundItem')
            .select(['itemNo', 'itemName', 'itemStatus', 'msg'])
            .where('btId', '=', btId)
            .where('itemStatus', '=', itemStatus)
            .where('itemNo', '>', last?.itemNo ?? -1)
            .orderBy('itemNo')
            .limit(2000)
            .execute(),
        )
    }
    return exportList<ResultRow>(ctx, {
      title: `${row.btTitle}结果`,
      what: '批量操作结果',
      columns: [
        text('记录', 'itemName', 40),
        text('结果', ({ itemStatus }) => labelIn(backgroundItemStatus, itemStatus), 14),
        text('原因', 'msg', 60),
      ],
      rows: rows(),
      // who did it to so many has said why, or was not asked; these are their own results
      filter: { reason: '查看批量操作的结果' },
    })
  }
