import { groupByModule } from '../../contract/transcripts/groups.ts'
import { paperNotes, recordColumns } from '../../contract/transcripts/paper.ts'
import type { TranscriptData, TranscriptRow } from '../../contract/transcripts/transcripts.schema.ts'
import { printName, printWords, type PrintLang, type PrintWords } from '../../contract/transcripts/words.ts'
import { widthOf, wrap } from '../core/pdf/lines.ts'
import { drawImage, frame, ink, roomFor, write, writeLines, type Paper } from '../core/pdf/paper.ts'
import { drawTable, type Column, type Section } from '../core/pdf/table.ts'
import { sectionTitle } from './transcript-face.ts'
import type { Printing } from './transcript-pdf.ts'

/** The lower half of a transcript: what was done, and the closing with notes and the places for seals (docs/rules.md R47). */

/** Points, in the order of the columns. */
const widths = [145, 46, 44, 54, 82, 52, 52, 36]
const columnsIn = (lang: PrintLang): Column<TranscriptRow>[] =>
  recordColumns(lang).map((column, at) => ({ ...column, width: widths[at]! }))

/** The rows by module in the order of the modules, within a module by date. */
export function drawRows(paper: Paper, { modules, rows, lang }: TranscriptData, top: number): number {
  const words = printWords(lang)
  const y = sectionTitle(paper, words.records, roomFor(paper, top, 80), frame.left)
  if (rows.length === 0)
    return writeLines(paper, words.none, frame.left, y, {
      size: 9,
      width: frame.width,
      align: 'center',
      color: ink.soft,
      leading: 24,
    })
  return drawTable(paper, y, columnsIn(lang), sectionsOf(modules, rows, lang), { size: 8 })
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
export function drawClosing(paper: Paper, transcript: TranscriptData, { at, seal }: Printing, top: number): void {
  const words = printWords(transcript.lang)
  const notes = paperNotes(transcript).map((note, n) => `${n + 1}. ${note}`)
  const leading = 12
  const noteLines = notes.reduce((sum, note) => sum + wrap(note, frame.width, 8).length, 0)
  const height = 17 + noteLines * leading + 88
  let y = sectionTitle(paper, words.notes, roomFor(paper, top, height), frame.left)
  for (const note of notes)
    y = writeLines(paper, note, frame.left, y, { size: 8, width: frame.width, leading, color: ink.soft })
  drawSeals(paper, words, at, y + 22, seal)
}

function drawSeals(paper: Paper, words: PrintWords, at: string, top: number, seal?: Uint8Array): void {
  const half = frame.width / 2
  const [year, month, day] = at.slice(0, 10).split('-').map(Number)
  const style = { size: 10, align: 'center', width: half } as const
  ;[words.collegeSeal, words.schoolSeal].forEach((place, n) =>
    write(paper, place, frame.left + n * half, top + 12, style),
  )
  if (seal) drawImage(paper, seal, frame.left + half * 1.5 - 42, top - 30, 84)
  const label = words.handler
  const lineStart = frame.left + 44 + widthOf(label, 10)
  write(paper, label, frame.left + 44, top + 58, { size: 10 })
  paper.doc
    .moveTo(lineStart, top + 60)
    .lineTo(lineStart + 90, top + 60)
    .lineWidth(0.5)
    .stroke(ink.line)
  write(paper, words.printed(year!, month!, day!), frame.left + half, top + 58, style)
}
