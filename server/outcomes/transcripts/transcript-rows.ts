import { groupByModule } from '../../../contract/outcomes/transcripts/groups.ts'
import { printNotes, recordColumns } from '../../../contract/outcomes/transcripts/print-layout.ts'
import type { TranscriptData, TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { printName, printWords, type PrintLang, type PrintWords } from '../../../contract/outcomes/transcripts/words.ts'
import { widthOf, wrap } from '../../core/pdf/lines.ts'
import { drawImage, frame, ink, roomFor, write, writeLines, type Page } from '../../core/pdf/page.ts'
import { drawTable, type Column, type Section } from '../../core/pdf/table.ts'
import { sectionTitle } from './transcript-header.ts'
import type { Printing, Spacing } from './transcript-pdf.ts'

/**
 * The lower half of a transcript: what was done, and the closing with notes and the places for seals (docs/rules.md
 * R47).
 */

/** Points, in the order of the columns. */
const widths = [145, 46, 44, 54, 82, 52, 52, 36]
const columnsIn = (lang: PrintLang): Column<TranscriptRow>[] =>
  recordColumns(lang).map((column, at) => ({ ...column, width: widths[at]! }))

/** The rows by module in the order of the modules, within a module by date. */
export function drawRows(
  page: Page,
  { modules, rows, lang }: TranscriptData,
  top: number,
  { isTight }: Spacing,
): number {
  const words = printWords(lang)
  const y = sectionTitle(page, words.records, roomFor(page, top, 80), frame.left)
  if (rows.length === 0)
    return writeLines(page, words.none, frame.left, y, {
      size: 9,
      width: frame.width,
      align: 'center',
      color: ink.soft,
      leading: 24,
    })
  return drawTable(page, y, columnsIn(lang), sectionsOf(modules, rows, lang), { size: 8, isTight })
}

/** The modules' groups as sections of the table. */
export const sectionsOf = (
  modules: TranscriptData['modules'],
  rows: TranscriptRow[],
  lang: PrintLang = 'zh',
): Section<TranscriptRow>[] =>
  groupByModule(modules, rows).map(({ name, count, hours, credit, rows: own }) => ({
    heading: printWords(lang).group(printName(lang, name), count, hours, credit),
    rows: own,
  }))

/** Notes, the places for seals and signature, and how to check the paper; kept together on one page. */
export function drawClosing(
  page: Page,
  transcript: TranscriptData,
  { at, seal }: Printing,
  top: number,
  { isTight }: Spacing,
): void {
  const words = printWords(transcript.lang)
  const notes = printNotes(transcript).map((note, n) => `${n + 1}. ${note}`)
  const [size, leading, gap] = isTight ? [7, 9, 12] : [8, 12, 22]
  const noteLines = notes.reduce((sum, note) => sum + wrap(note, frame.width, size).length, 0)
  const height = 17 + noteLines * leading + gap + 66
  let y = sectionTitle(page, words.notes, roomFor(page, top, height), frame.left)
  for (const note of notes)
    y = writeLines(page, note, frame.left, y, { size, width: frame.width, leading, color: ink.soft })
  drawSeals(page, words, at, y + gap, seal)
}

function drawSeals(page: Page, words: PrintWords, at: string, top: number, seal?: Uint8Array): void {
  const half = frame.width / 2
  const [year, month, day] = at.slice(0, 10).split('-').map(Number)
  const style = { size: 10, align: 'center', width: half } as const
  ;[words.collegeSeal, words.schoolSeal].forEach((place, n) =>
    write(page, place, frame.left + n * half, top + 12, style),
  )
  if (seal) drawImage(page, seal, frame.left + half * 1.5 - 42, top - 30, 84)
  const label = words.handler
  const lineStart = frame.left + 44 + widthOf(label, 10)
  write(page, label, frame.left + 44, top + 58, { size: 10 })
  page.doc
    .moveTo(lineStart, top + 60)
    .lineTo(lineStart + 90, top + 60)
    .lineWidth(0.5)
    .stroke(ink.line)
  write(page, words.printed(year!, month!, day!), frame.left + half, top + 58, style)
}
