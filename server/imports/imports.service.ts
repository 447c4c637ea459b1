import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import { batchStates, importTarget, type ImportBatch, type ImportRow, type ImportTarget, type Verdict } from '../../contract/imports/imports.schema.ts'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { asPage, offsetOf } from '../core/pages.ts'
import { dataRowsMax, headRowsMax } from '../core/sheets/limits.ts'
import { readSheet } from '../core/sheets/read-sheet.ts'
import { inTransaction } from '../core/transaction.ts'
import { findHeads, type Head } from './heads.ts'
import type { AnyImporter } from './importer.ts'
import { asBatch, ownBatches, selectBatch, visibleBatches } from './imports.queries.ts'
import { insertRows, pageOfRows, type StoredRow } from './import-rows.ts'
import { judge, type Judged, type RowText } from './judge.ts'

/** Reads an uploaded file, weighs every row and keeps the result for preview; nothing of the domain is changed. */
export async function checkFile(ctx: Context, importer: AnyImporter, target: ImportTarget): Promise<ImportBatch> {
  requireTarget(importer, target)
  const rowsMax = importer.rowsMax ?? dataRowsMax
  const { path, name } = ctx.upload!
  const { heads, data } = findHeads(importer.sheet, await readSheet(path, { rows: rowsMax + headRowsMax }))
  if (data.length > rowsMax) throw new Failure('sheet-too-many-rows', { n: rowsMax })
  const lines = data.map(({ no, cells, marks = {} }): RowText => {
    const marked = heads.flatMap(({ at, key }) => (marks[at] ? [[key, marks[at]] as const] : []))
    return { rowNo: no, cells: Object.fromEntries(heads.map(({ at, key }) => [key, cells[at] ?? ''])), ...(marked.length ? { marks: Object.fromEntries(marked) } : {}) }
  })
  const judged = await judge(ctx, importer, target, lines)
  const ibId = newId()
  await inTransaction(ctx, async (tx) => {
    await dropOlder(tx, importer.sheet.kind)
    await insertBatch(tx, { ibId, importer, heads, target, fileName: name, judged })
    await insertRows(tx, { ibId, heads, sheet: importer.sheet }, lines, judged)
  })
  return readBatch(ctx, importer, ibId)
}

/** The fields of the target that the importer cannot do without. */
export function requireTarget(importer: AnyImporter, target: ImportTarget): void {
  const missing = (importer.needs ?? []).filter((field) => !target[field])
  if (missing.length > 0) throw invalidInput(missing.map((field) => ({ field, msg: `请选择${labels[field]}` })))
}

const labels: Record<keyof ImportTarget, string> = Object.fromEntries(
  Object.entries(importTarget.shape).map(([field, schema]) => [field, String(schema.unwrap().meta()?.['label'] ?? field)]),
) as Record<keyof ImportTarget, string>

/** A person keeps at most this many waiting imports of a kind; older ones give way. */
const waitingMax = 5

async function dropOlder({ db, actor }: Context, kind: string): Promise<void> {
  const mine = { schoolId: actor.schoolId, ibKind: kind, createBy: actor.suId, ibStatus: batchStates.waiting }
  await sql`with old as (
      update "importBatch" set "ibStatus" = ${batchStates.discarded} where "schoolId" = ${mine.schoolId} and "ibId" in (
        select "ibId" from "importBatch" where "schoolId" = ${mine.schoolId} and "ibKind" = ${mine.ibKind} and "createBy" = ${mine.createBy} and "ibStatus" = ${mine.ibStatus}
        order by "ibId" desc offset ${waitingMax - 1}) returning "ibId")
    delete from "importRow" where "schoolId" = ${mine.schoolId} and "ibId" in (select "ibId" from old)`.execute(db)
}

async function insertBatch(
  { db, actor, clock }: Context,
  { ibId, importer, heads, target, fileName, judged }: { ibId: string; importer: AnyImporter; heads: Head[]; target: ImportTarget; fileName: string; judged: Judged[] },
): Promise<void> {
  const counts = { new: 0, update: 0, same: 0, conflict: 0, fault: 0 } satisfies Record<Verdict, number>
  for (const { verdict } of judged) counts[verdict]++
  await db
    .insertInto('importBatch')
    .values({
      schoolId: actor.schoolId, ibId, ibKind: importer.sheet.kind, fileName,
      // nobody can guess it, and it serves its owner only
      errorId: randomBytes(24).toString('base64url'),
      target: JSON.stringify(target), heads: JSON.stringify(heads),
      newCount: counts.new, updateCount: counts.update, sameCount: counts.same, conflictCount: counts.conflict, faultCount: counts.fault,
      createBy: actor.suId, createName: actor.suNickname, createTime: clock.now(),
    })
    .execute()
}

/** An import as it stands. */
export async function readBatch(ctx: Context, importer: AnyImporter, ibId: string): Promise<ImportBatch> {
  const batch = await selectBatch(visibleBatches(ctx, importer.sheet.kind)).where('ibId', '=', ibId).executeTakeFirst()
  if (!batch) throw new Failure('not-found')
  return asBatch(ctx, batch)
}

/** A page of the rows of one's own import, optionally of one verdict. */
export async function previewRows(ctx: Context, importer: AnyImporter, input: { ibId: string; verdict?: Verdict | undefined; current: number; pageSize: number }) {
  const stored = await selectBatch(ownBatches(ctx, importer.sheet.kind)).where('ibId', '=', input.ibId).executeTakeFirst()
  if (!stored) throw new Failure('not-found')
  const batch = asBatch(ctx, stored)
  const total = input.verdict ? batch[`${input.verdict}Count`] : batch.newCount + batch.updateCount + batch.sameCount + batch.failCount
  const rows = await pageOfRows(ctx, { ibId: input.ibId, heads: stored.heads, sheet: importer.sheet }, { offset: offsetOf(input), limit: input.pageSize, verdict: input.verdict })
  const columns = stored.heads.map(({ key, label }) => ({ key, label, required: importer.sheet.columns.find((column) => column.key === key)?.required === true }))
  return { ...asPage(rows.map(asRow), total, input), batch, columns }
}

/** A row as the wire shows it. */
export const asRow = ({ rowNo, verdict, cells, faults, changes }: Omit<StoredRow, 'keys' | 'marks'>): ImportRow => ({ rowNo, verdict, cells, faults, changes })

/** The imports of a kind, latest first. */
export async function listBatches(ctx: Context, importer: AnyImporter, page: { current: number; pageSize: number }) {
  const visible = visibleBatches(ctx, importer.sheet.kind)
  const [rows, { total }] = await Promise.all([
    selectBatch(visible).orderBy('ibId', 'desc').limit(page.pageSize).offset(offsetOf(page)).execute(),
    visible.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  return asPage(rows.map((row) => asBatch(ctx, row)), total, page)
}
