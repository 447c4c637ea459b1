import { sql } from 'kysely'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { messageType, yesNo } from '../../../contract/core/codes/platform.ts'
import { sourceRunStatus, type SourceRunStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { visibleSources } from './sources.queries.ts'

/** The kind of the jobs that fetch a source; the run's id is their key. */
export const sourceJob = 'source:run'

/** What such a job is to do. */
export interface SourceTask {
  runId: string
  isId: string
  /** Fetches and, within the limits, writes; writes what a person has confirmed; takes back what was written. */
  act: 'fetch' | 'write' | 'undo'
}

/** What a run has to know of its source. */
export interface Source {
  isId: string
  isName: string
  isKind: string
  ownerId: string
  changeLimit: number
  leaverRule: string
  leaverLimit: number
}

const sourceScreen = '/personnelAdmin/dataSources'

const superseded = '没有人确认，已由下一次同步取代'

/** Begins a run, in the caller's transaction: one at a time of a source. @throws Failure `source-running` */
export async function startRun(tx: Context, isId: string, isByHand: boolean): Promise<string> {
  const source = await from(tx, 'importSource').select('isId').where('isId', '=', isId).forUpdate().executeTakeFirst()
  if (!source) throw new Failure('not-found')
  // what waited for a person since the last time is as old as its data
  if (!isByHand)
    await tx.db
      .updateTable('importSourceRun')
      .set({ runStatus: sourceRunStatus.discarded, fault: superseded })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('isId', '=', isId)
      .where('runStatus', '=', sourceRunStatus.waiting)
      .execute()
  const open = await from(tx, 'importSourceRun')
    .select('runId')
    .where('isId', '=', isId)
    .where('runStatus', 'in', [sourceRunStatus.running, sourceRunStatus.waiting])
    .executeTakeFirst()
  if (open) throw new Failure('source-running')
  const runId = newId()
  await tx.db
    .insertInto('importSourceRun')
    .values({
      schoolId: tx.actor.schoolId,
      runId,
      isId,
      runStatus: sourceRunStatus.running,
      isByHand: isByHand ? yesNo.yes : yesNo.no,
      createName: tx.actor.suNickname,
      startTime: tx.clock.now(),
    })
    .execute()
  await enqueue(tx, {
    schoolId: tx.actor.schoolId,
    kind: sourceJob,
    key: runId,
    payload: { runId, isId, act: 'fetch' } satisfies SourceTask,
    createBy: tx.actor.suId,
  })
  return runId
}

/** A person asks for a run. */
export const runByHand = (ctx: Context, isId: string) =>
  inTransaction(ctx, async (tx) => {
    const source = await visibleSources(tx).select('isName').where('isId', '=', isId).executeTakeFirst()
    if (!source) throw new Failure('not-found')
    const runId = await startRun(tx, isId, true)
    await audit(tx, { action: '立即同步', bizType: 'importSource', bizId: isId, bizName: source.isName })
    return { runId }
  })

/**
 * Gives a run back to the job: a person confirms what waits, or takes back what was written. What has tens of thousands
 * of rows takes longer than a request may.
 * @throws Failure `source-run-over` when it is not in the state told any more, `source-running` beside another run
 */
export async function resumeRun(
  ctx: Context,
  { isId, isName }: Pick<Source, 'isId' | 'isName'>,
  runId: string,
  act: 'write' | 'undo',
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    // who holds the source begins no other run of it meanwhile
    await from(tx, 'importSource').select('isId').where('isId', '=', isId).forUpdate().executeTakeFirst()
    const busy = await from(tx, 'importSourceRun')
      .select('runId')
      .where('isId', '=', isId)
      .where('runId', '!=', runId)
      .where('runStatus', 'in', [sourceRunStatus.running, sourceRunStatus.waiting])
      .executeTakeFirst()
    if (busy) throw new Failure('source-running')
    const { numUpdatedRows } = await tx.db
      .updateTable('importSourceRun')
      .set({ runStatus: sourceRunStatus.running, endTime: null, fault: '' })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('runId', '=', runId)
      .where('runStatus', '=', act === 'write' ? sourceRunStatus.waiting : sourceRunStatus.done)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Failure('source-run-over')
    await audit(tx, {
      action: act === 'write' ? '确认同步' : '撤销同步',
      bizType: 'importSource',
      bizId: isId,
      bizName: isName,
    })
    await enqueue(tx, {
      schoolId: tx.actor.schoolId,
      kind: sourceJob,
      key: runId,
      payload: { runId, isId, act } satisfies SourceTask,
      createBy: tx.actor.suId,
    })
  })
}

/**
 * Ends a run, and tells the owner what they have to see: that it waits for them, and the first time that it fails or
 * succeeds again.
 */
export async function endRun(
  ctx: Context,
  { isId, isName, ownerId }: Pick<Source, 'isId' | 'isName' | 'ownerId'>,
  runId: string,
  status: SourceRunStatus,
  fault: string,
  notifiesOwner = true,
): Promise<void> {
  // of two who decide at once, the second finds it over
  const before = [sourceRunStatus.running, sourceRunStatus.waiting]
  await inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ before: { runStatus: string; fault: string } | null }>`
      update "importSourceRun" r
      set "runStatus" = ${status}, "endTime" = ${tx.clock.now()}::timestamptz, "fault" = ${fault}
      where r."schoolId" = ${tx.actor.schoolId}
        and r."runId" = ${runId}::uuid
        and r."runStatus" = any(${before}::text[])
      returning (
        select jsonb_build_object('runStatus', b."runStatus", 'fault', b."fault")
        from "importSourceRun" b
        where b."schoolId" = ${tx.actor.schoolId} and b."isId" = ${isId}::uuid and b."runId" <> ${runId}::uuid
        order by b."startTime" desc, b."runId" desc
        limit 1
      ) as "before"`.execute(tx.db)
    if (rows.length === 0) throw new Failure('source-run-over')
    const told = notifiesOwner && ownerMessage(isName, status, fault, rows[0]!.before)
    await audit(tx, {
      action: '数据同步',
      bizType: 'importSource',
      bizId: isId,
      bizName: isName,
      after: { runStatus: status, ...(fault && { fault }) },
    })
    if (told)
      await notify(tx, {
        suIds: [ownerId],
        ...told,
        type: messageType.system,
        bizType: 'importSource',
        bizId: isId,
        link: sourceScreen,
        evenWhoDidIt: true,
      })
  })
}

/** What the owner is told; nothing where they know it already from the run before. */
function ownerMessage(
  name: string,
  status: SourceRunStatus,
  fault: string,
  before: { runStatus: string; fault: string } | null,
) {
  const hadFailed = before?.runStatus === sourceRunStatus.failed
  if (status === sourceRunStatus.waiting && before?.fault !== superseded)
    return { title: `数据来源“${name}”待您确认`, content: `${fault}。请在“数据同步”中查看明细后确认或放弃。` }
  if (status === sourceRunStatus.failed && !hadFailed)
    return { title: `数据来源“${name}”没有同步成功`, content: `${fault}。将按计划继续尝试，恢复后另行通知。` }
  if (hadFailed && isOneOf(status, sourceRunStatus.done, sourceRunStatus.unchanged))
    return { title: `数据来源“${name}”已恢复`, content: '最近一次同步成功。' }
  return undefined
}
