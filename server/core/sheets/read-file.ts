import { open, readFile } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse'
import { fileTypeFromFile } from 'file-type'
import { plainText } from './cell-text.ts'
import { openArchive, type Archive } from './archive.ts'
import { maxHeaderRows, SheetRefused, type Emit, type SheetContent, type SheetLimits } from './limits.ts'
import { readCells } from './read-cells.ts'
import { readWorkbook, type Workbook } from './read-workbook.ts'
import { markSheet, markSign } from './mark.ts'

/**
 * Reads a file by what it is, not by what it is called. Meant for the reading thread: it is as slow as its input is
 * large.
 */
export async function readFileRows(
  path: string,
  limits: SheetLimits,
  emit: Emit,
): Promise<Omit<SheetContent, 'lines'>> {
  const header = await firstBytes(path, 8)
  if (header.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return readXlsx(path, limits, emit)
  if (header.equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))) throw new SheetRefused('sheet-old-format')
  return readCsv(path, limits, emit)
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readXlsx(path: string, limits: SheetLimits, emit: Emit): Promise<Omit<SheetContent, 'lines'>> {
  const archive = await openArchive(path, limits)
  try {
    const book = await readWorkbook(archive)
    const sheet = book.sheets.find((each) => each.visible)
    if (!sheet) throw new SheetRefused('file-broken', { what: '工作簿' })
    const mark: string[][] = []
    const marked = book.sheets.find((each) => each.name === markSheet && !each.visible)
    if (marked) await readCells(archive, marked.path, book, limits, (line) => line.no === 1 && mark.push(line.cells))
    const merges = await readCells(archive, sheet.path, book, limits, emit)
    const [sign, kind = '', version] = mark[0] ?? []
    const others: string[] = []
    for (const each of book.sheets)
      if (each.visible && each !== sheet && (await holdsRows(archive, each.path, book, limits))) others.push(each.name)
    return {
      type: 'xlsx',
      merges,
      template: sign === markSign ? { kind, version: Number(version) } : null,
      sheet: { name: sheet.name, others },
    }
  } finally {
    archive.close()
  }
}

/** Whether a sheet holds something; read only so far. One that cannot be read holds something, too. */
async function holdsRows(archive: Archive, path: string, book: Workbook, limits: SheetLimits): Promise<boolean> {
  try {
    await readCells(archive, path, book, limits, () => {
      throw new Error('there is a row')
    })
    return false
  } catch {
    return true
  }
}

async function readCsv(path: string, limits: SheetLimits, emit: Emit): Promise<Omit<SheetContent, 'lines'>> {
  // the mark of UTF-16 is the beginning of some sound files as well
  const isWide = /^(fffe|feff)/.test((await firstBytes(path, 2)).toString('hex'))
  if (!isWide && (await fileTypeFromFile(path)))
    throw new SheetRefused('file-type-refused', { allowed: ' .xlsx 或 .csv 文件' })
  const text = decoded(await readFile(path))
  if (/^\s*[<{%]/.test(text)) throw new SheetRefused('file-type-refused', { allowed: ' .xlsx 或 .csv 文件' })
  // oxlint-disable-next-line no-control-regex -- no table of text holds these; UTF-16 without its mark is full of them
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) throw new SheetRefused('sheet-encoding')
  const parser = parse({
    delimiter: delimiterOf(text),
    // by itself it takes the first end of a line for that of all: of two files joined together rows would run into one
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    max_record_size: 1_000_000,
  })
  parser.end(text)
  let no = 0
  let rows = 0
  let textLeft = limits.text
  for await (const record of recordsOf(parser)) {
    no++
    const cells = record.map((cell) => plainText(unguarded(cell), false).text)
    while (cells.at(-1)?.trim() === '') cells.pop()
    if (cells.length === 0) continue
    if (cells.length > limits.columns) throw new SheetRefused('sheet-too-many-columns', { n: limits.columns })
    if (++rows > limits.rows) throw new SheetRefused('sheet-too-many-rows', { n: limits.rows - maxHeaderRows })
    for (const cell of cells) textLeft -= cell.length
    if (textLeft < 0) throw new SheetRefused('sheet-too-large')
    emit({ no, cells })
  }
  return { type: 'csv', merges: [], template: null }
}

/** The rows of a table of text. @throws SheetRefused that names the line from which on quotes do not match */
async function* recordsOf(parser: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  try {
    yield* parser
  } catch (error) {
    const line = error instanceof CsvError && /quote.* at line (\d+)/i.exec(error.message)
    throw line ? new SheetRefused('sheet-quote', { n: line[1]! }) : error
  }
}

/** UTF-8 where it is valid, else what Chinese spreadsheet programs save: GB18030, or UTF-16 with its mark. */
function decoded(bytes: Buffer): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  for (const encoding of wide ? [wide] : ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // the next encoding may fit
    }
  }
  throw new SheetRefused('sheet-encoding')
}

function delimiterOf(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .split(/\r\n|\n|\r/)
      .find((each) => each.trim() !== '') ?? ''
  const count = (sign: string) => line.split(sign).length
  return [',', '\t', ';'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/**
 * Undoes the two guards that programs put before a text to keep it from being taken for a formula or number: `'=1+1`
 * and `="007"`.
 */
const unguarded = (cell: string): string =>
  /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell.replace(/^="([^"]*)"$/, '$1')
