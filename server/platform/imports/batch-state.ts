import type { BatchState } from '../../../contract/platform/imports/imports.schema.ts'
import { batchStates } from '../../../contract/platform/imports/imports.schema.ts'
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

const busyStates: readonly BatchState[] = ['checking', 'committing', 'undoing']

/** States that only the person who uploaded the file may leave. */
const ownStates: readonly BatchState[] = ['waiting', 'matching', 'checking', 'committing']

/**
 * Takes an import from one state to the next, so that of two callers only one goes on. Why an earlier try was refused
 * is forgotten.
 * @throws Failure when it is in another state, somebody else's, or too old
 */
export async function claim(
  tx: Context,
  importer: AnyImporter,
  ibId: string,
  from: readonly BatchState[],
  to: BatchState,
  more: { newOnly?: '0' | '1' } = {},
): Promise<BatchRow> {
  const { kind } = importer.sheet
  const within = from.some((state) => ownStates.includes(state)) ? ownBatches(tx, kind) : visibleBatches(tx, kind)
  const batch = await selectBatch(within).where('ibId', '=', ibId).forUpdate().executeTakeFirst()
  if (!batch) throw new Failure('not-found')
  const now = tx.clock.now()
  const state = stateOf(batch.ibStatus)
  if (!from.includes(state))
    throw from.includes('committed') && !busyStates.includes(state)
      ? new Failure('wrong-state', { act: '撤销' })
      : new Failure(busyStates.includes(state) ? 'import-busy' : 'import-finished')
  if (
    batch.createTime <= (state === 'committed' ? lastingBefore(now) : expiredBefore(now)) &&
    !busyStates.includes(state)
  )
    throw new Failure('import-finished')
  await moveTo(tx, ibId, from, to, more)
  return { ...batch, ...more }
}

const stateOf = (code: string): BatchState =>
  (Object.keys(batchStates) as BatchState[]).find((state) => batchStates[state] === code)!

/** Writes the next state down; false when the import is in none of the states it was to leave. */
export async function moveTo(
  { db, actor, clock }: Context,
  ibId: string,
  from: readonly BatchState[],
  to: BatchState,
  more: { newOnly?: '0' | '1'; fault?: KeptFault } = {},
): Promise<boolean> {
  const stamp =
    to === 'committed' && from.every((state) => state !== 'undoing')
      ? { commitTime: clock.now() }
      : to === 'undone'
        ? { undoTime: clock.now() }
        : {}
  const { fault, ...set } = more
  const { numUpdatedRows } = await db
    .updateTable('importBatch')
    .set({ ibStatus: batchStates[to], fault: fault ? JSON.stringify(fault) : null, ...set, ...stamp })
    .where('schoolId', '=', actor.schoolId)
    .where('ibId', '=', ibId)
    .where(
      'ibStatus',
      'in',
      from.map((state) => batchStates[state]),
    )
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
  from: BatchState,
  to: BatchState,
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
