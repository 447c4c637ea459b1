import { importStatus } from '../../../contract/core/codes/platform.ts'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import { type ImportBatch } from '../../../contract/platform/imports/imports.schema.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import type { Context, Origin } from '../../core/request/context.ts'
import type { AnyImporter } from './importer.ts'
import { asBatch, findBatch } from './imports.queries.ts'
import type { Match } from './match-columns.ts'

/** What work on an import does while it goes on, and at its end. */
export interface Work {
  /** Tells how far it is, in per cent. Throws when it is to stop. */
  report(percent: number): Promise<void>
  /** Ends it inside the transaction that keeps its result, so that both happen or neither. */
  finish(tx: Context): Promise<void>
}

/** Work that is done while its caller waits. */
export const immediateWork: Work = { report: async () => {}, finish: async () => {} }

/** Tells a part of work its share of the whole: 0 to 1 become `from` to `to` per cent. */
export const between = (work: Work, from: number, to: number) => (share: number) =>
  work.report(from + (to - from) * share)

/**
 * What is done at once, in the request: files of this many bytes, commits and undos of this many rows. Everything
 * larger is a job.
 */
export const maxAtOnce = { bytes: 256 * 1024, rows: 2000 }

/** The kind of all jobs on imports; the batch's id is their key. */
export const importJob = 'import'

/** What a job on an import is to do, and for whom. */
export interface Task {
  act: 'check' | 'commit' | 'undo'
  kind: string
  ibId: string
  suId: string
  origin: Origin
  /** Of a commit. */
  skipFaults?: boolean
  /**
   * Of a check: the faultless rows are imported right afterwards; unknown headers wait for a person; how they matched
   * the columns.
   */
  commit?: boolean
  match?: boolean
  columns?: Match
}

/** Asks for a job on an import; it begins when the transaction has been committed. */
export async function startWork(
  tx: Context,
  { sheet }: AnyImporter,
  ibId: string,
  task: Pick<Task, 'act' | 'skipFaults' | 'commit' | 'match' | 'columns'>,
): Promise<void> {
  const { schoolId, suId } = tx.actor
  const { requestId, ip, agent } = tx.origin
  await enqueue(tx, {
    schoolId,
    kind: importJob,
    key: ibId,
    createBy: suId,
    payload: { ...task, kind: sheet.kind, ibId, suId, origin: { requestId, ip, agent } } satisfies Task,
  })
}

/** Why something was not done, as the batch keeps it. */
export interface KeptFault {
  reason: FailureName
  values: Record<string, string | number>
}

const busy: readonly string[] = [importStatus.checking, importStatus.importing, importStatus.undoing]

/**
 * The batch once nothing is being done with it any more, or as it stands after some seconds. Whoever waits is told why
 * the work was refused; who does not wait reads it in the batch.
 */
export async function whenDone(
  ctx: Context,
  importer: AnyImporter,
  ibId: string,
  seconds: number,
): Promise<ImportBatch> {
  const until = performance.now() + seconds * 1000
  for (let pause = 40; ; pause = Math.min(pause * 1.5, 500)) {
    const batch = await findBatch(ctx, importer.sheet.kind, ibId)
    const isOver = !busy.includes(batch.ibStatus)
    if (isOver && batch.fault && seconds > 0) throw new Failure(batch.fault.reason, batch.fault.values)
    if (isOver || performance.now() >= until) return asBatch(ctx, batch)
    await sleep(pause)
  }
}

/** A number nobody can guess, for the error workbook. */
export const newErrorId = (): string => randomBytes(24).toString('base64url')
