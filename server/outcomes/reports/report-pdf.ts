import { buffer } from 'node:stream/consumers'
import { fitSize, wrap } from '../../core/pdf/lines.ts'
import { unmapped, warmFonts } from '../../core/pdf/fonts.ts'
import {
  drawImage,
  frame,
  ink,
  newPage,
  openDocument,
  roomFor,
  sealPages,
  write,
  writeLines,
  type Page,
} from '../../core/pdf/page.ts'
import { drawTable } from '../../core/pdf/table.ts'
import { tile } from '../../core/pdf/watermark.ts'
import { chartHeight, chartWidth } from './chart-picture.ts'
import type { Report, ReportTable } from './report-content.ts'

/** A report with its charts as pictures, in their order, and whoever takes it out. */
export interface Setting {
  report: Report
  pictures: Buffer[]
  /** Behind the text of every page. */
  watermark: Buffer
  /** `管理员（admin） 2026-11-20 09:31:05` */
  maker: string
  at: string
}

const text = { size: 10.5, leading: 19 }

/**
 * The report as A4 pages of real text. A character that no font holds is left out: the name of one course must not keep
 * a whole report from being printed.
 */
export async function reportPdf({ report, pictures, watermark, maker, at }: Setting): Promise<Buffer> {
  await warmFonts()
  const clean = cleaner(report)
  const page = openDocument({ title: `${report.title} ${report.facts[1]}`, author: report.facts[0]!, createdAt: at })
  page.onPage = () => drawWatermark(page, watermark)
  let y = newPage(page)
  write(page, report.title, frame.left, y + 20, {
    size: fitSize(report.title, frame.width, 22, 14, 'bold'),
    weight: 'bold',
    color: ink.accent,
    align: 'center',
    width: frame.width,
  })
  y =
    writeLines(page, clean(report.facts.join('    ')), frame.left, y + 30, {
      size: 9.5,
      color: ink.soft,
      align: 'center',
      width: frame.width,
    }) + 6
  page.doc.moveTo(frame.left, y).lineTo(frame.right, y).lineWidth(1.2).stroke(ink.accent)
  y += 10
  const left = [...pictures]
  for (const { title, text: lines, charts, tables } of report.sections) {
    y = roomFor(page, y, 60)
    page.doc.outline.addItem(title)
    write(page, title, frame.left, y + 14, { size: 13, weight: 'bold', color: ink.accent })
    y += 22
    for (const line of lines) y = drawText(page, clean(line), y)
    for (const chart of charts) {
      const height = chartHeight(chart)
      y = roomFor(page, y, height + 4)
      drawImage(page, left.shift()!, frame.left, y + 2, chartWidth, height)
      y += height + 6
    }
    for (const table of tables)
      y = drawTable(page, y + 4, columnsOf(table, clean), [{ rows: table.rows }], { size: 8.5 }) + 6
    y += 10
  }
  const baseline = frame.bottom + 26
  sealPages(page, (pageNo, pages) => {
    page.doc
      .moveTo(frame.left, baseline - 12)
      .lineTo(frame.right, baseline - 12)
      .lineWidth(0.5)
      .stroke(ink.line)
    write(page, clean(`导出人 ${maker}`), frame.left, baseline, { size: 7.5, color: ink.soft })
    write(page, `第 ${pageNo} 页，共 ${pages} 页`, frame.left, baseline, {
      size: 7.5,
      color: ink.soft,
      align: 'right',
      width: frame.width,
    })
  })
  page.doc.end()
  return buffer(page.doc)
}

/** A paragraph over as many pages as it needs. */
function drawText(page: Page, line: string, top: number): number {
  let y = top
  for (const part of wrap(line, frame.width, text.size)) {
    y = roomFor(page, y, text.leading)
    y = writeLines(page, part, frame.left, y, { ...text, width: frame.width + text.size })
  }
  return y + 2
}

function drawWatermark(page: Page, watermark: Buffer): number {
  const { width, height } = page.doc.page
  for (let y = 0; y < height; y += tile.height)
    drawImage(page, watermark, (width - tile.width) / 2, y, tile.width, tile.height)
  return frame.top
}

const columnsOf = (
  { heads: headers, widths = headers.map((_, at) => (at === 0 ? 2 : 1)) }: ReportTable,
  clean: (line: string) => string,
) => {
  const whole = widths.reduce((sum, one) => sum + one, 0)
  return headers.map((title, at) => ({
    title,
    width: (frame.width * widths[at]!) / whole,
    align: at === 0 || widths[at]! > 1.5 ? ('left' as const) : ('right' as const),
    cell: (row: string[]) => clean(row[at]!),
  }))
}

function cleaner(report: Report): (line: string) => string {
  const missing = new Set(unmapped(JSON.stringify(report)))
  return missing.size === 0 ? (line) => line : (line) => [...line].filter((sign) => !missing.has(sign)).join('')
}
