import { sql } from 'kysely'
import type { BatchResult } from '../../../contract/core/batch-result.ts'
import type { ForAll } from '../../../contract/core/call.ts'
import { backgroundItemStatus, backgroundStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { undoMinutes } from '../../../contract/platform/background/background.calls.ts'
import { addMinutes } from '../../core/base/clock.ts'
import { recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Job } from '../../core/jobs/job-runner.ts'
import { actorLifetime, forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'
import { checkInput } from '../../core/request/input.ts'
import type { Route } from '../../core/request/routes.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { inputFor, type FoundRow } from './found-rows.ts'
import { asCaller, type Registry } from './registry.ts'
import { openStatuses } from './tasks.queries.ts'

/** A task as its job reads it. */
export interface TaskToRun {
  btId: string
  callPath: string
  listPath: string
  undoOf: string | null
  btInput: Record<string, unknown>
  total: number | null
}

type Item = FoundRow & { itemNo: number }

/** Transactions between two notes of how far it is. */
const round = 25
/** Milliseconds for which the person's rights are taken to be as they were, as at the door (docs/security.md S1). */
const rightsFor = actorLifetime

/**
 * Does an action to the records of a task that are still waiting, a few in each transaction. That transaction also says
 * of them that they are done: whatever is killed when, each is done once, and another run goes on with the rest.
 * @param asNow the person as they are now: a long action outlives a role
 */
export async function runAct(
  registry: Registry,
  task: TaskToRun,
  asNow: () => Promise<Context>,
  job: Job<unknown>,
): Promise<void> {
  let ctx = await asNow()
  let lookedUp = performance.now()
  for (let count = 1; ; count++) {
    job.signal.throwIfAborted()
    if (performance.now() - lookedUp > rightsFor) {
      lookedUp = performance.now()
      ctx = await asNow()
    }
    const { route, how } = actionOf(registry, ctx, task)
    const handled = await doSome(ctx, task, route, how)
    if (handled === undefined) return
    if (handled === 0) return endAct(ctx, task, job)
    if (count % round === 0) await job.progress(await shareDone(ctx, task))
  }
}

/** The call of a task and how it takes its ids; of undoing, the ids go in as in what is undone. */
function actionOf(registry: Registry, { actor }: Context, { callPath, listPath, undoOf }: TaskToRun) {
  if (undoOf === null) return registry.actRoute(actor, callPath, listPath)
  const route = registry.undoRoute(actor, callPath)
  return { route, how: registry.undoneHow(callPath, listPath) }
}

/**
 * The next records, in one transaction of their own; where the call refuses them together, each by itself.
 * @returns how many were handled, 0 where none waits, undefined where the task is no longer under way
 */
async function doSome(ctx: Context, task: TaskToRun, route: Route, how: ForAll): Promise<number | undefined> {
  const atOnce = how.atOnce ?? 1
  const items = await waitingItems(ctx, task, atOnce)
  if (items.length === 0) return 0
  const outcome = await attempt(ctx, task, route, how, items)
  if (outcome === 'over') return undefined
  if (outcome === 'done') return items.length
  if (items.length === 1) return (await refuse(ctx, task, items[0]!, outcome)) ? 1 : undefined
  // one of them stands in the way of all: a team stays together, others go one by one
  for (const part of parted(items)) {
    const single = await attempt(ctx, task, route, how, part)
    if (single === 'over') return undefined
    if (single !== 'done') for (const item of part) if (!(await refuse(ctx, task, item, single))) return undefined
  }
  return items.length
}

/** The next records that wait; a group is taken whole. */
async function waitingItems(ctx: Context, { btId }: TaskToRun, atOnce: number): Promise<Item[]> {
  const waiting = () =>
    from(ctx, 'backgroundItem')
      .select(['itemNo', 'itemId', 'itemName', 'groupId', 'pairId'])
      .where('btId', '=', btId)
      .where('itemStatus', '=', sql.lit(backgroundItemStatus.waiting))
      .orderBy('itemNo')
  const items = await waiting().limit(atOnce).execute()
  const group = items.at(-1)?.groupId
  if (!group) return items
  const rest = await waiting().where('groupId', '=', group).where('itemNo', '>', items.at(-1)!.itemNo).execute()
  return [...items, ...rest]
}

function parted(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  for (const item of items) {
    const last = parts.at(-1)
    if (last && item.groupId !== null && last[0]!.groupId === item.groupId) last.push(item)
    else parts.push([item])
  }
  return parts
}

/** Of a record that an action left as it was. */
const unchanged = '无须处理，该记录已是所需的状态'

/** What the call refused of records that a transaction must not keep half-done. */
class RefusedWithin extends Error {
  constructor(readonly msg: string) {
    super(msg)
  }
}

/** Does the action and says so, both or neither. @returns the reason where the call refused */
async function attempt(
  ctx: Context,
  task: TaskToRun,
  route: Route,
  how: ForAll,
  items: readonly Item[],
): Promise<'done' | 'over' | { msg: string }> {
  const ids = items.map(({ itemId }) => itemId)
  try {
    const isOurs = await inTransaction(ctx, async (tx) => {
      // whoever runs the task as well waits here, and then finds these records done
      if (!(await lockTask(tx, task))) return false
      const open = await from(tx, 'backgroundItem')
        .select('itemNo')
        .where('btId', '=', task.btId)
        .where(
          'itemNo',
          'in',
          items.map(({ itemNo }) => itemNo),
        )
        .where('itemStatus', '=', sql.lit(backgroundItemStatus.waiting))
        .execute()
      if (open.length < items.length) return true
      const input = checkInput(route.call.input, inputFor(how, task.btInput, items))
      const answer = (await route.handle(asCaller(tx, route), input as never)) as Partial<BatchResult>
      const refused = new Map((answer.failed ?? []).map(({ id, msg }) => [id, msg]))
      // of an action that goes record by record, what it began of a refused one must not stay
      if (refused.size > 0 && (how.atOnce ?? 1) === 1) throw new RefusedWithin([...refused.values()][0]!)
      // what was so already has not been done, and is not taken back
      if (items.length === 1 && answer.affected === 0) throw new RefusedWithin(unchanged)
      await note(
        tx,
        task,
        items.map(({ itemNo, itemId }) => ({
          itemNo,
          itemStatus: refused.has(itemId) ? backgroundItemStatus.refused : backgroundItemStatus.done,
          msg: refused.get(itemId) ?? '',
        })),
      )
      return true
    })
    // what is kept of people for a moment is looked up anew, now that it is committed
    forgetActors(ctx.actor.schoolId, ids)
    return isOurs ? 'done' : 'over'
  } catch (error) {
    if (error instanceof RefusedWithin || error instanceof Failure) return { msg: error.msg }
    // a single record that breaks the program must not hold up thousands; where the database is gone, noting that fails
    // as well, and the job is tried again
    if (items.length === 1) {
      ctx.log.error({ err: error, btId: task.btId, itemId: ids[0] }, 'record of an action on all failed')
      return { msg: new Failure('unexpected').msg }
    }
    return { msg: '' }
  }
}

const refuse = (ctx: Context, task: TaskToRun, { itemNo }: Item, { msg }: { msg: string }): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    if (!(await lockTask(tx, task))) return false
    await note(tx, task, [{ itemNo, itemStatus: backgroundItemStatus.refused, msg }])
    return true
  })

/** Locks the task for this transaction; false where it has been cancelled. */
async function lockTask({ db, actor }: Context, { btId }: TaskToRun): Promise<boolean> {
  const row = await from({ db, actor }, 'backgroundTask')
    .select('btId')
    .where('btId', '=', btId)
    .where('btStatus', 'in', openStatuses)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Says what became of some records, those only that nobody has said it of. */
async function note(
  { db, actor: { schoolId } }: Context,
  { btId }: TaskToRun,
  outcomes: readonly { itemNo: number; itemStatus: string; msg: string }[],
): Promise<void> {
  await sql`
    with noted as (
      update "backgroundItem" i
      set "itemStatus" = r."itemStatus", "msg" = left(r."msg", 500)
      from ${recordset(outcomes, { itemNo: 'int', itemStatus: 'text', msg: 'text' })}
      where i."schoolId" = ${schoolId}
        and i."btId" = ${btId}::uuid
        and i."itemNo" = r."itemNo"
        and i."itemStatus" = ${sql.lit(backgroundItemStatus.waiting)}
      returning i."itemStatus"
    )
    update "backgroundTask"
    set "doneCount" = "doneCount" + (
        select count(*)::int from noted where "itemStatus" = ${sql.lit(backgroundItemStatus.done)}
      ),
      "refusedCount" = "refusedCount" + (
        select count(*)::int from noted where "itemStatus" = ${sql.lit(backgroundItemStatus.refused)}
      )
    where "schoolId" = ${schoolId} and "btId" = ${btId}::uuid`.execute(db)
}

async function shareDone(ctx: Context, { btId, total }: TaskToRun): Promise<number> {
  const { doneCount, refusedCount } = await from(ctx, 'backgroundTask')
    .select(['doneCount', 'refusedCount'])
    .where('btId', '=', btId)
    .executeTakeFirstOrThrow()
  return Math.min(99, ((doneCount + refusedCount) / Math.max(1, total ?? 1)) * 100)
}

/** Ends task and job together. */
const endAct = (ctx: Context, { btId }: TaskToRun, job: Job<unknown>): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable('backgroundTask')
      .set({ btStatus: backgroundStatus.done, endTime: tx.clock.now() })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('btId', '=', btId)
      .where('btStatus', 'in', openStatuses)
      .execute()
    await job.finish(tx.db)
  })

/**
 * Until when what is done now can be taken back one by one: as long as the task itself may run and be taken back
 * afterwards.
 */
export const undoableUntil = (now: string): string => addMinutes(now, undoMinutes + 120)
