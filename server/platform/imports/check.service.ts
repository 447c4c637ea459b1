import { importStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { type ImportTarget, type Verdict } from '../../../contract/platform/imports/imports.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { seal } from '../../core/secrets/field-crypto.ts'
import { chunksOf } from '../../core/database/bulk.ts'
import { maxDataRows, type SheetContent, type SheetLine } from '../../core/sheets/limits.ts'
import { readSheet } from '../../core/sheets/read-sheet.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { findHeaders, noRecordOf, quoted, type Header } from './headers.ts'
import type { AnyImporter } from './importer.ts'
import { countColumns } from './imports.queries.ts'
import { insertRows } from './import-rows.ts'
import { readLine, ownersOfKeys, validateRows, type ReadLine, type RowText } from './validate-rows.ts'
import { matchedColumns, topOf, type Match } from './match-columns.ts'
import { rememberedMatch } from './remembered-match.ts'
import { between, type Work } from './work.ts'

/** What was found in a file: columns and data, or lines whose columns a person has to match. */
type FileContent =
  | { heads: Header[]; data: SheetLine[]; matched: boolean; top: SheetLine[]; notes: string[] }
  | { heads: null; top: SheetLine[]; notes: string[] }

interface Reading {
  /** How the person matched the columns of this file. */
  match?: Match | undefined
  /** Whether a file with unknown headers waits for them to do so, instead of being refused. */
  asks?: boolean | undefined
}

/** Reads a file and finds its columns. @throws Failure for a file that cannot be imported whatever its columns mean */
export async function readUpload(
  ctx: Context,
  { sheet }: AnyImporter,
  path: string,
  { match, asks = false }: Reading,
): Promise<FileContent> {
  const content = await readSheet(path)
  if (content.sheet && content.lines.length === 0) throw new Failure('sheet-blank', { name: content.sheet.name })
  const top = topOf(content)
  const found = match
    ? { ...matchedColumns(sheet, content, match), matched: true }
    : await columnsOf(ctx, { sheet }, content, asks)
  if (!found) return { heads: null, top, notes: notesOn(content, []) }
  if (found.data.length > maxDataRows) throw new Failure('sheet-too-many-rows', { n: maxDataRows })
  return { ...found, top, notes: notesOn(content, found.data) }
}

/**
 * What a person should know of a file before its rows are imported: what of it is not read, and what is although it is
 * not seen.
 */
function notesOn({ sheet }: SheetContent, data: readonly SheetLine[]): string[] {
  const hidden = data.filter((line) => line.hidden)
  const [first] = hidden
  return [
    ...(sheet && sheet.others.length > 0
      ? [`只读取了第一张工作表“${sheet.name}”，${quoted(sheet.others)}也有内容，没有读取`]
      : []),
    ...(first
      ? [`有 ${hidden.length} 行在表格中被隐藏或筛选掉了（如第 ${first.no} 行），也会导入；不需要的请跳过`]
      : []),
  ]
}

async function columnsOf(ctx: Context, { sheet }: Pick<AnyImporter, 'sheet'>, content: SheetContent, asks: boolean) {
  try {
    return { ...findHeaders(sheet, content), matched: false }
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== 'sheet-heads-wrong' || content.lines.length === 0) throw error
    const known = await rememberedMatch(ctx, sheet, content.lines)
    if (known) return { ...matchedColumns(sheet, content, known), matched: true }
    if (asks) return undefined
    throw error
  }
}

/** Which import is being checked. */
interface Checking {
  ibId: string
  target: ImportTarget
}

/**
 * What else happens in the transaction that keeps the result: before the rows are written, and where something is to be
 * imported right afterwards.
 */
interface Around {
  before?: (tx: Context) => Promise<void>
  commit?: (tx: Context) => Promise<void>
}

/**
 * Validates the rows of a file and keeps the result with its import, ready to be looked at; nothing of the domain is
 * changed.
 */
export async function validateAndStore(
  ctx: Context,
  importer: AnyImporter,
  { ibId, target }: Checking,
  content: FileContent,
  work: Work,
  { before, commit }: Around = {},
): Promise<void> {
  if (!content.heads) {
    return inTransaction(ctx, async (tx) => {
      await before?.(tx)
      await keep(
        tx,
        ibId,
        {
          ibStatus: importStatus.awaitingColumns,
          top: sealedTop(tx, content.top),
          heads: '[]',
          rowCount: 0,
          notes: JSON.stringify(content.notes),
        },
        work,
      )
    })
  }
  const { heads: headers, data, matched, top, notes } = content
  const lines: ReadLine[] = []
  const reading = between(work, 30, 50)
  for await (const part of chunksOf(data, 500)) {
    for (const line of part) lines.push(readLine(ctx, importer, textOf(headers, line, importer.sheet)))
    await reading(lines.length / data.length)
  }
  const keyOwners = ownersOfKeys(lines)
  await inTransaction(ctx, async (tx) => {
    await before?.(tx)
    await tx.db.deleteFrom('importRow').where('schoolId', '=', tx.actor.schoolId).where('ibId', '=', ibId).execute()
    const counts: Record<Verdict, number> = { new: 0, update: 0, same: 0, conflict: 0, fault: 0, skip: 0 }
    let hintCount = 0
    const progress = between(work, 50, 98)
    let at = 0
    for await (const slice of chunksOf(lines, importer.rowsAtOnce ?? lines.length)) {
      // outside the transaction, because inside one the domain locks what it reads
      for await (const results of validateRows(ctx, importer, target, slice, keyOwners)) {
        for (const { verdict, hints } of results) {
          counts[verdict]++
          if (hints.length > 0) hintCount++
        }
        await insertRows(
          tx,
          { ibId, heads: headers, sheet: importer.sheet },
          data.slice(at, at + results.length).map((line) => textOf(headers, line, importer.sheet)),
          results,
        )
        at += results.length
        await progress(at / data.length)
      }
    }
    const told = [...notes, ...(await noteOnRoom(tx, importer, counts.new))]
    const goesOn = commit && counts.new + counts.update > 0
    await keep(
      tx,
      ibId,
      {
        ibStatus: goesOn ? importStatus.importing : importStatus.ready,
        heads: JSON.stringify(headers),
        matched: matched ? yesNo.yes : yesNo.no,
        top: sealedTop(tx, top),
        rowCount: data.length,
        hintCount,
        notes: JSON.stringify(told),
        ...countColumns(counts),
      },
      work,
      goesOn ? commit : undefined,
    )
  })
}

/** What the school's quota will say to the new rows, told before anybody has them written. */
async function noteOnRoom(ctx: Context, { room }: Pick<AnyImporter, 'room'>, added: number): Promise<string[]> {
  const free = added > 0 ? await room?.(ctx) : undefined
  if (free === undefined || free >= added) return []
  return [
    `学校的账号配额还可新增 ${free} 人，文件中有 ${added} 人是新增的，超出 ${added - free} 人，整批都不能写入；请先停用不再使用的账号、跳过多出的行，或请学校管理员联系平台运维人员调整配额`,
  ]
}

const sealedTop = ({ secrets }: Context, top: SheetLine[]) => seal(JSON.stringify(top), secrets)

/** The row as texts by column. */
function textOf(
  headers: readonly Header[],
  { no, cells, marks = {}, surplus }: SheetLine,
  sheet: AnyImporter['sheet'],
): RowText {
  const marked = headers.flatMap(({ at, key }) => (marks[at] ? [[key, marks[at]] as const] : []))
  const texts: Record<string, string> = {}
  for (const { at, key } of headers) texts[key] = cells[at] ?? ''
  const noRecord = noRecordOf(sheet, texts)
  return {
    rowNo: no,
    cells: texts,
    ...(marked.length ? { marks: Object.fromEntries(marked) } : {}),
    ...(surplus ? { surplus } : {}),
    ...(noRecord ? { noRecord } : {}),
  }
}

type Kept = {
  ibStatus: string
  heads: string
  top: Buffer | null
  rowCount: number
  notes: string
  hintCount?: number
  matched?: string
} & Partial<ReturnType<typeof countColumns>>

/** Writes down what was found, unless the import was given up meanwhile. */
async function keep(
  tx: Context,
  ibId: string,
  found: Kept,
  work: Work,
  next?: (tx: Context) => Promise<void>,
): Promise<void> {
  await next?.(tx)
  await work.finish(tx)
  const { numUpdatedRows } = await tx.db
    .updateTable('importBatch')
    .set({ ...found, fault: null })
    .where('schoolId', '=', tx.actor.schoolId)
    .where('ibId', '=', ibId)
    .where('ibStatus', '=', importStatus.checking)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Failure('import-finished')
}
