import { sql } from 'kysely'
import { jobStatus as jobStatusCodes } from '../../../contract/core/codes/platform.ts'
import { issueStatus, printBatchStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import {
  maxBatch,
  type transcriptBatchApi,
  type TranscriptBatch,
} from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { assertReason } from '../../core/export/exports.ts'
import { newId } from '../../core/base/ids.ts'
import { cancelJobs, enqueue } from '../../core/jobs/jobs.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { batchJob } from './batch-job.ts'
import { visibleIssues } from './issues.queries.ts'
import { matchingTranscripts } from './transcripts.queries.ts'

/** A person's own batches. */
const ownBatches = ({ db, actor }: Pick<Context, 'db' | 'actor'>) =>
  from({ db, actor }, 'transcriptBatch as b').where('b.createBy', '=', actor.suId)

/** Asks for a batch: the students that fit now are printed, in the order of college, class and number. */
export async function startBatch(
  ctx: Context,
  { suIds, title, format, startTime, endTime, lang, reason, ...filter }: Checked<typeof transcriptBatchApi.start>,
): Promise<Output<typeof transcriptBatchApi.start>> {
  let query = matchingTranscripts(ctx, filter)
  if (suIds) query = query.where(anyOf('person.suId', suIds))
  const students = await query
    .select('person.suId')
    .orderBy('person.suiCollegeId')
    .orderBy('person.scClassId')
    .orderBy('person.suiNumber')
    .limit(maxBatch + 1)
    .execute()
  if (suIds && students.length !== suIds.length) throw new Failure('not-found')
  if (students.length === 0) throw new Failure('nothing-to-export')
  if (students.length > maxBatch) throw new Failure('batch-too-large', { n: maxBatch })
  assertReason(students.length, reason)
  const tbId = newId()
  await inTransaction(ctx, async (tx) => {
    const { actor, clock } = tx
    const waiting = await ownBatches(tx)
      .select(sql<number>`count(*)::int`.as('n'))
      .where('b.tbStatus', 'in', [printBatchStatus.waiting, printBatchStatus.running])
      .executeTakeFirstOrThrow()
    if (waiting.n >= 5) throw new Failure('batches-waiting', { n: waiting.n })
    const jobId = await enqueue(tx, {
      schoolId: actor.schoolId,
      kind: batchJob,
      key: tbId,
      createBy: actor.suId,
      payload: { tbId, suId: actor.suId },
    })
    const tbTitle = title || `第二课堂成绩单 ${dayOf(clock.now())} ${students.length} 人`
    await tx.db
      .insertInto('transcriptBatch')
      .values({
        schoolId: actor.schoolId,
        tbId,
        tbTitle,
        tbFormat: format,
        tbOptions: JSON.stringify({ startTime, endTime, lang }),
        suIds: students.map(({ suId }) => suId),
        jobId,
        createBy: actor.suId,
        createName: actor.suNickname,
        createTime: clock.now(),
      })
      .execute()
    await audit(tx, {
      action: '批量打印成绩单',
      bizType: 'transcript',
      bizId: tbId,
      bizName: tbTitle,
      reason: reason ?? '',
      after: {
        rows: students.length,
        filter: { ...filter, ...(suIds && { suIds: suIds.length }), startTime, endTime, lang },
      },
    })
  })
  return { tbId, total: students.length }
}

/** The person's batches, the latest first, with how far they are. */
export async function listBatches(
  ctx: Context,
  input: Checked<typeof transcriptBatchApi.list>,
): Promise<Output<typeof transcriptBatchApi.list>> {
  const [rows, total] = await Promise.all([
    ownBatches(ctx)
      .leftJoin('job as j', 'j.jobId', 'b.jobId')
      .select([
        'b.tbId',
        'b.tbTitle',
        'b.doneCount',
        'b.faults',
        'b.createTime',
        'b.endTime',
        'j.progress',
        'j.jobStatus',
      ])
      .select([
        sql<TranscriptBatch['tbFormat']>`b."tbFormat"`.as('tbFormat'),
        sql<TranscriptBatch['tbStatus']>`b."tbStatus"`.as('tbStatus'),
        sql<number>`cardinality(b."suIds")`.as('total'),
        sql<number | null>`b."fileSize"::float8`.as('fileSize'),
      ])
      .orderBy('b.createTime', 'desc')
      .orderBy('b.tbId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(ownBatches(ctx)),
  ])
  return asPage(
    rows.map(({ faults, progress, jobStatus, tbStatus, ...row }) => {
      const state =
        tbStatus === printBatchStatus.waiting && jobStatus === jobStatusCodes.running
          ? printBatchStatus.running
          : tbStatus
      const shownFaults = faults as TranscriptBatch['faults']
      const isOpen = state === printBatchStatus.waiting || state === printBatchStatus.running
      return {
        ...row,
        tbStatus: state,
        progress: state === printBatchStatus.done ? 100 : isOpen ? (progress ?? 0) : 0,
        faults: shownFaults.slice(0, 20),
        faultCount: shownFaults.length,
        can: isOpen
          ? (['cancel'] as const).slice()
          : state === printBatchStatus.done
            ? (['download', 'remove'] as const).slice()
            : [],
      }
    }),
    total,
    input,
  )
}

/** Cancels a batch that waits or runs; what was issued by then stays issued, the file is not made. */
export const cancelBatch = (ctx: Context, { tbId }: Checked<typeof transcriptBatchApi.cancel>) =>
  inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('transcriptBatch')
      .set({ tbStatus: printBatchStatus.cancelled, endTime: tx.clock.now() })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('createBy', '=', tx.actor.suId)
      .where('tbId', '=', tbId)
      .where('tbStatus', 'in', [printBatchStatus.waiting, printBatchStatus.running])
      .executeTakeFirst()
    if (numUpdatedRows === 0n)
      throw new Failure(
        (await ownBatches(tx).select('b.tbId').where('b.tbId', '=', tbId).executeTakeFirst())
          ? 'batch-over'
          : 'not-found',
      )
    await cancelJobs(tx, { schoolId: tx.actor.schoolId, kind: batchJob, key: tbId })
    await audit(tx, { action: '取消批量打印', bizType: 'transcript', bizId: tbId })
    return { affected: 1 }
  })

/**
 * The file of a batch, as long as all whose transcripts are in it are in the person's area still, and all that was
 * printed stands.
 * @throws Failure `batch-out-of-area` `batch-revoked`
 */
export async function batchFile(
  ctx: Context,
  { tbId }: Checked<typeof transcriptBatchApi.download>,
): Promise<FileAnswer> {
  const row = await ownBatches(ctx)
    .select(['b.tbTitle', 'b.tbFormat', 'b.storeKey', 'b.tiIds'])
    .where('b.tbId', '=', tbId)
    .where('b.tbStatus', '=', printBatchStatus.done)
    .executeTakeFirst()
  if (!row?.storeKey) throw new Failure('not-found')
  const inFile = visibleIssues(ctx).where('i.tiId', '=', sql<string>`any(${row.tiIds}::uuid[])`)
  const { seen, revoked } = await inFile
    .select([
      sql<number>`count(*)::int`.as('seen'),
      sql<number>`(count(*) filter (where i."tiStatus" = ${sql.lit(issueStatus.revoked)}))::int`.as('revoked'),
    ])
    .executeTakeFirstOrThrow()
  if (seen !== row.tiIds.length) throw new Failure('batch-out-of-area', { n: row.tiIds.length - seen })
  if (revoked > 0) throw new Failure('batch-revoked', { n: revoked })
  const body = await ctx.files.get(row.storeKey)
  await audit(ctx, {
    action: '下载批量打印的文件',
    bizType: 'transcript',
    bizId: tbId,
    bizName: row.tbTitle,
    after: { rows: row.tiIds.length },
  })
  return {
    name: `${row.tbTitle}.${row.tbFormat}`,
    type: row.tbFormat === 'pdf' ? 'application/pdf' : 'application/zip',
    body,
  }
}

/** Removes the file of a batch before its time. The batch remembers where it lies until it is gone. */
export async function removeBatch(ctx: Context, { tbId }: Checked<typeof transcriptBatchApi.remove>) {
  const storeKey = await inTransaction(ctx, async (tx) => {
    const row = await ownBatches(tx)
      .select(['b.storeKey', 'b.tbTitle'])
      .where('b.tbId', '=', tbId)
      .where('b.tbStatus', '=', printBatchStatus.done)
      .forUpdate()
      .executeTakeFirst()
    if (!row?.storeKey) throw new Failure('not-found')
    await tx.db
      .updateTable('transcriptBatch')
      .set({ tbStatus: printBatchStatus.removed })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('tbId', '=', tbId)
      .execute()
    await audit(tx, { action: '删除批量打印的文件', bizType: 'transcript', bizId: tbId, bizName: row.tbTitle })
    return row.storeKey
  })
  await ctx.files.remove(storeKey)
  await ctx.db
    .updateTable('transcriptBatch')
    .set({ storeKey: null })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('tbId', '=', tbId)
    .execute()
  return { affected: 1 }
}
