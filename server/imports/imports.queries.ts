import { sql, type Transaction } from 'kysely'
import { batchStates, type ImportBatch, type ImportTarget, type Verdict } from '../../contract/imports/imports.schema.ts'
import { addSeconds } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import type { Db, Tables } from '../core/database/pool.ts'
import type { Head } from './heads.ts'

/** Hours after which a waiting import and its error workbook are gone. */
const keptHours = 24
/** The moment before which waiting imports and error workbooks are gone. */
export const expiredBefore = (now: string): string => addSeconds(now, -keptHours * 3600)

export interface BatchRow {
  ibId: string
  ibKind: string
  ibStatus: string
  errorId: string
  fileName: string
  target: ImportTarget
  heads: Head[]
  createBy: string
  createName: string
  createTime: string
  commitTime: string | null
  undoTime: string | null
  newCount: number
  updateCount: number
  sameCount: number
  conflictCount: number
  faultCount: number
}

/** The imports of a kind the caller may see: his own, and for whoever sees the whole school those of others, as a list. */
export function visibleBatches({ db, actor, scope }: Context, kind: string) {
  const query = db.selectFrom('importBatch').where('importBatch.schoolId', '=', actor.schoolId).where('ibKind', '=', kind)
  return scope.whole ? query : query.where('importBatch.createBy', '=', actor.suId)
}

/** The caller's own imports: only he sees their rows and their error workbooks. */
export const ownBatches = (ctx: Context, kind: string) => visibleBatches(ctx, kind).where('importBatch.createBy', '=', ctx.actor.suId)

const batchColumns = [
  'ibId', 'ibKind', 'ibStatus', 'errorId', 'fileName', 'target', 'heads', 'importBatch.createBy', 'createName', 'createTime', 'commitTime', 'undoTime',
  'newCount', 'updateCount', 'sameCount', 'conflictCount', 'faultCount',
] as const

export const selectBatch = (query: ReturnType<typeof visibleBatches>) => query.select(batchColumns).$castTo<BatchRow>()

/** What the caller may do to an import now: undo a committed one, and commit or drop a waiting one of his own. */
function actsOn({ actor, clock }: Context, batch: BatchRow): string[] {
  if (batch.ibStatus === batchStates.committed) return ['undo']
  const open = batch.ibStatus === batchStates.waiting && batch.createBy === actor.suId && batch.createTime > expiredBefore(clock.now())
  return open ? ['commit', 'discard'] : []
}

/** An import as the wire shows it. */
export function asBatch(ctx: Context, batch: BatchRow): ImportBatch {
  const { target: _target, heads: _heads, createBy, ...shown } = batch
  const failCount = batch.faultCount + batch.conflictCount
  const hasWorkbook = failCount > 0 && createBy === ctx.actor.suId && batch.createTime > expiredBefore(ctx.clock.now())
  return {
    ...shown,
    ibStatus: batch.ibStatus as ImportBatch['ibStatus'],
    errorId: hasWorkbook ? batch.errorId : '',
    successCount: batch.newCount + batch.updateCount,
    failCount,
    can: actsOn(ctx, batch),
  }
}

/** Counts the verdicts of an import again and keeps them with it. */
export async function recount(db: Db | Transaction<Tables>, schoolId: string, ibId: string): Promise<void> {
  const counted = await db
    .selectFrom('importRow')
    .where('schoolId', '=', schoolId)
    .where('ibId', '=', ibId)
    .groupBy('verdict')
    .select(['verdict', sql<number>`count(*)::int`.as('n')])
    .execute()
  const of = (verdict: Verdict) => counted.find((each) => each.verdict === verdict)?.n ?? 0
  await db
    .updateTable('importBatch')
    .set({ newCount: of('new'), updateCount: of('update'), sameCount: of('same'), conflictCount: of('conflict'), faultCount: of('fault') })
    .where('schoolId', '=', schoolId)
    .where('ibId', '=', ibId)
    .execute()
}
