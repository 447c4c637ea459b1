import type { TranscriptData } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { radarShares, rimText } from '../../../contract/outcomes/transcripts/radar.ts'
import { moduleColumns, studentPairs, summaryFigures } from '../../../contract/outcomes/transcripts/print-layout.ts'
import { printName, printWords } from '../../../contract/outcomes/transcripts/words.ts'
import { drawQr, drawRadar, drawStars } from '../../core/pdf/figures.ts'
import { fitSize, wrap } from '../../core/pdf/lines.ts'
import { drawImage, frame, ink, write, writeLines, type Page } from '../../core/pdf/page.ts'
import { drawTable, type Column } from '../../core/pdf/table.ts'
import type { PrintableTranscript } from './photos.service.ts'
import type { Spacing } from './transcript-pdf.ts'

/**
 * The upper half of the first page: head, student, totals, modules and radar (docs/rules.md R47). Each answers the
 * height below it.
 */

const qrSize = 62

/** Draws the head of the first page: school, title, serial, QR code. */
export function drawHeader(
  page: Page,
  { schName, serial, verifyUrl, extract, lang }: TranscriptData,
  badge?: Uint8Array,
): number {
  const { doc } = page
  const { top, left, right, width } = frame
  const words = printWords(lang)
  if (badge) drawImage(page, badge, left, top, qrSize - 8)
  if (verifyUrl) {
    drawQr(page, verifyUrl, right - qrSize, top - 6, qrSize)
    write(page, words.scan, right - qrSize, top + qrSize + 2, {
      size: 7,
      align: 'center',
      width: qrSize,
      color: ink.soft,
    })
  }
  const middle = { align: 'center', width: width - 2 * qrSize - 16 } as const
  const x = left + qrSize + 8
  write(page, schName, x, top + 14, {
    size: fitSize(schName, middle.width, 15, 9, 'bold'),
    weight: 'bold',
    color: ink.accent,
    ...middle,
  })
  write(page, words.title, x, top + 42, { size: 23, weight: 'bold', spacing: lang === 'zh' ? 2 : 0, ...middle })
  write(page, `${words.serial} ${serial}`, x, top + 61, { size: 8.5, color: ink.soft, ...middle })
  let y = top + qrSize + 8
  if (extract) y = writeLines(page, words.part(extract), left, y - 4, { size: 9, align: 'center', width }) + 3
  doc.moveTo(left, y).lineTo(right, y).lineWidth(1.4).stroke(ink.accent)
  doc
    .moveTo(left, y + 2.6)
    .lineTo(right, y + 2.6)
    .lineWidth(0.5)
    .stroke(ink.accent)
  return y + 2.6
}

/** What stands on top of every page but the first, so that a loose sheet still tells whose it is. */
export function drawRunningHeader(page: Page, { schName, student, lang }: TranscriptData): number {
  const { left, right, top, width } = frame
  const style = { size: 8.5, color: ink.soft, width } as const
  const whose = `${student.suiName}  ${student.suiNumber}`
  const words = printWords(lang)
  const name = `${schName}${lang === 'zh' ? '' : ' '}${words.title}${words.continued}`
  const size = Math.min(fitSize(name, width * 0.55, 8.5, 6), fitSize(whose, width * 0.43, 8.5, 6))
  write(page, name, left, top, { ...style, size })
  write(page, whose, left, top, { ...style, size, align: 'right' })
  page.doc
    .moveTo(left, top + 6)
    .lineTo(right, top + 6)
    .lineWidth(0.8)
    .stroke(ink.accent)
  return top + 16
}

/** A photo of the usual 3 by 4, right of the student's block. */
const photoSize = { width: 58, height: 77 }

/** Draws the facts of the student and the photo. @returns where the next part begins, in points */
export function drawStudent(page: Page, { student, lang, photo }: PrintableTranscript, top: number): number {
  const words = printWords(lang)
  const pairs = studentPairs({ student, lang })
  const label = 48
  const block = frame.width - (photo ? photoSize.width + 6 : 0)
  const widths = [block * 0.33, block * 0.4, block * 0.27] as const
  const rest = (n: number) => widths.slice(n).reduce((sum, width) => sum + width, 0)
  let y = top
  for (let start = 0; start < pairs.length; start += 3) {
    const row = pairs.slice(start, start + 3)
    const cells = row.map(([name, text], n) => {
      // the last of a short row takes the room that is left
      const width = n === row.length - 1 ? rest(n) : widths[n]!
      const value = text || '—'
      return { name, value, width, lines: wrap(value, width - label - 10, 9, name === words.name ? 'bold' : 'regular') }
    })
    const height = Math.max(...cells.map(({ lines }) => lines.length)) * 12 + 7
    let x = frame.left
    for (const { name, value, lines, width } of cells) {
      page.doc.rect(x, y, label, height).fillAndStroke(ink.fill, ink.line)
      page.doc
        .rect(x + label, y, width - label, height)
        .lineWidth(0.5)
        .stroke(ink.line)
      write(page, name, x, y + height / 2 + 3, {
        size: fitSize(name, label - 6, 8.5, 5),
        color: ink.soft,
        align: 'center',
        width: label,
      })
      writeLines(page, value, x + label + 5, y + (height - lines.length * 12) / 2, {
        size: 9,
        width: width - label - 10,
        leading: 12,
        weight: name === words.name ? 'bold' : 'regular',
      })
      x += width
    }
    y += height
  }
  if (!photo) return y
  // a picture of its own, not one of those that are kept for every page
  page.doc.image(Buffer.from(photo), frame.right - photoSize.width, top, {
    fit: [photoSize.width, photoSize.height],
    align: 'center',
    valign: 'center',
  })
  return Math.max(y, top + photoSize.height)
}

/** Draws the sums of the transcript. @returns where the next part begins, in points */
export function drawSummary(page: Page, transcript: TranscriptData, top: number): number {
  const figures = summaryFigures(transcript)
  const width = frame.width / figures.length
  const height = 50
  figures.forEach(([name, value, note], n) => {
    const x = frame.left + n * width
    page.doc.rect(x, top, width, height).lineWidth(0.5).stroke(ink.line)
    write(page, name, x, top + 13, { size: fitSize(name, width - 6, 8, 5), color: ink.soft, align: 'center', width })
    write(page, value, x, top + 31, {
      size: fitSize(value, width - 8, 15, 8, 'bold'),
      weight: 'bold',
      color: ink.accent,
      align: 'center',
      width,
    })
    write(page, note, x, top + 44, { size: fitSize(note, width - 6, 7.5, 5), color: ink.soft, align: 'center', width })
  })
  return top + height
}

type Module = TranscriptData['modules'][number]

/** The modules, beside the radar where there are at least three abilities. */
export function drawModules(
  page: Page,
  { modules, ability, modelled, lang }: TranscriptData,
  top: number,
  { isTight }: Spacing,
): number {
  if (modules.length === 0) return top
  const words = printWords(lang)
  const withRadar = ability.length >= 3
  const room = withRadar ? frame.width * 0.62 : frame.width
  const star = 9
  const shares = [0.28, 0.13, 0.13, 0.13, 0.21, 0.12].map((share) => share * room) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const { before, stars, after } = moduleColumns(lang)
  const columns: Column<Module>[] = [
    ...before.map((column, at) => ({ ...column, width: shares[at]! })),
    {
      title: stars,
      width: shares[4],
      cell: ({ stars: count }) => ({
        height: star,
        draw: (on, x, y, width, height) =>
          drawStars(on, count, x + (width - star * 5.48) / 2, y + (height - star) / 2, star),
      }),
    },
    { ...after, width: shares[5] },
  ]
  const title = sectionTitle(page, words.modules, top, frame.left)
  const y = drawTable(page, title, columns, [{ rows: modules }], { size: 8.5, isTight })
  if (!withRadar) return y
  const left = frame.left + room + 14
  const width = frame.right - left
  sectionTitle(page, words.ability, top, left)
  const radius = Math.min(54, width / 2 - 40)
  const height = Math.max(y - title, 2 * radius + 44)
  const middle = title + (height - 10) / 2
  const compared = ability.every(({ avgCollege }) => avgCollege !== null)
  const { rim, shares: points } = radarShares(ability, modelled)
  drawRadar(
    page,
    ability.map(({ name, score, color }, n) => ({
      name: `${printName(lang, name)} ${score}`,
      share: points[n]!.own,
      other: compared ? points[n]!.college! : undefined,
      color,
    })),
    left + width / 2,
    middle,
    radius,
  )
  write(page, `${rimText(rim, lang)}${compared ? words.compared : ''}`, left, title + height - 1, {
    size: 7,
    color: ink.soft,
    align: 'center',
    width,
  })
  return title + height
}

/** Writes the title of a section. @returns where its content begins, in points */
export function sectionTitle(page: Page, title: string, top: number, x: number): number {
  page.doc.rect(x, top + 1, 3, 10).fill(ink.accent)
  write(page, title, x + 7, top + 9.8, { size: 10, weight: 'bold' })
  return top + 17
}
