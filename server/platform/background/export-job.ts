import { Readable } from 'node:stream'
import { backgroundStatus } from '../../../contract/core/codes/platform.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { newStoreKey } from '../../core/files/store-key.ts'
import type { Job } from '../../core/jobs/job-runner.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { checkInput } from '../../core/request/input.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { TaskToRun } from './act-job.ts'
import { asCaller, type Registry } from './registry.ts'
import { openStatuses } from './tasks.queries.ts'

/** Milliseconds between two notes of how far an export is. */
const notedEvery = 500

/**
 * Makes the file of an export, by the very handler of its call, and keeps it for who asked. A run that was broken off
 * leaves no file; the next one begins anew.
 */
export async function runExport(registry: Registry, task: TaskToRun, ctx: Context, job: Job<unknown>): Promise<void> {
  const route = registry.exportRoute(ctx.actor, task.callPath)
  const storeKey = await placeFor(ctx, task)
  let rows = 0
  let noted = performance.now()
  const onRows = (now: number) => {
    rows = now
    if (performance.now() - noted < notedEvery) return
    noted = performance.now()
    const percent = task.total ? Math.min(99, (rows / task.total) * 100) : 0
    void Promise.all([noteRows(ctx, task, rows), job.progress(percent)]).catch(() => {})
  }
  const input = checkInput(route.call.input, task.btInput)
  const caller = asCaller(ctx, route)
  const db = (await ctx.replica?.reader(ctx.db)) ?? ctx.db
  const answer = (await route.handle({ ...caller, db, onRows }, input as never)) as FileAnswer
  const body = answer.body instanceof Uint8Array ? Readable.from([answer.body]) : Readable.from(answer.body)
  const stop = () => body.destroy(job.signal.reason as Error)
  job.signal.addEventListener('abort', stop)
  let isKept = false
  try {
    let fileSize = 0
    body.on('data', (chunk: Buffer | string) => (fileSize += Buffer.byteLength(chunk)))
    body.pause()
    await ctx.files.put(body, { storeKey })
    job.signal.throwIfAborted()
    isKept = await inTransaction(ctx, async (tx) => {
      const { numUpdatedRows } = await openTask(tx, task)
        .set({
          btStatus: backgroundStatus.done,
          doneCount: rows,
          total: rows,
          fileName: answer.name,
          fileType: answer.type,
          fileSize,
          scope: JSON.stringify(caller.scope),
          endTime: tx.clock.now(),
        })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await job.finish(tx.db)
      return true
    })
  } finally {
    job.signal.removeEventListener('abort', stop)
    // the sweep finds by its key what cannot be removed now
    if (!isKept)
      await ctx.files
        .remove(storeKey)
        .catch((err: unknown) => ctx.log.warn({ err, storeKey }, 'the file of an export could not be removed'))
  }
}

/** A place for the file, noted before there is a file, so that it is found again whatever is killed when. */
async function placeFor(ctx: Context, task: TaskToRun): Promise<string> {
  const { storeKey: earlier } = await from(ctx, 'backgroundTask')
    .select('storeKey')
    .where('btId', '=', task.btId)
    .executeTakeFirstOrThrow()
  if (earlier) await ctx.files.remove(earlier)
  const storeKey = newStoreKey({ schoolId: ctx.actor.schoolId, kind: 'export' })
  await openTask(ctx, task).set({ storeKey, doneCount: 0 }).execute()
  return storeKey
}

const noteRows = (ctx: Context, task: TaskToRun, doneCount: number) => openTask(ctx, task).set({ doneCount }).execute()

const openTask = ({ db, actor }: Pick<Context, 'db' | 'actor'>, { btId }: TaskToRun) =>
  db
    .updateTable('backgroundTask')
    .where('schoolId', '=', actor.schoolId)
    .where('btId', '=', btId)
    .where('btStatus', 'in', openStatuses)
