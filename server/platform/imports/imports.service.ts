import { importStatus } from '../../../contract/core/codes/platform.ts'
import { sql } from 'kysely'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import {
  importTarget,
  type FileColumns,
  type ImportBatch,
  type ImportRow,
  type ImportTarget,
  type Verdict,
} from '../../../contract/platform/imports/imports.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import type { SheetLine } from '../../core/sheets/limits.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { claim } from './batch-state.ts'
import { readUpload, validateAndStore } from './check.service.ts'
import type { AnyImporter } from './importer.ts'
import {
  asBatch,
  expiredBefore,
  findBatch,
  ownBatches,
  selectBatch,
  visibleBatches,
  type BatchRow,
} from './imports.queries.ts'
import { fileSize, keepFile, withFile } from './import-file.ts'
import { pageOfRows, type StoredRow } from './import-rows.ts'
import { fileColumnsOf, matchedColumns, type Match } from './match-columns.ts'
import { rememberMatch } from './remembered-match.ts'
import { immediateWork, maxAtOnce, newErrorId, startWork, whenDone } from './work.ts'

/**
 * Takes an uploaded file in and checks its rows: a small one at once, a large one by a job, whose end is awaited for
 * some seconds.
 */
export async function uploadFile(
  ctx: Context,
  importer: AnyImporter,
  target: ImportTarget,
  {
    match: asks = false,
    commit = false,
    wait,
  }: { match?: boolean | undefined; commit?: boolean | undefined; wait: number },
): Promise<ImportBatch> {
  assertTarget(importer, target)
  const { path, name, size } = ctx.upload!
  // .xls is told apart by its content, with what to do about it
  if (!/\.(xlsx|xlsm|csv|xls)$/i.test(name)) throw new Failure('sheet-wrong-ending', { name })
  const ibId = newId()
  const before = async (tx: Context) => {
    await dropOlder(tx, importer.sheet.kind)
    await insertBatch(tx, { ibId, kind: importer.sheet.kind, target, fileName: name })
    await keepFile(tx, ibId, path)
  }
  if (size <= maxAtOnce.bytes) {
    await validateAndStore(
      ctx,
      importer,
      { ibId, target },
      await readUpload(ctx, importer, path, { asks }),
      immediateWork,
      {
        before,
      },
    )
  } else {
    await inTransaction(ctx, async (tx) => {
      await assertRoom(tx)
      await before(tx)
      await startWork(tx, importer, ibId, { act: 'check', match: asks, commit })
    })
  }
  return whenDone(ctx, importer, ibId, wait)
}

/** The fields of the target that the importer cannot do without. */
function assertTarget(importer: AnyImporter, target: ImportTarget): void {
  const missing = (importer.needs ?? []).filter((field) => !target[field])
  if (missing.length > 0) throw invalidInput(missing.map((field) => ({ field, msg: `请选择${labels[field]}` })))
}

const labels: Record<keyof ImportTarget, string> = Object.fromEntries(
  Object.entries(importTarget.shape).map(([field, schema]) => [
    field,
    String(schema.unwrap().meta()?.['label'] ?? field),
  ]),
) as Record<keyof ImportTarget, string>

/** A person keeps at most this many waiting imports of a kind; older ones give way. */
const maxWaiting = 5

async function dropOlder({ db, actor }: Context, kind: string): Promise<void> {
  const { rows } = await sql<{ ibId: string }>`
      update "importBatch"
      set "ibStatus" = ${importStatus.discarded}
      where "schoolId" = ${actor.schoolId}
        and "ibId" in (
          select "ibId"
          from "importBatch"
          where "schoolId" = ${actor.schoolId}
            and "ibKind" = ${kind}
            and "createBy" = ${actor.suId}
            and "ibStatus" in (${importStatus.ready}, ${importStatus.awaitingColumns})
          order by "ibId" desc
          offset ${maxWaiting - 1}
        )
      returning "ibId"`.execute(db)
  for (const table of ['importRow', 'importFile'] as const)
    await db
      .deleteFrom(table)
      .where('schoolId', '=', actor.schoolId)
      .where(
        anyOf(
          'ibId',
          rows.map(({ ibId }) => ibId),
        ),
      )
      .execute()
}

/**
 * Large imports of one person that may be worked on or wait for it at the same time; two are worked on at once, whoever
 * they belong to.
 */
const maxWorking = 5

async function assertRoom({ db, actor }: Context): Promise<void> {
  const busy = [importStatus.checking, importStatus.importing, importStatus.undoing]
  const { n } = await from({ db, actor }, 'importBatch')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('createBy', '=', actor.suId)
    .where('ibStatus', 'in', busy)
    .executeTakeFirstOrThrow()
  if (n >= maxWorking) throw new Failure('import-too-many')
}

async function insertBatch(
  { db, actor, clock }: Context,
  { kind, target, ...batch }: { ibId: string; kind: string; target: ImportTarget; fileName: string },
): Promise<void> {
  await db
    .insertInto('importBatch')
    .values({
      schoolId: actor.schoolId,
      ...batch,
      ibKind: kind,
      ibStatus: importStatus.checking,
      errorId: newErrorId(),
      target: JSON.stringify(target),
      createBy: actor.suId,
      createName: actor.suNickname,
      createTime: clock.now(),
    })
    .execute()
}

/** An import as it stands. */
export const readBatch = async (ctx: Context, importer: AnyImporter, ibId: string): Promise<ImportBatch> =>
  asBatch(ctx, await findBatch(ctx, importer.sheet.kind, ibId))

/** One's own import that is still to be decided about: it waits for its columns or for its commit. */
async function openBatch(ctx: Context, importer: AnyImporter, ibId: string): Promise<BatchRow & { top: SheetLine[] }> {
  const batch = await selectBatch(ownBatches(ctx, importer.sheet.kind))
    .select('top')
    .where('ibId', '=', ibId)
    .executeTakeFirst()
  if (!batch) throw new Failure('not-found')
  if (batch.ibStatus === importStatus.checking) throw new Failure('import-busy')
  const isOpen = [importStatus.ready, importStatus.awaitingColumns].some((state) => state === batch.ibStatus)
  if (!isOpen || !batch.top || batch.createTime <= expiredBefore(ctx.clock.now())) throw new Failure('import-finished')
  return { ...batch, top: JSON.parse(unseal(batch.top, ctx.secrets)!) as SheetLine[] }
}

/** The columns of an uploaded file and what they seem to mean, for matching. */
export async function fileColumns(
  ctx: Context,
  importer: AnyImporter,
  { ibId, headNo: headerNo }: { ibId: string; headNo?: number | undefined },
): Promise<FileColumns> {
  const { top, heads: headers } = await openBatch(ctx, importer, ibId)
  return fileColumnsOf(
    importer.sheet,
    top,
    headerNo,
    headerNo === undefined && headers.length > 0 ? headers : undefined,
  )
}

/**
 * Reads the file of a waiting import anew, with its columns as the person says, and remembers that for the next file
 * with these headers.
 */
export async function matchFile(
  ctx: Context,
  importer: AnyImporter,
  { ibId, headNo: headerNo, columns, wait }: Match & { ibId: string; wait: number },
): Promise<ImportBatch> {
  const { top, target } = await openBatch(ctx, importer, ibId)
  const match = { headNo: headerNo, columns }
  const before = async (tx: Context) => {
    await claim(tx, importer, ibId, [importStatus.ready, importStatus.awaitingColumns], importStatus.checking)
    await rememberMatch(tx, importer.sheet, top, match)
  }
  if ((await fileSize(ctx, ibId)) <= maxAtOnce.bytes) {
    const content = await withFile(ctx, ibId, (path) => readUpload(ctx, importer, path, { match }))
    await validateAndStore(ctx, importer, { ibId, target }, content, immediateWork, { before })
  } else {
    // what can be seen from the first lines is told at once
    matchedColumns(importer.sheet, { type: 'csv', lines: top, merges: [], template: null }, match)
    await inTransaction(ctx, async (tx) => {
      await before(tx)
      await startWork(tx, importer, ibId, { act: 'check', columns: match })
    })
  }
  return whenDone(ctx, importer, ibId, wait)
}

/** A page of the rows of one's own import, optionally of one verdict. */
export async function previewRows(
  ctx: Context,
  importer: AnyImporter,
  input: {
    ibId: string
    verdict?: Verdict | undefined
    hinted?: boolean | undefined
    current: number
    pageSize: number
  },
) {
  const stored = await selectBatch(ownBatches(ctx, importer.sheet.kind))
    .where('ibId', '=', input.ibId)
    .executeTakeFirst()
  if (!stored) throw new Failure('not-found')
  const batch = asBatch(ctx, stored)
  const total =
    stored.createTime <= expiredBefore(ctx.clock.now())
      ? 0
      : input.hinted
        ? batch.hintCount
        : input.verdict
          ? batch[`${input.verdict}Count`]
          : batch.rowCount
  const rows = await pageOfRows(
    ctx,
    { ibId: input.ibId, heads: stored.heads, sheet: importer.sheet },
    { offset: offsetOf(input), limit: input.pageSize, verdict: input.verdict, hinted: input.hinted },
  )
  const columns = stored.heads.map(({ key, label }) => ({
    key,
    label,
    required: importer.sheet.columns.find((column) => column.key === key)?.required === true,
  }))
  return { ...asPage(rows.map(asRow), total, input), batch, columns }
}

/** A row as the wire shows it. */
export const asRow = ({
  rowNo,
  verdict,
  cells,
  faults,
  hints,
  changes,
}: Omit<StoredRow, 'keys' | 'marks'>): ImportRow => ({ rowNo, verdict, cells, faults, hints, changes })

/** The imports of a kind, latest first; where the kind needs a record, those into that record. */
export async function listBatches(
  ctx: Context,
  importer: AnyImporter,
  target: ImportTarget,
  page: { current: number; pageSize: number },
) {
  const wanted = Object.fromEntries(
    (importer.needs ?? []).flatMap((field) => (target[field] ? [[field, target[field]]] : [])),
  )
  const visible = visibleBatches(ctx, importer.sheet.kind).where(
    sql<boolean>`"target" @> ${JSON.stringify(wanted)}::jsonb`,
  )
  const [rows, { total }] = await Promise.all([
    selectBatch(visible).orderBy('ibId', 'desc').limit(page.pageSize).offset(offsetOf(page)).execute(),
    visible.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  return asPage(
    rows.map((row) => asBatch(ctx, row)),
    total,
    page,
  )
}
