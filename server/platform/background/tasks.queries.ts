import { sql } from 'kysely'
import type { ForAll } from '../../../contract/core/call.ts'
import { backgroundKind, backgroundStatus } from '../../../contract/core/codes/platform.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { undoMinutes, type BackgroundTask } from '../../../contract/platform/background/background.calls.ts'
import { addMinutes, secondsBetween } from '../../core/base/clock.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** A person's own tasks. */
export const ownTasks = ({ db, actor }: Pick<Context, 'db' | 'actor'>) =>
  from({ db, actor }, 'backgroundTask as b').where('b.createBy', '=', actor.suId)

/** Tasks that wait or run. */
export const openStatuses = [backgroundStatus.waiting, backgroundStatus.running] as const

/** Refuses a task beyond those that the operator lets the school have at a time. */
export async function assertSchoolHasRoom(tx: Context): Promise<void> {
  const { maxTasks: max = null } = tx.actor.quota ?? {}
  if (max === null) return
  await lockSchool(tx, 'background-quota')
  const { n } = await from(tx, 'backgroundTask')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('btStatus', 'in', openStatuses)
    .executeTakeFirstOrThrow()
  if (n >= max) throw new Failure('quota-tasks', { max })
}

const taskColumns = [
  'b.btId',
  'b.btKind',
  'b.btTitle',
  'b.btStatus',
  'b.callPath',
  'b.listPath',
  'b.btInput',
  'b.total',
  'b.doneCount',
  'b.refusedCount',
  'b.fault',
  'b.fileName',
  'b.storeKey',
  'b.undoOf',
  'b.createTime',
  'b.beginTime',
  'b.endTime',
] as const

/** A task as it is kept, with how far it is. */
export const taskRows = (ctx: Pick<Context, 'db' | 'actor'>) =>
  ownTasks(ctx)
    .select(taskColumns)
    .select(sql<number | null>`b."fileSize"::float8`.as('fileSize'))
    .select(
      sql<boolean>`exists (
        select 1
        from "backgroundTask" u
        where u."schoolId" = b."schoolId" and u."undoOf" = b."btId" and u."btStatus" <> ${sql.lit(backgroundStatus.failed)}
      )`.as('isUndone'),
    )

export type TaskRow = Awaited<ReturnType<ReturnType<typeof taskRows>['executeTakeFirstOrThrow']>>

/** Whether an action that has ended can still be taken back. */
export const canUndo = (row: TaskRow, how: ForAll | undefined, now: string): boolean =>
  row.btKind === backgroundKind.act &&
  how?.undo?.given(row.btInput as Record<string, unknown>) !== undefined &&
  row.undoOf === null &&
  !row.isUndone &&
  row.doneCount > 0 &&
  isOneOf(row.btStatus, backgroundStatus.done, backgroundStatus.cancelled, backgroundStatus.failed) &&
  row.endTime !== null &&
  now <= addMinutes(row.endTime, undoMinutes)

/** A task as the wire shows it. */
export function asTask(row: TaskRow, how: ForAll | undefined, now: string): BackgroundTask {
  const { btId, btTitle, total, doneCount, refusedCount, fault, fileName, fileSize, createTime, endTime } = row
  const isOpen = isOneOf(row.btStatus, ...openStatuses)
  const handled = doneCount + refusedCount
  const share = total ? Math.min(1, handled / total) : null
  const can: BackgroundTask['can'] = []
  if (isOpen) can.push('cancel')
  if (canUndo(row, how, now)) can.push('undo')
  if (row.btKind === backgroundKind.act && !isOpen) can.push('results')
  if (row.btKind === backgroundKind.export && row.btStatus === backgroundStatus.done) can.push('download', 'remove')
  return {
    btId,
    btKind: row.btKind as BackgroundTask['btKind'],
    btTitle,
    btStatus: row.btStatus as BackgroundTask['btStatus'],
    total,
    doneCount,
    refusedCount,
    progress:
      row.btStatus === backgroundStatus.done ? 100 : share === null ? null : Math.min(99, Math.floor(share * 100)),
    secondsLeft: isOpen && share && row.beginTime ? leftOf(secondsBetween(row.beginTime, now), share) : null,
    fault,
    fileName,
    fileSize,
    createTime,
    endTime,
    can,
  }
}

/** Seconds still to go when a share of the whole took so many. */
const leftOf = (seconds: number, share: number): number => Math.ceil(Math.max(0, (seconds / share) * (1 - share)))
