import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Sheet, SheetColumn, SheetRow } from '../../../contract/core/sheets.ts'
import type { ImportRow, ImportTarget, Verdict } from '../../../contract/platform/imports/imports.schema.ts'
import { chunksOf } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { sealedKey } from '../../core/secrets/field-crypto.ts'
import { maskedContact } from '../../core/secrets/masks.ts'
import type { CellMark } from '../../core/sheets/limits.ts'
import { readRow, type CellFault } from '../../core/sheets/read-row.ts'
import type { AnyImporter } from './importer.ts'

/** A row of a file: its texts by column key, and what made a cell unreliable. */
export interface RowText {
  rowNo: number
  cells: Record<string, string>
  marks?: Record<string, CellMark> | undefined
  /** Cells under no header. */
  surplus?: string[]
  /** Why the row is no record at all. */
  noRecord?: string
}

/** A row that has been validated. */
export interface RowResult {
  rowNo: number
  /** What the row must share with no other row of the file. */
  keys: string[]
  verdict: Verdict
  faults: CellFault[]
  hints: CellFault[]
  changes: ImportRow['changes']
  /** What would be written: blanks filled from the existing record. */
  row: SheetRow<Sheet>
  found: unknown
}

/** Rows of the same file that are not validated again but may repeat one that is. */
export interface Duplicate {
  rowNo: number
  keys: string[]
}

/** A row whose cells have been read. */
export interface ReadLine {
  rowNo: number
  row: SheetRow<Sheet>
  faults: CellFault[]
  keys: string[]
  noRecord?: string | undefined
  /** What deserves a look in the file's row, whatever the domain says of it. */
  readHints: CellFault[]
}

/** Reads the cells of a row. @param keys where they are known already */
export function readLine(
  ctx: Context,
  importer: AnyImporter,
  { rowNo, cells, marks, surplus, noRecord }: RowText,
  keys?: string[],
): ReadLine {
  const { row, faults } = readRow(importer.sheet, cells, marks)
  const readHints = surplus
    ? [
        {
          msg: `表头以外还有 ${surplus.length} 格内容（${surplus[0]!.trim().slice(0, 20)}），没有读取，请核对各列是否错位`,
        },
      ]
    : []
  // what is no record repeats none
  return { rowNo, row, faults, keys: noRecord ? [] : (keys ?? keysOf(ctx, importer, row)), noRecord, readHints }
}

/**
 * Validates rows, some at a time: lets the domain check them against its records, and tells repetitions within the
 * file. Other requests get their turn in between.
 */
export async function* validateRows(
  ctx: Context,
  importer: AnyImporter,
  target: ImportTarget,
  lines: readonly ReadLine[],
  keyOwners: KeyOwners,
): AsyncGenerator<RowResult[]> {
  const lookups = await importer.load(
    ctx,
    target,
    lines.map(({ row }) => row),
  )
  for await (const some of chunksOf(lines, 500))
    yield some.map((line) => validateRow(importer, line, lookups, keyOwners))
}

/** Validates a few rows. */
export async function validateFew(
  ctx: Context,
  importer: AnyImporter,
  target: ImportTarget,
  texts: readonly RowText[],
  duplicates: readonly Duplicate[] = [],
): Promise<RowResult[]> {
  const lines = texts.map((text) => readLine(ctx, importer, text))
  const results: RowResult[] = []
  for await (const some of validateRows(ctx, importer, target, lines, ownersOfKeys([...lines, ...duplicates])))
    results.push(...some)
  return results
}

function validateRow(
  importer: AnyImporter,
  { rowNo, row, faults: readFaults, keys, noRecord, readHints }: ReadLine,
  lookups: unknown,
  keyOwners: KeyOwners,
): RowResult {
  if (noRecord)
    return {
      rowNo,
      keys,
      verdict: 'fault',
      faults: [{ msg: noRecord }],
      hints: [],
      changes: [],
      row,
      found: undefined,
    }
  const { faults: checkFaults = [], conflicts = [], hints = [], existing, found } = importer.check(row, lookups)
  // a cell that could not be read was already told; what the check says of its emptiness would only confuse
  const unreadableKeys = new Set(readFaults.map((fault) => fault.key))
  const faults = [...readFaults, ...checkFaults.filter((fault) => !fault.key || !unreadableKeys.has(fault.key))]
  const repeated = repetitions(importer.sheet, importer.unique, '', rowNo, keys, keyOwners)
  const alike = repetitions(importer.sheet, importer.similar ?? [], similarMark, rowNo, keys, keyOwners)
  const whole = existing ? filled(importer.sheet, row, existing) : row
  const changes = existing ? changesOf(importer.sheet, whole, existing) : []
  const refused = faults.length > 0 ? 'fault' : conflicts.length + repeated.length > 0 ? 'conflict' : undefined
  const verdict = refused ?? (!existing ? 'new' : changes.length > 0 ? 'update' : 'same')
  return {
    rowNo,
    keys,
    verdict,
    faults: [...faults, ...conflicts, ...repeated],
    hints: refused || verdict === 'same' ? [] : [...readHints, ...hints, ...alike],
    changes: refused ? [] : changes,
    row: whole,
    found,
  }
}

/** Before the number of a set of columns that only hint at the same record. */
const similarMark = '~'

/**
 * `0:20230001`: which set of columns, and their values, letters folded; hashed where one of them is sensitive. Sets
 * with an empty value do not count.
 */
function keysOf(ctx: Context, { unique, similar = [], sheet }: AnyImporter, row: SheetRow<Sheet>): string[] {
  return [
    ...unique.flatMap((columns, set) => keyOf(ctx, sheet, columns, `${set}`, row)),
    ...similar.flatMap((columns, set) => keyOf(ctx, sheet, columns, `${similarMark}${set}`, row)),
  ]
}

function keyOf(
  { secrets }: Context,
  sheet: Sheet,
  columns: readonly string[],
  set: string,
  row: SheetRow<Sheet>,
): string[] {
  const values = columns.map((key) => String(row[key] ?? '').toLowerCase())
  if (values.includes('')) return []
  const sensitive = sheet.columns.some((column) => column.sensitive && columns.includes(column.key))
  const joined = values.join('\u001f')
  return [`${set}:${sensitive ? sealedKey(joined, secrets)!.toString('base64') : joined}`]
}

/** The keys of a row that has not been checked yet. */
export const keysOfText = (ctx: Context, importer: AnyImporter, line: RowText): string[] =>
  keysOf(ctx, importer, readRow(importer.sheet, line.cells, line.marks).row)

/** The rows that have a key: one number, or several where it is repeated. */
export type KeyOwners = ReadonlyMap<string, number | number[]>

export function ownersOfKeys(rows: Iterable<Duplicate>): KeyOwners {
  const keyOwners = new Map<string, number | number[]>()
  for (const { rowNo, keys } of rows) {
    for (const key of keys) {
      const known = keyOwners.get(key)
      if (known === undefined) keyOwners.set(key, rowNo)
      else if (typeof known === 'number') keyOwners.set(key, [known, rowNo])
      else known.push(rowNo)
    }
  }
  return keyOwners
}

/**
 * The other rows that have the same values in one of the sets of columns. Which of two repeated rows is meant, only the
 * person knows: both are told.
 * @param mark before the number of the set in its keys
 */
function repetitions(
  sheet: Sheet,
  sets: readonly (readonly string[])[],
  mark: string,
  rowNo: number,
  keys: string[],
  keyOwners: KeyOwners,
): CellFault[] {
  return keys.flatMap((key) => {
    const columns = key.startsWith(mark) ? sets[Number(key.slice(mark.length, key.indexOf(':')))] : undefined
    const rows = keyOwners.get(key)
    if (!columns || typeof rows !== 'object') return []
    const labels = columns.map((name) => sheet.columns.find((column) => column.key === name)!.label)
    const others = rows.filter((other) => other !== rowNo)
    return [
      {
        key: columns[0]!,
        msg: `${labels.join('、')}与第 ${others.slice(0, 5).join('、')} 行${others.length > 5 ? `等 ${others.length} 行` : ''}${mark ? '相同，请核对是否为同一条记录' : '重复'}`,
      },
    ]
  })
}

const isBlank = (value: unknown) => value === '' || value === null || value === undefined

function filled(sheet: Sheet, row: SheetRow<Sheet>, existing: Partial<SheetRow<Sheet>>): SheetRow<Sheet> {
  const whole: Record<string, string | number | null> = { ...row }
  for (const { key } of sheet.columns) if (isBlank(whole[key]) && !isBlank(existing[key])) whole[key] = existing[key]!
  return whole as SheetRow<Sheet>
}

function changesOf(sheet: Sheet, row: SheetRow<Sheet>, existing: Partial<SheetRow<Sheet>>): ImportRow['changes'] {
  return sheet.columns.flatMap((column) => {
    const { key, label } = column
    if (!(key in existing) || (existing[key] ?? '') === (row[key] ?? '')) return []
    return [{ key, label, from: shown(column, existing[key]), to: shown(column, row[key]) }]
  })
}

function shown({ kind, sensitive }: SheetColumn, value: string | number | null | undefined): string {
  if (isBlank(value)) return ''
  const text = kind === 'amount' && typeof value === 'number' ? fromHundredths(value) : String(value)
  return sensitive ? maskedContact(text) : text
}
