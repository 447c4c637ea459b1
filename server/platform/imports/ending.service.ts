import { sql } from 'kysely'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { type ImportBatch } from '../../../contract/platform/imports/imports.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Db } from '../../core/database/pool.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { cancelJobs } from '../../core/jobs/jobs.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { claim, moveTo } from './batch-state.ts'
import type { AnyImporter } from './importer.ts'
import { expiredBefore, findBatch, lastingBefore } from './imports.queries.ts'
import { dropFile } from './import-file.ts'
import { readBatch } from './imports.service.ts'
import { importJob } from './work.ts'

/**
 * Gives up an import that is being checked, waits for its columns or for its commit; its rows and its file are removed.
 */
export async function discardBatch(ctx: Context, importer: AnyImporter, ibId: string): Promise<ImportBatch> {
  await inTransaction(ctx, async (tx) => {
    // the job's row before the batch's, as when the work ends by itself
    const batch = await findBatch(tx, importer.sheet.kind, ibId)
    if (batch.ibStatus === importStatus.checking && batch.createBy === tx.actor.suId) await stopWork(tx, ibId)
    await claim(
      tx,
      importer,
      ibId,
      [importStatus.ready, importStatus.awaitingColumns, importStatus.checking],
      importStatus.discarded,
    )
    await tx.db.deleteFrom('importRow').where('schoolId', '=', tx.actor.schoolId).where('ibId', '=', ibId).execute()
    await dropFile(tx, ibId)
  })
  return readBatch(ctx, importer, ibId)
}

/** Stops a commit or an undo that is under way: nothing of it remains, and it may be tried again. */
export async function cancelWork(ctx: Context, importer: AnyImporter, ibId: string): Promise<ImportBatch> {
  await inTransaction(ctx, async (tx) => {
    const { ibStatus, createBy } = await findBatch(tx, importer.sheet.kind, ibId)
    if (ibStatus === importStatus.importing && createBy !== tx.actor.suId) throw new Failure('not-found')
    const stopped =
      [importStatus.importing, importStatus.undoing].some((state) => state === ibStatus) &&
      (await stopWork(tx, ibId)) > 0
    if (
      !stopped ||
      !(ibStatus === importStatus.importing
        ? await moveTo(tx, ibId, [importStatus.importing], importStatus.ready)
        : await moveTo(tx, ibId, [importStatus.undoing], importStatus.imported))
    )
      throw new Failure('import-not-stopped')
  })
  return readBatch(ctx, importer, ibId)
}

const stopWork = (tx: Context, ibId: string): Promise<number> =>
  cancelJobs(tx, { schoolId: tx.actor.schoolId, kind: importJob, key: ibId })

/**
 * Removes what imports no longer need: after 24 hours waiting ones and all texts of uploaded files, after 30 days what
 * undoing needs. A job calls it about hourly, for all schools.
 */
export async function sweepImports({ db, clock }: PublicContext): Promise<void> {
  const expired = expiredBefore(clock.now())
  const open = [importStatus.ready, importStatus.awaitingColumns, importStatus.checking]
  await db
    .updateTable('importBatch')
    .set({ ibStatus: importStatus.discarded })
    .where('ibStatus', 'in', open)
    .where('createTime', '<=', expired)
    .execute()
  const gone = db.selectFrom('importBatch').select(['schoolId', 'ibId'])
  const old = gone.where('createTime', '<=', expired).$asTuple('schoolId', 'ibId')
  await db
    .deleteFrom('importFile')
    .where((eb) => eb(eb.refTuple('schoolId', 'ibId'), 'in', old))
    .execute()
  // what was committed keeps what it was about, row by row, as long as it can be undone
  await db
    .deleteFrom('importRow')
    .where((eb) => eb(eb.refTuple('schoolId', 'ibId'), 'in', old))
    .execute()
  const lasting = gone.where((eb) =>
    eb.or([eb('createTime', '<=', lastingBefore(clock.now())), eb('ibStatus', '=', importStatus.undone)]),
  )
  await db
    .deleteFrom('importUndo')
    .where((eb) => eb(eb.refTuple('schoolId', 'ibId'), 'in', lasting.$asTuple('schoolId', 'ibId')))
    .execute()
}

/** States in which the rows of a file are still needed. */
const unended = [
  importStatus.checking,
  importStatus.awaitingColumns,
  importStatus.ready,
  importStatus.importing,
  importStatus.undoing,
]

/**
 * Removes what imports that have ended keep of people: the rows that say their number, and what undoing would make of
 * them again. The undo of such an import then leaves these people as they are.
 */
export async function forgetInImports(
  { db, actor: { schoolId } }: Context,
  people: readonly { suId: string; suiNumber: string }[],
): Promise<void> {
  // a number is looked for where the sheet has numbers of people: elsewhere an equal text is a year or an amount
  await sql`
    delete from "importRow" r
    using "importBatch" b
    where r."schoolId" = ${schoolId}
      and b."schoolId" = r."schoolId"
      and b."ibId" = r."ibId"
      and b."ibStatus" <> all(${unended}::text[])
      and exists (
        select
        from jsonb_array_elements(b."heads") with ordinality as h("head", "no")
        where h."head" ->> 'key' like '%Number'
          and btrim(normalize(r."cells" ->> (h."no" - 1)::int, NFKC)) = any(${people.map((one) => one.suiNumber)}::text[])
      )`.execute(db)
  await db
    .deleteFrom('importUndo')
    .where('schoolId', '=', schoolId)
    .where(
      anyOf(
        'recordId',
        people.map(({ suId }) => suId),
      ),
    )
    .execute()
}

/** Removes what is left of one school's imports that began before a moment. @returns how many */
export async function removeOldImports(db: Db, schoolId: string, before: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('importBatch')
    .where('schoolId', '=', schoolId)
    .where('createTime', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
