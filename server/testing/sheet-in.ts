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
