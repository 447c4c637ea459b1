import { sql } from 'kysely'
import type { Sheet } from '../../../contract/core/sheets.ts'
import type { ImportRow, Verdict } from '../../../contract/platform/imports/imports.schema.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { seal, unseal } from '../../core/secrets/field-crypto.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { CellMark } from '../../core/sheets/limits.ts'
import type { CellFault } from '../../core/sheets/read-row.ts'
import type { Header } from './headers.ts'
import type { KeyOwners, RowResult, RowText, Duplicate } from './validate-rows.ts'

/**
 * What the machine keeps of a row beside its open cells: by what it is recognised, the marks of its cells, and its
 * sensitive cells, sealed together.
 */
interface KeptRow {
  keys: string[]
  marks?: Record<string, CellMark>
  sealed?: string
}

/** Which columns of the file hold sensitive values. */
const sensitiveHeaders = (sheet: Sheet, headers: readonly Header[]): boolean[] =>
  headers.map(({ key }) => sheet.columns.find((column) => column.key === key)?.sensitive === true)

/**
 * The cells of a row as they wait in the database: the open ones in the order of the headers, the sensitive ones in one
 * sealed text.
 */
function keptCells(
  headers: readonly Header[],
  sensitive: boolean[],
  cells: Record<string, string>,
  secrets: Secrets,
): { cells: string[]; sealed: string } {
  const secret = headers.map(({ key }, at) => (sensitive[at] ? (cells[key] ?? '') : ''))
  const open = headers.map(({ key }, at) => (sensitive[at] ? '' : (cells[key] ?? '')))
  return { cells: open, sealed: secret.some(Boolean) ? seal(JSON.stringify(secret), secrets)!.toString('base64') : '' }
}

function openCells(
  headers: readonly Header[],
  kept: readonly string[],
  sealed: string | undefined,
  secrets: Secrets,
): Record<string, string> {
  const secret = sealed ? (JSON.parse(unseal(Buffer.from(sealed, 'base64'), secrets)!) as string[]) : []
  const cells: Record<string, string> = {}
  for (const [at, { key }] of headers.entries()) cells[key] = secret[at] || (kept[at] ?? '')
  return cells
}

/** What is said of a row, as it waits in the database. */
type KeptFault = CellFault & { hint?: true }

const keptFaults = ({ faults, hints }: RowResult): KeptFault[] => [
  ...faults,
  ...hints.map((hint) => ({ ...hint, hint: true as const })),
]

/** Rows that are written but deserve a look. */
export const isHinted = sql<boolean>`"verdict" in ('new', 'update') and "faults" @> '[{"hint": true}]'`

interface RowsOf {
  ibId: string
  heads: readonly Header[]
  sheet: Sheet
}

/** Stores checked rows of an import, a few thousand at most at a time. */
export async function insertRows(
  { db, actor, secrets }: Context,
  { ibId, heads: headers, sheet }: RowsOf,
  lines: readonly RowText[],
  results: readonly RowResult[],
): Promise<void> {
  const sensitive = sensitiveHeaders(sheet, headers)
  const rows = lines.map((line, at) => {
    const { verdict, changes, keys } = results[at]!
    const { cells, sealed } = keptCells(headers, sensitive, line.cells, secrets)
    return {
      rowNo: line.rowNo,
      verdict,
      faults: keptFaults(results[at]!),
      changes,
      cells,
      row: { keys, ...(line.marks ? { marks: line.marks } : {}), ...(sealed ? { sealed } : {}) } satisfies KeptRow,
    }
  })
  const source = recordset(rows, {
    rowNo: 'int',
    verdict: 'text',
    cells: 'jsonb',
    row: 'jsonb',
    faults: 'jsonb',
    changes: 'jsonb',
  })
  await sql`
    insert into "importRow" ("schoolId", "ibId", "rowNo", "verdict", "cells", "row", "faults", "changes")
    select ${actor.schoolId}, ${ibId}::uuid, r."rowNo", r."verdict", r."cells", r."row", r."faults", r."changes"
    from ${source}`.execute(db)
}

/** Replaces verdicts, faults and changes of rows, and the cells where they were edited. */
export async function updateRows(
  { db, actor, secrets }: Context,
  { ibId, heads: headers, sheet }: RowsOf,
  results: readonly RowResult[],
  edited: readonly RowText[] = [],
): Promise<void> {
  const sensitive = sensitiveHeaders(sheet, headers)
  for await (const chunk of chunksOf(results, 2000)) {
    const rows = chunk.map((one) => {
      const { rowNo, verdict, changes, keys } = one
      const line = edited.find((each) => each.rowNo === rowNo)
      const kept = line && keptCells(headers, sensitive, line.cells, secrets)
      return {
        rowNo,
        verdict,
        faults: keptFaults(one),
        changes,
        cells: kept?.cells ?? null,
        row: { keys, ...(line ? { marks: line.marks ?? {}, sealed: kept!.sealed } : {}) },
      }
    })
    const source = recordset(rows, {
      rowNo: 'int',
      verdict: 'text',
      cells: 'jsonb',
      row: 'jsonb',
      faults: 'jsonb',
      changes: 'jsonb',
    })
    await sql`
      update "importRow" i
      set "verdict" = r."verdict",
        "faults" = r."faults",
        "changes" = r."changes",
        "cells" = coalesce(r."cells", i."cells"),
        "row" = i."row" || r."row"
      from ${source}
      where i."schoolId" = ${actor.schoolId} and i."ibId" = ${ibId} and i."rowNo" = r."rowNo"`.execute(db)
  }
}

const rowsOf = (ctx: Context, ibId: string) => from(ctx, 'importRow').where('ibId', '=', ibId)

export interface StoredRow extends RowText {
  verdict: Verdict
  faults: CellFault[]
  hints: CellFault[]
  changes: ImportRow['changes']
  keys: string[]
}

/**
 * Rows of an import in file order, some at a time, so that no statement is large. Only those with the verdicts told.
 */
export async function* storedRows(
  ctx: Context,
  { ibId, heads: headers }: RowsOf,
  which: readonly Verdict[],
  immediateWork = 2000,
): AsyncGenerator<StoredRow[]> {
  for (let after = 0; ;) {
    const rows = await rowsOf(ctx, ibId)
      .where('rowNo', '>', after)
      .where('verdict', 'in', which)
      .orderBy('rowNo')
      .limit(immediateWork)
      .select(['rowNo', 'verdict', 'cells', 'row', 'faults', 'changes'])
      .execute()
    if (rows.length === 0) return
    yield rows.map((row) => asStored(row, headers, ctx.secrets))
    after = rows.at(-1)!.rowNo
  }
}

/** The keys that several rows of an import have, with these rows; those that are left out excepted. */
export async function repeatedKeys({ db, actor }: Context, ibId: string): Promise<KeyOwners> {
  const { rows } = await sql<{
    key: string
    rowNos: number[]
  }>`
    select k."key", array_agg(r."rowNo" order by r."rowNo") "rowNos"
    from "importRow" r, jsonb_array_elements_text(r."row"->'keys') k("key")
    where r."schoolId" = ${actor.schoolId} and r."ibId" = ${ibId}::uuid and r."verdict" <> 'skip'
    group by k."key"
    having count(*) > 1`.execute(db)
  return new Map(rows.map(({ key, rowNos }) => [key, rowNos]))
}

/** One page of an import's rows. */
export async function pageOfRows(
  ctx: Context,
  { ibId, heads: headers }: RowsOf,
  page: { offset: number; limit: number; verdict?: Verdict | undefined; hinted?: boolean | undefined },
): Promise<StoredRow[]> {
  let query = rowsOf(ctx, ibId).orderBy('rowNo').limit(page.limit).offset(page.offset)
  if (page.verdict) query = query.where('verdict', '=', page.verdict)
  if (page.hinted) query = query.where(isHinted)
  const rows = await query.select(['rowNo', 'verdict', 'cells', 'row', 'faults', 'changes']).execute()
  return rows.map((row) => asStored(row, headers, ctx.secrets))
}

/** The row with that number, and every row that shares one of `keys`. */
export async function rowsWithKeys(
  ctx: Context,
  { ibId, heads: headers }: RowsOf,
  rowNo: number,
  keys: readonly string[],
): Promise<StoredRow[]> {
  const rows = await rowsOf(ctx, ibId)
    .where((eb) => eb.or([eb('rowNo', '=', rowNo), sql<boolean>`"row"->'keys' ?| ${keys}::text[]`]))
    .orderBy('rowNo')
    .select(['rowNo', 'verdict', 'cells', 'row', 'faults', 'changes'])
    .execute()
  return rows.map((row) => asStored(row, headers, ctx.secrets))
}

/** Rows that share one of `keys`, as witnesses only. */
export async function duplicatesOf(ctx: Context, ibId: string, keys: readonly string[]): Promise<Duplicate[]> {
  const rows = await rowsOf(ctx, ibId)
    .where(sql<boolean>`"row"->'keys' ?| ${keys}::text[]`)
    .select(['rowNo', 'row'])
    .execute()
  return rows.map(({ rowNo, row }) => ({ rowNo, keys: (row as KeptRow).keys }))
}

function asStored(
  row: { rowNo: number; verdict: string; cells: unknown; row: unknown; faults: unknown; changes: unknown },
  headers: readonly Header[],
  secrets: Secrets,
): StoredRow {
  const { keys, marks, sealed } = row.row as KeptRow
  const said = row.faults as KeptFault[]
  return {
    rowNo: row.rowNo,
    verdict: row.verdict as Verdict,
    cells: openCells(headers, row.cells as string[], sealed, secrets),
    ...(marks && Object.keys(marks).length > 0 ? { marks } : {}),
    keys,
    faults: said.filter(({ hint }) => !hint).map(plain),
    hints: said.filter(({ hint }) => hint).map(plain),
    changes: row.changes as ImportRow['changes'],
  }
}

const plain = ({ key, msg }: KeptFault): CellFault => (key ? { key, msg } : { msg })
