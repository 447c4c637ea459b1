import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { fileOf } from '../core/sheets/fixtures/craft.ts'
import { sheetLimits, type SheetContent, type SheetLine } from '../core/sheets/limits.ts'
import { readFileRows } from '../core/sheets/read-file.ts'

/**
 * What stands in a file that the service gave, as its own reader understands it. Without the thread that uploads are
 * read in: it takes longer to begin than such a file takes to be read, and what it is for is tested beside it.
 */
export async function sheetIn(bytes: Buffer): Promise<SheetContent> {
  const lines: SheetLine[] = []
  const end = await readFileRows(fileOf(bytes), sheetLimits, (line) => lines.push(line))
  return { ...end, lines }
}

/** What the second sheet of an exported workbook tells about it, by the words of its first column. */
export async function notesIn(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes, { autoClose: false, lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet2.xml') continue
    const xml = await text(await zip.openReadStreamPromise(entry))
    const [, , ...cells] = [...xml.matchAll(/<t [^>]*>([^<]*)/g)].map((match) => match[1]!)
    return Object.fromEntries(cells.flatMap((cell, at) => (at % 2 === 0 ? [[cell, cells[at + 1]!]] : [])))
  }
  throw new Error('no second sheet')
}
