import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { printBatchStatus } from '../../../contract/core/codes/outcomes.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { batchDays, type TranscriptBatch } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { addDays, addSeconds } from '../../core/base/clock.ts'
import type { Actor, Context, PublicContext } from '../../core/request/context.ts'
import { newStoreKey } from '../../core/files/store-key.ts'
import type { AppServices } from '../../core/http/http.ts'
import type { Job, JobHandlers } from '../../core/jobs/job-runner.ts'
import { JobLost } from '../../core/jobs/jobs.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { sealPermit } from '../../school/school/profile.service.ts'
import { credentialText } from './credential.ts'
import { issueTranscripts, type PrintedTranscript } from './issues.service.ts'
import { withPhotos } from './photos.service.ts'
import { startPrinting, type PrintPiece } from './print-thread.ts'
import { schoolPictures } from './printing.service.ts'
import { unprintable } from './transcript-pdf.ts'
import type { Transcript, TranscriptPart } from './transcripts.service.ts'

export const batchJob = 'transcript:batch'

/** Who a person is now, with their rights; undefined when their account is switched off. */
type ActorFor = (ctx: Pick<PublicContext, 'db' | 'clock'>, schoolId: string, suId: string) => Promise<Actor | undefined>

interface Task {
  tbId: string
  suId: string
}

/**
 * Students at a time: few statements each, a progress that moves, and turns short enough for whoever else asks the
 * service.
 */
export const studentsAtOnce = 10
/** Faults kept with a batch; more are only counted. */
const faultsKept = 200
type Fault = TranscriptBatch['faults'][number]
const attempts = 3

/** Batches of transcripts, printed one at a time in a thread of their own, and the end of their files. */
export const transcriptJobs = (services: AppServices, actorFor: ActorFor): JobHandlers => ({
  [batchJob]: {
    attempts,
    atOnce: 1,
    run: (job) => run(services, actorFor, job as Job<Task>),
    gaveUp: ({ schoolId, payload }) => failBatch(services, schoolId, (payload as Task).tbId, '多次运行中断，已放弃'),
  },
  'transcript:sweep': { every: 3600, run: () => sweepBatches(services) },
})

type Batch = Awaited<ReturnType<typeof batchOf>>
const batchOf = ({ db }: Pick<PublicContext, 'db'>, schoolId: string, tbId: string) =>
  from({ db, schoolId }, 'transcriptBatch')
    .select(['tbId', 'tbTitle', 'tbFormat', 'tbOptions', 'suIds', 'tbStatus', 'storeKey'])
    .where('tbId', '=', tbId)
    .executeTakeFirstOrThrow()

async function run(services: AppServices, actorFor: ActorFor, job: Job<Task>): Promise<void> {
  const {
    schoolId,
    payload: { tbId, suId },
  } = job
  const batch = await batchOf(services, schoolId, tbId)
  if (batch.tbStatus === printBatchStatus.cancelled) return
  /**
   * The person as they are now: their rights are looked at again for every few students, for a long batch outlives a
   * role.
   */
  const asNow = async (): Promise<Context> => {
    const actor = await actorFor(services, schoolId, suId)
    if (!actor?.permits.has('transcript:export')) throw new Failure('not-permitted')
    return {
      ...services,
      origin: { requestId: job.jobId, ip: '', agent: 'system' },
      actor,
      scope: actor.scopeFor('transcript:export'),
    }
  }
  try {
    await print(await asNow(), asNow, batch, job)
  } catch (error) {
    if (error instanceof JobLost || job.signal.aborted) throw error
    if (!(error instanceof Failure) && job.attempts < attempts) throw error
    if (!(error instanceof Failure)) services.log.error({ err: error, tbId }, 'batch of transcripts given up')
    await failBatch(services, schoolId, tbId, error instanceof Failure ? error.msg : new Failure('unexpected').msg)
  }
}

async function print(ctx: Context, asNow: () => Promise<Context>, batch: Batch, job: Job<Task>): Promise<void> {
  const { tbId, suIds } = batch
  const part = batch.tbOptions as TranscriptPart
  const printing = { byName: ctx.actor.suNickname, at: ctx.clock.now(), ...(await schoolPictures(ctx)) }
  const storeKey = await placeFor(ctx, batch)
  const thread = startPrinting({ format: batch.tbFormat as 'pdf' | 'zip', title: batch.tbTitle, author: '', printing })
  const stored = ctx.files.put(thread.output, { storeKey })
  stored.catch(() => {})
  const stop = () => void thread.stop()
  job.signal.addEventListener('abort', stop)
  let isKept = false
  try {
    const faults: Fault[] = []
    const tiIds: string[] = []
    // the next few are read and signed while the thread sets the ones before
    let drawn = Promise.resolve()
    for (let at = 0; at < suIds.length; at += studentsAtOnce) {
      job.signal.throwIfAborted()
      const wanted = suIds.slice(at, at + studentsAtOnce)
      const now = await asNow()
      if (printing.seal && !now.actor.permits.has(sealPermit)) throw new Failure('not-permitted')
      const { issued, left } = await issueSome(now, tbId, wanted, part, printing.byName)
      faults.push(...left)
      const pieces = (await withPhotos(now, issued)).map(({ transcript, content, proof }): PrintPiece => ({
        transcript,
        name: `${transcript.student.suiNumber}-${transcript.student.suiName}.pdf`,
        credential: { name: `${transcript.serial}.json`, text: credentialText(content, proof) },
      }))
      await drawn
      drawn = thread.draw(pieces)
      drawn.catch(() => {})
      tiIds.push(...issued.map(({ tiId }) => tiId))
      await openBatch(ctx, tbId).set({ tbStatus: printBatchStatus.running, doneCount: tiIds.length }).execute()
      await job.progress(Math.min(99, ((at + wanted.length) / suIds.length) * 100))
    }
    if (tiIds.length === 0) throw new Failure('no-transcript-printable')
    await drawn
    thread.end()
    await stored
    isKept = await keep(ctx, tbId, job, { storeKey, tiIds, faults: shortened(faults) })
  } finally {
    job.signal.removeEventListener('abort', stop)
    await thread.stop()
    await stored.catch(() => {})
    // a file that came to an end although the batch did not is nobody's; where it cannot be removed now, the sweep
    // finds it by the key that was noted
    if (!isKept)
      await ctx.files
        .remove(storeKey)
        .catch((err: unknown) =>
          ctx.log.warn({ err, storeKey }, 'the file of a batch could not be removed; the sweep tries again'),
        )
  }
}

/**
 * A place for the file, noted with the batch before there is a file, so that it is found again whatever is killed when;
 * what an earlier try left is removed.
 */
async function placeFor(ctx: Context, { tbId, storeKey: earlier }: Batch): Promise<string> {
  if (earlier) await ctx.files.remove(earlier)
  const storeKey = newStoreKey({ schoolId: ctx.actor.schoolId, kind: 'transcript' })
  await openBatch(ctx, tbId).set({ storeKey }).execute()
  return storeKey
}

/**
 * Issues the transcripts of some students; those who left the school or the person's area meanwhile, and those that
 * cannot be set, are left out by name.
 */
async function issueSome(
  ctx: Context,
  tbId: string,
  suIds: string[],
  part: TranscriptPart,
  byName: string,
): Promise<{ issued: PrintedTranscript[]; left: Fault[] }> {
  let left: Fault[] = []
  const choose = (found: Transcript[]): Transcript[] => {
    left = Array.from({ length: suIds.length - found.length }, () => ({
      name: '（未知学生）',
      msg: '已不在您的管理范围内',
    }))
    return found.filter((transcript) => {
      const fault = unprintable(transcript, { byName })
      if (fault) left.push({ name: fault.name, msg: new Failure('unprintable-text', fault).msg })
      return !fault
    })
  }
  const issued = await issueTranscripts(ctx, suIds, part, { way: '3', tbId, choose }).catch((error: unknown) => {
    if (!(error instanceof Failure && error.reason === 'not-found')) throw error
    choose([])
    return []
  })
  return { issued, left }
}

const shortened = (faults: Fault[]): Fault[] =>
  faults.length > faultsKept
    ? [...faults.slice(0, faultsKept), { name: '', msg: `另有 ${faults.length - faultsKept} 人` }]
    : faults

/** A batch that waits or runs. */
const openBatch = ({ db, actor }: Pick<Context, 'db' | 'actor'>, tbId: string) =>
  db
    .updateTable('transcriptBatch')
    .where('schoolId', '=', actor.schoolId)
    .where('tbId', '=', tbId)
    .where('tbStatus', 'in', [printBatchStatus.waiting, printBatchStatus.running])

/** Ends batch and job together; false where it was cancelled meanwhile. */
async function keep(
  ctx: Context,
  tbId: string,
  job: Job<Task>,
  { storeKey, tiIds, faults }: { storeKey: string; tiIds: string[]; faults: Fault[] },
): Promise<boolean> {
  const { size, sha256 } = await measured(ctx, storeKey)
  return inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await openBatch(tx, tbId)
      .set({
        tbStatus: printBatchStatus.done,
        doneCount: tiIds.length,
        tiIds,
        storeKey,
        fileSize: size,
        faults: JSON.stringify(faults),
        endTime: ctx.clock.now(),
      })
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await audit(tx, {
      action: '批量打印成绩单',
      bizType: 'transcript',
      bizId: tbId,
      bizName: `${tiIds.length} 人`,
      after: { rows: tiIds.length, size, sha256 },
    })
    await job.finish(tx.db, { done: tiIds.length })
    return true
  })
}

async function measured({ files }: Context, storeKey: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of (await files.get(storeKey)) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

const failBatch = async ({ db, clock }: AppServices, schoolId: string, tbId: string, msg: string): Promise<void> => {
  await db
    .updateTable('transcriptBatch')
    .set({ tbStatus: printBatchStatus.failed, faults: JSON.stringify([{ name: '', msg }]), endTime: clock.now() })
    .where('schoolId', '=', schoolId)
    .where('tbId', '=', tbId)
    .where('tbStatus', 'in', [printBatchStatus.waiting, printBatchStatus.running])
    .execute()
}

/**
 * Removes the files of batches after their days, and what is left of batches that ended otherwise an hour ago or more;
 * what was printed stays on record. Content first, so that an interrupted sweep leaves nothing that the next one would
 * not find.
 * @returns how many
 */
export async function sweepBatches({
  db,
  files,
  clock,
  log,
}: Pick<AppServices, 'db' | 'files' | 'clock' | 'log'>): Promise<number> {
  let removed = 0
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('transcriptBatch')
      .select(['tbId', 'storeKey'])
      .where('storeKey', '>', after)
      .where((or) =>
        or.or([
          or.and([or('tbStatus', '=', printBatchStatus.done), or('endTime', '<', addDays(clock.now(), -batchDays))]),
          or.and([
            or('tbStatus', 'in', [printBatchStatus.failed, printBatchStatus.cancelled, printBatchStatus.removed]),
            or('endTime', '<', addSeconds(clock.now(), -3600)),
          ]),
        ]),
      )
      .orderBy('storeKey')
      .limit(200)
      .execute()
    const gone: string[] = []
    for (const { tbId, storeKey } of rows) {
      try {
        await files.remove(storeKey!)
        gone.push(tbId)
      } catch (err) {
        log.warn({ err, storeKey }, 'the file of a batch could not be removed; the next sweep tries again')
      }
    }
    await sql`
      update "transcriptBatch"
      set "tbStatus" = case "tbStatus"
          when ${sql.lit(printBatchStatus.done)} then ${sql.lit(printBatchStatus.removed)}
          else "tbStatus"
        end,
        "storeKey" = null
      where "tbId" = any(${gone}::uuid[])`.execute(db)
    removed += gone.length
    if (rows.length < 200) return removed
    after = rows.at(-1)!.storeKey!
  }
}
