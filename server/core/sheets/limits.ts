/**
 * What an uploaded sheet may cost. Checked before anything is allocated for it; everything beyond is refused, because a
 * file of a kilobyte can claim to be gigabytes.
 */
export interface SheetLimits {
  /** Rows with content, headers included. */
  rows: number
  columns: number
  /** Characters of all cells together: one long shared string may be shown in a million cells. */
  text: number
  /** Files inside the archive. */
  entries: number
  /** Bytes of all files of the archive, unpacked. */
  unpacked: number
  /** Unpacked size over packed size, for files beyond a megabyte. */
  ratio: number
  seconds: number
  /** Memory of the reading thread. */
  megabytes: number
}

/** Rows of data in one import. */
export const maxDataRows = 50_000

/** Rows that may stand above the data: titles, headers of one or two rows, the hint row. */
export const maxHeaderRows = 12

export const sheetLimits: SheetLimits = {
  rows: maxDataRows + maxHeaderRows,
  columns: 200,
  text: 40_000_000,
  entries: 200,
  // 50,000 rows of 16 columns as LibreOffice saves them: 120 MB unpacked, its shared strings packed 80 to 1
  unpacked: 200 * 1024 * 1024,
  ratio: 200,
  seconds: 20,
  megabytes: 256,
}

type RefusalReason =
  | 'file-broken'
  | 'file-type-refused'
  | 'sheet-old-format'
  | 'sheet-encoding'
  | 'sheet-quote'
  | 'sheet-too-many-rows'
  | 'sheet-too-many-columns'
  | 'sheet-too-large'

/** A file that is refused as a whole. Crosses the thread border as plain values. */
export class SheetRefused extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly values: Record<string, string | number> = {},
  ) {
    super(reason)
  }
}

/** Why a cell cannot be trusted although it was read. */
export type CellMark = 'formula' | 'error' | 'precision' | 'unreadable' | 'too-long'

/** A row with content. `no` is the row's number as the person sees it, from 1. */
export interface SheetLine {
  no: number
  cells: string[]
  marks?: Record<number, CellMark>
  /** A spreadsheet program does not show the row: it is hidden, or a filter leaves it out. */
  hidden?: true
  /** What stands beyond the headers, where nothing says what it means. */
  surplus?: string[]
}

export interface SheetContent {
  type: 'xlsx' | 'csv'
  lines: SheetLine[]
  /** Ranges like `A3:B4`. */
  merges: string[]
  /** The mark of a template of ours. */
  template: { kind: string; version: number } | null
  /** Of a workbook: the sheet that was read, and the other visible ones that hold something. */
  sheet?: { name: string; others: string[] }
}

/** What the reading thread says: some rows, then the rest or a refusal. */
export type SheetMessage =
  | { lines: SheetLine[] }
  | { end: Omit<SheetContent, 'lines'> }
  | { refused: RefusalReason; values: Record<string, string | number> }

/** Takes rows as they are read. */
export type Emit = (line: SheetLine) => void
