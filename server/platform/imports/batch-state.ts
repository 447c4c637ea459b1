import { importStatus, type ImportStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { asFailure } from '../../core/http/http-errors.ts'
import type { AnyImporter } from './importer.ts'
import {
  expiredBefore,
  lastingBefore,
  ownBatches,
  selectBatch,
  visibleBatches,
  type BatchRow,
} from './imports.queries.ts'
import type { KeptFault, Work } from './work.ts'

const busyStates: readonly ImportStatus[] = [importStatus.checking, importStatus.importing, importStatus.undoing]

/** States that only the person who uploaded the file may leave. */
const ownStates: readonly ImportStatus[] = [
  importStatus.ready,
  importStatus.awaitingColumns,
  importStatus.checking,
  importStatus.importing,
]

/**
 * Takes an import from one state to the next, so that of two callers only one goes on. Why an earlier try was refused
 * is forgotten.
 * @throws Failure when it is in another state, somebody else's, or too old
 */
export async function claim(
  tx: Context,
  importer: AnyImporter,
  ibId: string,
  from: readonly ImportStatus[],
  to: ImportStatus,
  more: { newOnly?: '0' | '1' } = {},
): Promise<BatchRow> {
  const { kind } = importer.sheet
  const within = from.some((state) => ownStates.includes(state)) ? ownBatches(tx, kind) : visibleBatches(tx, kind)
  const batch = await selectBatch(within).where('ibId', '=', ibId).forUpdate().executeTakeFirst()
  if (!batch) throw new Failure('not-found')
  const now = tx.clock.now()
  const state = batch.ibStatus as ImportStatus
  if (!from.includes(state))
    throw from.includes(importStatus.imported) && !busyStates.includes(state)
      ? new Failure('wrong-state', { act: '撤销' })
      : new Failure(busyStates.includes(state) ? 'import-busy' : 'import-finished')
  if (
    batch.createTime <= (state === importStatus.imported ? lastingBefore(now) : expiredBefore(now)) &&
    !busyStates.includes(state)
  )
    throw new Failure('import-finished')
  await moveTo(tx, ibId, from, to, more)
  return { ...batch, ...more }
}

/** Writes the next state down; false when the import is in none of the states it was to leave. */
export async function moveTo(
  { db, actor, clock }: Context,
  ibId: string,
  from: readonly ImportStatus[],
  to: ImportStatus,
  more: { newOnly?: '0' | '1'; fault?: KeptFault } = {},
): Promise<boolean> {
  const stamp =
    to === importStatus.imported && from.every((state) => state !== importStatus.undoing)
      ? { commitTime: clock.now() }
      : to === importStatus.undone
        ? { undoTime: clock.now() }
        : {}
  const { fault, ...set } = more
  const { numUpdatedRows } = await db
    .updateTable('importBatch')
    .set({ ibStatus: to, fault: fault ? JSON.stringify(fault) : null, ...set, ...stamp })
    .where('schoolId', '=', actor.schoolId)
    .where('ibId', '=', ibId)
    .where('ibStatus', 'in', [...from])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends work that is finished: of the two rows that say so, the job's always comes first, as it does when the work is
 * stopped.
 */
export async function endWork(
  tx: Context,
  work: Work,
  ibId: string,
  from: ImportStatus,
  to: ImportStatus,
  fault?: KeptFault,
): Promise<void> {
  await work.finish(tx)
  if (!(await moveTo(tx, ibId, [from], to, fault ? { fault } : {}))) throw new Failure('import-finished')
}

/** An error as a batch keeps it. The values are those of the text, which is all that is told of it. */
export function keptFault(error: unknown): KeptFault {
  const failure = asFailure(error)
  return { reason: failure.reason, values: failure.values }
}
