import { sql } from 'kysely'
import type { Sheet } from '../../contract/core/sheets.ts'
import type { ImportRow, Verdict } from '../../contract/imports/imports.schema.ts'
import { chunksOf, recordset } from '../core/bulk.ts'
import type { Context } from '../core/context.ts'
import { seal, unseal } from '../core/field-crypto.ts'
import type { Secrets } from '../core/secrets.ts'
import type { CellMark } from '../core/sheets/limits.ts'
import type { CellFault } from '../core/sheets/read-row.ts'
import type { Head } from './heads.ts'
import type { Judged, RowText, Witness } from './judge.ts'

/** A cell as it waits in the database: its text, or sealed where the column is sensitive. */
type KeptCell = string | { sealed: string }

/** What the machine keeps of a row beside its cells: by what it is recognised, and the marks of its cells. */
interface KeptRow {
  keys: string[]
  marks?: Record<string, CellMark>
}

/** Which columns of the file hold sensitive values. */
export const sensitiveHeads = (sheet: Sheet, heads: readonly Head[]): boolean[] => heads.map(({ key }) => sheet.columns.find((column) => column.key === key)?.sensitive === true)

const keptCells = (heads: readonly Head[], sensitive: boolean[], cells: Record<string, string>, secrets: Secrets): KeptCell[] =>
  heads.map(({ key }, at) => {
    const text = cells[key] ?? ''
    return sensitive[at] && text ? { sealed: seal(text, secrets)!.toString('base64') } : text
  })

const openCells = (heads: readonly Head[], kept: KeptCell[], secrets: Secrets): Record<string, string> =>
  Object.fromEntries(heads.map(({ key }, at) => [key, typeof kept[at] === 'object' ? unseal(Buffer.from(kept[at].sealed, 'base64'), secrets)! : (kept[at] ?? '')]))

export interface RowsOf {
  ibId: string
  heads: readonly Head[]
  sheet: Sheet
}

/** Stores the rows of a new import. */
export async function insertRows({ db, actor, secrets }: Context, { ibId, heads, sheet }: RowsOf, lines: readonly RowText[], judged: readonly Judged[]): Promise<void> {
  const sensitive = sensitiveHeads(sheet, heads)
  let at = 0
  for await (const chunk of chunksOf(lines, 2000)) {
    const rows = chunk.map((line) => {
      const { verdict, faults, changes, keys } = judged[at++]!
      return { rowNo: line.rowNo, verdict, faults, changes, cells: keptCells(heads, sensitive, line.cells, secrets), row: { keys, ...(line.marks ? { marks: line.marks } : {}) } satisfies KeptRow }
    })
    const source = recordset(rows, { rowNo: 'int', verdict: 'text', cells: 'jsonb', row: 'jsonb', faults: 'jsonb', changes: 'jsonb' })
    await sql`insert into "importRow" ("schoolId", "ibId", "rowNo", "verdict", "cells", "row", "faults", "changes")
      select ${actor.schoolId}, ${ibId}::uuid, r."rowNo", r."verdict", r."cells", r."row", r."faults", r."changes" from ${source}`.execute(db)
  }
}

/** Replaces verdicts, faults and changes of rows, and the cells where they were edited. */
export async function updateRows({ db, actor, secrets }: Context, { ibId, heads, sheet }: RowsOf, judged: readonly Judged[], edited: readonly RowText[] = []): Promise<void> {
  const sensitive = sensitiveHeads(sheet, heads)
  for await (const chunk of chunksOf(judged, 2000)) {
    const rows = chunk.map(({ rowNo, verdict, faults, changes, keys }) => {
      const line = edited.find((each) => each.rowNo === rowNo)
      return {
        rowNo, verdict, faults, changes, keys,
        cells: line ? keptCells(heads, sensitive, line.cells, secrets) : null,
        marks: line ? (line.marks ?? {}) : null,
      }
    })
    const source = recordset(rows, { rowNo: 'int', verdict: 'text', keys: 'jsonb', cells: 'jsonb', marks: 'jsonb', faults: 'jsonb', changes: 'jsonb' })
    await sql`update "importRow" i set "verdict" = r."verdict", "faults" = r."faults", "changes" = r."changes", "cells" = coalesce(r."cells", i."cells"),
        "row" = i."row" || jsonb_build_object('keys', r."keys", 'marks', coalesce(r."marks", i."row"->'marks', '{}'))
      from ${source} where i."schoolId" = ${actor.schoolId} and i."ibId" = ${ibId} and i."rowNo" = r."rowNo"`.execute(db)
  }
}

/** Keeps with each committed row what undoing it needs. */
export async function keepUndo({ db, actor }: Context, ibId: string, undo: readonly { rowNo: number; undo: unknown }[]): Promise<void> {
  for await (const rows of chunksOf(undo, 2000)) {
    await sql`update "importRow" i set "undo" = r."undo" from ${recordset(rows, { rowNo: 'int', undo: 'jsonb' })}
      where i."schoolId" = ${actor.schoolId} and i."ibId" = ${ibId} and i."rowNo" = r."rowNo"`.execute(db)
  }
}

const rowsOf = ({ db, actor }: Context, ibId: string) => db.selectFrom('importRow').where('schoolId', '=', actor.schoolId).where('ibId', '=', ibId)

export interface StoredRow extends RowText {
  verdict: Verdict
  faults: CellFault[]
  changes: ImportRow['changes']
  keys: string[]
}

/**
 * Rows of an import in file order, a few thousand at a time, so that no statement is large.
 * @param which only rows with these verdicts
 */
export async function* storedRows(ctx: Context, { ibId, heads }: RowsOf, which?: readonly Verdict[]): AsyncGenerator<StoredRow[]> {
  for (let after = 0; ; ) {
    let query = rowsOf(ctx, ibId).where('rowNo', '>', after).orderBy('rowNo').limit(2000)
    if (which) query = query.where('verdict', 'in', which)
    const rows = await query.select(['rowNo', 'verdict', 'cells', 'row', 'faults', 'changes']).execute()
    if (rows.length === 0) return
    yield rows.map((row) => asStored(row, heads, ctx.secrets))
    after = rows.at(-1)!.rowNo
  }
}

/** One page of an import's rows. */
export async function pageOfRows(ctx: Context, { ibId, heads }: RowsOf, page: { offset: number; limit: number; verdict?: Verdict | undefined }): Promise<StoredRow[]> {
  let query = rowsOf(ctx, ibId).orderBy('rowNo').limit(page.limit).offset(page.offset)
  if (page.verdict) query = query.where('verdict', '=', page.verdict)
  const rows = await query.select(['rowNo', 'verdict', 'cells', 'row', 'faults', 'changes']).execute()
  return rows.map((row) => asStored(row, heads, ctx.secrets))
}

/** The row with that number, and every row that shares one of `keys`. */
export async function rowsWithKeys(ctx: Context, { ibId, heads }: RowsOf, rowNo: number, keys: readonly string[]): Promise<StoredRow[]> {
  const rows = await rowsOf(ctx, ibId)
    .where((eb) => eb.or([eb('rowNo', '=', rowNo), sql<boolean>`"row"->'keys' ?| ${keys}::text[]`]))
    .orderBy('rowNo')
    .select(['rowNo', 'verdict', 'cells', 'row', 'faults', 'changes'])
    .execute()
  return rows.map((row) => asStored(row, heads, ctx.secrets))
}

/** Rows that share one of `keys`, as witnesses only. */
export async function witnessesOf(ctx: Context, ibId: string, keys: readonly string[]): Promise<Witness[]> {
  const rows = await rowsOf(ctx, ibId).where(sql<boolean>`"row"->'keys' ?| ${keys}::text[]`).select(['rowNo', 'row']).execute()
  return rows.map(({ rowNo, row }) => ({ rowNo, keys: (row as KeptRow).keys }))
}

/** What undoing an import needs, last row first. */
export async function undoOf(ctx: Context, ibId: string): Promise<unknown[]> {
  const rows = await rowsOf(ctx, ibId).where('undo', 'is not', null).orderBy('rowNo', 'desc').select('undo').execute()
  return rows.map((row) => row.undo)
}

function asStored(row: { rowNo: number; verdict: string; cells: unknown; row: unknown; faults: unknown; changes: unknown }, heads: readonly Head[], secrets: Secrets): StoredRow {
  const { keys, marks } = row.row as KeptRow
  return {
    rowNo: row.rowNo,
    verdict: row.verdict as Verdict,
    cells: openCells(heads, row.cells as KeptCell[], secrets),
    ...(marks && Object.keys(marks).length > 0 ? { marks } : {}),
    keys,
    faults: row.faults as CellFault[],
    changes: row.changes as ImportRow['changes'],
  }
}
