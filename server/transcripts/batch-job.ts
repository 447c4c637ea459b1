import { sql } from 'kysely'
import { Failure } from '../../contract/core/failure.ts'
import { batchDays } from '../../contract/transcripts/batches.calls.ts'
import { addDays } from '../core/clock.ts'
import type { Actor, Context, PublicContext } from '../core/context.ts'
import type { RoadServices } from '../core/http.ts'
import type { Job, JobHandlers } from '../core/job-runner.ts'
import { JobLost } from '../core/jobs.ts'
import { audit } from '../core/audit.ts'
import { credentialText } from './credential.ts'
import { issueTranscripts } from './issues.service.ts'
import { withPhotos } from './photos.service.ts'
import { startPrinting, type PrintPiece } from './print-thread.ts'
import { schoolPictures } from './printing.service.ts'
import { unprintable } from './transcript-pdf.ts'
import { scopeOf, transcriptsOf, type TranscriptPart } from './transcripts.service.ts'

export const batchJob = 'transcript:batch'

/** Who a person is now, with his rights; undefined when his account is switched off. */
type ActorFor = (ctx: Pick<PublicContext, 'db' | 'clock'>, schoolId: string, suId: string) => Promise<Actor | undefined>

interface Task {
  tbId: string
  suId: string
}

/** Students at a time: few statements each, and a progress that moves. */
const atOnce = 25
/** Faults kept with a batch; more are only counted. */
const faultsKept = 200
const attempts = 3

/** Batches of transcripts, printed one at a time in a thread of their own, and the end of their files. */
export const transcriptJobs = (services: RoadServices, actorFor: ActorFor): JobHandlers => ({
  [batchJob]: { attempts, atOnce: 1, run: (job) => run(services, actorFor, job as Job<Task>), gaveUp: ({ schoolId, payload }) => endBatch(services, schoolId, (payload as Task).tbId, '3', '多次运行中断，已放弃') },
  'transcript:sweep': { every: 3600, run: () => sweepBatches(services) },
})

type Batch = Awaited<ReturnType<typeof batchOf>>
const batchOf = ({ db }: Pick<PublicContext, 'db'>, schoolId: string, tbId: string) =>
  db.selectFrom('transcriptBatch').select(['tbTitle', 'tbFormat', 'tbOptions', 'suIds', 'tbStatus']).where('schoolId', '=', schoolId).where('tbId', '=', tbId).executeTakeFirstOrThrow()

async function run(services: RoadServices, actorFor: ActorFor, job: Job<Task>): Promise<void> {
  const { schoolId, payload: { tbId, suId } } = job
  const batch = await batchOf(services, schoolId, tbId)
  if (batch.tbStatus === '4') return
  try {
    const actor = await actorFor(services, schoolId, suId)
    if (!actor?.permits.has('transcript:export')) throw new Failure('not-permitted')
    const ctx: Context = { ...services, origin: { requestId: job.jobId, ip: '', agent: 'system' }, actor, scope: actor.scopeFor('transcript:export') }
    await print(ctx, tbId, batch, job)
  } catch (error) {
    if (error instanceof JobLost || job.signal.aborted) throw error
    if (!(error instanceof Failure) && job.attempts < attempts) throw error
    if (!(error instanceof Failure)) services.log.error({ err: error, tbId }, 'batch of transcripts given up')
    await endBatch(services, schoolId, tbId, '3', error instanceof Failure ? error.msg : new Failure('unexpected').msg)
  }
}

async function print(ctx: Context, tbId: string, batch: Batch, job: Job<Task>): Promise<void> {
  const { schoolId } = ctx.actor
  const part = batch.tbOptions as TranscriptPart
  const printing = { byName: ctx.actor.suNickname, at: ctx.clock.now(), ...(await schoolPictures(ctx)) }
  const thread = startPrinting({ format: batch.tbFormat as 'pdf' | 'zip', title: batch.tbTitle, author: '', printing })
  const stored = ctx.files.put(thread.output, { schoolId, kind: 'transcript' })
  stored.catch(() => {})
  const stop = () => void thread.stop()
  job.signal.addEventListener('abort', stop)
  try {
    const faults: { name: string; msg: string }[] = []
    let [faultCount, done] = [0, 0]
    const leave = (name: string, msg: string) => {
      if (faultCount++ < faultsKept) faults.push({ name, msg })
    }
    for (let at = 0; at < batch.suIds.length; at += atOnce) {
      job.signal.throwIfAborted()
      const wanted = batch.suIds.slice(at, at + atOnce)
      const found = await transcriptsOf(ctx, wanted, part).catch((error: unknown) => (error instanceof Failure ? [] : Promise.reject(error as Error)))
      // those who left the school or the person's area meanwhile
      for (let gone = wanted.length - found.length; gone > 0; gone--) leave('（未知学生）', '已不在您的管理范围内')
      const fit = found.filter((transcript) => {
        const fault = unprintable(transcript, printing)
        if (fault) leave(fault.name, new Failure('unprintable-text', fault).msg)
        return !fault
      })
      const issued = await issueTranscripts(ctx, fit, { way: '3', tbId, scope: scopeOf(part) })
      await thread.draw((await withPhotos(ctx, issued)).map(({ transcript, content, proof }): PrintPiece => ({ transcript, name: `${transcript.student.suiNumber}-${transcript.student.suiName}.pdf`, credential: { name: `${transcript.serial}.json`, text: credentialText(content, proof) } })))
      done += issued.length
      await ctx.db.updateTable('transcriptBatch').set({ tbStatus: '1', doneCount: done }).where('schoolId', '=', schoolId).where('tbId', '=', tbId).where('tbStatus', 'in', ['0', '1']).execute()
      await job.progress(Math.min(99, ((at + wanted.length) / batch.suIds.length) * 100))
    }
    if (done === 0) throw new Failure('no-transcript-printable')
    thread.end()
    const storeKey = await stored
    const kept = await keep(ctx, tbId, job, { storeKey, done, faults: [...faults, ...(faultCount > faultsKept ? [{ name: '', msg: `另有 ${faultCount - faultsKept} 人` }] : [])] })
    if (!kept) await ctx.files.remove(storeKey)
  } finally {
    job.signal.removeEventListener('abort', stop)
    await thread.stop()
    // a file that came to an end although the batch did not is nobody's
    await stored.catch(() => {})
  }
}

/** Ends batch and job together; false where it was cancelled meanwhile. */
async function keep(ctx: Context, tbId: string, job: Job<Task>, { storeKey, done, faults }: { storeKey: string; done: number; faults: object[] }): Promise<boolean> {
  const fileSize = await sizeOf(ctx, storeKey)
  return ctx.db.transaction().execute(async (db) => {
    const tx = { ...ctx, db }
    const { numUpdatedRows } = await db
      .updateTable('transcriptBatch')
      .set({ tbStatus: '2', doneCount: done, storeKey, fileSize, faults: JSON.stringify(faults), endTime: ctx.clock.now() })
      .where('schoolId', '=', ctx.actor.schoolId).where('tbId', '=', tbId).where('tbStatus', 'in', ['0', '1'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await audit(tx, { action: '批量打印成绩单', bizType: 'transcript', bizId: tbId, bizName: `${done} 人`, after: { rows: done, size: fileSize } })
    await job.finish(db, { done })
    return true
  })
}

async function sizeOf({ files }: Context, storeKey: string): Promise<number> {
  let size = 0
  for await (const chunk of await files.get(storeKey)) size += (chunk as Buffer).length
  return size
}

const endBatch = async ({ db, clock }: RoadServices, schoolId: string, tbId: string, tbStatus: '3', msg: string): Promise<void> => {
  await db.updateTable('transcriptBatch').set({ tbStatus, faults: JSON.stringify([{ name: '', msg }]), endTime: clock.now() }).where('schoolId', '=', schoolId).where('tbId', '=', tbId).where('tbStatus', 'in', ['0', '1']).execute()
}

/** Removes the files of batches after their days; what was printed stays on record. @returns how many */
export async function sweepBatches({ db, files, clock }: Pick<RoadServices, 'db' | 'files' | 'clock'>): Promise<number> {
  const rows = await db.selectFrom('transcriptBatch').select(['schoolId', 'tbId', 'storeKey']).where('tbStatus', '=', '2').where('endTime', '<', addDays(clock.now(), -batchDays)).limit(200).execute()
  for (const { storeKey } of rows) if (storeKey) await files.remove(storeKey)
  await sql`update "transcriptBatch" set "tbStatus" = '5', "storeKey" = null where "tbId" = any(${rows.map(({ tbId }) => tbId)}::uuid[])`.execute(db)
  return rows.length
}

