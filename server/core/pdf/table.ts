import { wrap } from './lines.ts'
import { frame, ink, newPage, write, type Page } from './page.ts'
import type { Weight } from './fonts.ts'

/** A cell that is drawn rather than set: it gets the top left corner and the size of its box. */
export interface Picture {
  height: number
  draw(page: Page, x: number, y: number, width: number, height: number): void
}

export interface Column<R> {
  title: string
  /** Points. */
  width: number
  align?: 'left' | 'center' | 'right'
  cell(row: R): string | Picture
}

/** Rows under a heading that spans the table; the heading never stands alone at the foot of a page. */
export interface Section<R> {
  heading?: string
  rows: R[]
}

interface TableStyle {
  size?: number
  /** Where the table starts, from the left. */
  x?: number
  /** Less room above and below what is written. */
  isTight?: boolean
}

interface Cell {
  lines: string[]
  picture?: Picture
}

const padding = { roomy: { x: 3, y: 2.6 }, tight: { x: 3, y: 1.2 } }

/**
 * Draws a table from `top` down over as many pages as it needs, its head again on each. A row is kept on one page
 * unless it is taller than a page of its own.
 * @returns the height below its last row, on the document's last page
 */
export function drawTable<R>(
  page: Page,
  top: number,
  columns: Column<R>[],
  sections: Section<R>[],
  style: TableStyle = {},
): number {
  const { size = 8, x = frame.left, isTight = false } = style
  const pad = isTight ? padding.tight : padding.roomy
  const leading = size * 1.32
  const width = columns.reduce((sum, column) => sum + column.width, 0)
  const lay = (texts: (string | Picture)[], weight?: Weight): Cell[] =>
    texts.map((text, n) =>
      typeof text === 'string'
        ? { lines: wrap(text, columns[n]!.width - 2 * pad.x, size, weight) }
        : { lines: [], picture: text },
    )
  const heightOf = (cells: Cell[]) =>
    Math.max(...cells.map(({ lines, picture }) => picture?.height ?? lines.length * leading)) + 2 * pad.y
  const band = leading + 2 * pad.y
  const head = lay(
    columns.map(({ title }) => title),
    'bold',
  )
  const headHeight = heightOf(head)

  const drawRow = (cells: Cell[], y: number, height: number, isHead = false) => {
    if (isHead) page.doc.rect(x, y, width, height).fill(ink.fill)
    let left = x
    for (const { width: own } of columns) {
      page.doc.rect(left, y, own, height)
      left += own
    }
    page.doc.lineWidth(0.5).stroke(ink.line)
    left = x
    cells.forEach(({ lines, picture }, n) => {
      const column = columns[n]!
      if (picture) picture.draw(page, left, y, column.width, height)
      const start = y + (height - lines.length * leading) / 2
      lines.forEach((line, at) => {
        const align = isHead ? 'center' : (column.align ?? 'left')
        write(page, line, left + pad.x, start + at * leading + leading / 2 + size * 0.36, {
          size,
          weight: isHead ? 'bold' : 'regular',
          align,
          width: column.width - 2 * pad.x,
        })
      })
      left += column.width
    })
    return y + height
  }
  const drawBand = (text: string, y: number) => {
    page.doc.rect(x, y, width, band).lineWidth(0.5).stroke(ink.line)
    write(page, text, x + pad.x, y + band / 2 + size * 0.36, { size, weight: 'bold', color: ink.accent })
    return y + band
  }
  const onNewPage = () => drawRow(head, newPage(page), headHeight, true)

  const firstRow = sections[0]?.rows[0]
  const least =
    headHeight +
    (sections[0]?.heading ? band : 0) +
    (firstRow ? heightOf(lay(columns.map((column) => column.cell(firstRow)))) : 0)
  let y = top + least > frame.bottom ? onNewPage() : drawRow(head, top, headHeight, true)
  for (const { heading, rows } of sections) {
    rows.forEach((row, n) => {
      const cells = lay(columns.map((column) => column.cell(row)))
      const height = heightOf(cells)
      const announced = n === 0 && heading !== undefined
      if (y + height + (announced ? band : 0) > frame.bottom) y = onNewPage()
      if (announced) y = drawBand(heading, y)
      y = drawRow(cells, y, height)
    })
  }
  return y
}
