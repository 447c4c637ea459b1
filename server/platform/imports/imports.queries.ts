import { sql, type Transaction } from 'kysely'
import { importStatus, yesNo, jobStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { type ImportBatch, type ImportTarget, type Verdict } from '../../../contract/platform/imports/imports.schema.ts'
import { addSeconds } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import type { Db, Tables } from '../../core/database/pool.ts'
import type { Header } from './headers.ts'
import { isHinted } from './import-rows.ts'
import type { KeptFault } from './work.ts'

/** Hours after which a waiting import and its error workbook are gone. */
const keptHours = 24
/** Days an import can be undone. */
const undoDays = 30
/** The moment before which waiting imports and error workbooks are gone. */
export const expiredBefore = (now: string): string => addSeconds(now, -keptHours * 3600)
/** The moment before which imports can no longer be undone. */
export const lastingBefore = (now: string): string => addSeconds(now, -undoDays * 86_400)

export interface BatchRow {
  ibId: string
  ibKind: string
  ibStatus: string
  errorId: string
  fileName: string
  target: ImportTarget
  heads: Header[]
  fault: KeptFault | null
  notes: string[]
  newOnly: string
  matched: string
  createBy: string
  createName: string
  createTime: string
  commitTime: string | null
  undoTime: string | null
  rowCount: number
  newCount: number
  updateCount: number
  sameCount: number
  conflictCount: number
  faultCount: number
  skipCount: number
  hintCount: number
  /** Of the job that works on it; null while none does. */
  progress: number | null
}

/**
 * The imports of a kind the caller may see: their own, and for whoever sees the whole school those of others, as a
 * list.
 */
export function visibleBatches({ db, actor, scope }: Context, kind: string) {
  const query = from({ db, actor }, 'importBatch').where('ibKind', '=', kind)
  return scope.whole ? query : query.where('importBatch.createBy', '=', actor.suId)
}

/** The caller's own imports: only they see their rows and their error workbooks. */
export const ownBatches = (ctx: Context, kind: string) =>
  visibleBatches(ctx, kind).where('importBatch.createBy', '=', ctx.actor.suId)

const batchColumns = [
  'ibId',
  'ibKind',
  'ibStatus',
  'errorId',
  'fileName',
  'target',
  'heads',
  'fault',
  'notes',
  'newOnly',
  'matched',
  'importBatch.createBy',
  'createName',
  'createTime',
  'commitTime',
  'undoTime',
  'rowCount',
  'newCount',
  'updateCount',
  'sameCount',
  'conflictCount',
  'faultCount',
  'skipCount',
  'hintCount',
] as const

/**
 * The key of the job is the batch's id, and of the jobs with that key one at most waits or runs. Jobs are asked in a
 * query of their own, which an engine with several machines can ask first.
 */
const progress = sql<number | null>`(
    select j."progress"
    from (
      select "schoolId", "jobKey", "progress"
      from "job"
      where "jobKind" = 'import'
        and "jobStatus" in (${sql.lit(jobStatus.waiting)}, ${sql.lit(jobStatus.running)})
    ) j
    where j."schoolId" = "importBatch"."schoolId" and j."jobKey" = "importBatch"."ibId"::text
  )`

/** The columns of an import that calls answer, with its progress. */
export const selectBatch = (query: ReturnType<typeof visibleBatches>) =>
  query.select(batchColumns).select(progress.as('progress')).$castTo<BatchRow>()

/** An import the caller may see. @throws Failure `not-found` */
export async function findBatch(ctx: Context, kind: string, ibId: string): Promise<BatchRow> {
  const batch = await selectBatch(visibleBatches(ctx, kind)).where('ibId', '=', ibId).executeTakeFirst()
  if (!batch) throw new Failure('not-found')
  return batch
}

/**
 * What the caller may do to an import now: undo a committed one or stop an undo, and everything else to one of their
 * own.
 */
function actionsOn({ actor, clock }: Context, { ibStatus, createBy, createTime }: BatchRow): string[] {
  const now = clock.now()
  if (ibStatus === importStatus.imported) return createTime > lastingBefore(now) ? ['undo'] : []
  if (ibStatus === importStatus.undoing) return ['cancel']
  if (createBy !== actor.suId || createTime <= expiredBefore(now)) return []
  return (
    {
      [importStatus.ready]: ['commit', 'match', 'discard'],
      [importStatus.awaitingColumns]: ['match', 'discard'],
      [importStatus.checking]: ['discard'],
      [importStatus.importing]: ['cancel'],
    }[ibStatus] ?? []
  )
}

/** An import as the wire shows it. */
export function asBatch(ctx: Context, batch: BatchRow): ImportBatch {
  const { target: _target, heads: _heads, fault, createBy, ...shown } = batch
  const failCount = batch.faultCount + batch.conflictCount
  const hasWorkbook = failCount > 0 && createBy === ctx.actor.suId && batch.createTime > expiredBefore(ctx.clock.now())
  const newOnly = batch.newOnly === yesNo.yes
  return {
    ...shown,
    ibStatus: batch.ibStatus as ImportBatch['ibStatus'],
    errorId: hasWorkbook ? batch.errorId : '',
    successCount: batch.newCount + (newOnly ? 0 : batch.updateCount),
    failCount,
    newOnly,
    matched: batch.matched === yesNo.yes,
    fault: fault ? new Failure(fault.reason, fault.values).msg : '',
    can: actionsOn(ctx, batch),
  }
}

/** Counts the verdicts of an import again and keeps them with it. */
export async function recount(db: Db | Transaction<Tables>, schoolId: string, ibId: string): Promise<void> {
  const counted = await from({ db, schoolId }, 'importRow')
    .where('ibId', '=', ibId)
    .groupBy('verdict')
    .select([
      'verdict',
      sql<number>`count(*)::int`.as('n'),
      sql<number>`(count(*) filter (where ${isHinted}))::int`.as('hinted'),
    ])
    .execute()
  await db
    .updateTable('importBatch')
    .set({
      ...countColumns(Object.fromEntries(counted.map(({ verdict, n }) => [verdict, n]))),
      hintCount: counted.reduce((sum, { hinted }) => sum + hinted, 0),
    })
    .where('schoolId', '=', schoolId)
    .where('ibId', '=', ibId)
    .execute()
}

/** Numbers of rows by verdict as the columns that keep them. */
export function countColumns(counts: Partial<Record<Verdict, number>>) {
  const of = (verdict: Verdict) => counts[verdict] ?? 0
  return {
    newCount: of('new'),
    updateCount: of('update'),
    sameCount: of('same'),
    conflictCount: of('conflict'),
    faultCount: of('fault'),
    skipCount: of('skip'),
  }
}
