import { epochOf } from '../base/clock.ts'
import { need } from '../base/need.ts'
import { sayColoursOnce } from './colours.ts'
import { aliasOf, faceFor, printed, type Face, type Weight } from './fonts.ts'
import { widthOf, wrap } from './lines.ts'

/** A document being drawn, A4 upright, in points from the top left corner. Texts are set by their base line. */
export interface Page {
  doc: PDFKit.PDFDocument
  /** Which character a glyph of a font has been set for, so that it is copied out as that character and no other. */
  claims: Map<string, Map<number, number>>
  /** Pictures used so far, so that one used on a hundred pages is in the file once. */
  images: Map<Uint8Array, unknown>
  /** Called on every page added by {@link newPage}; answers where the content starts. */
  onPage: (page: Page) => number
}

export interface Style {
  size: number
  weight?: Weight
  color?: string
  align?: 'left' | 'center' | 'right'
  /** Width of the box that `align` refers to. */
  width?: number
  /** Extra space after every character. */
  spacing?: number
}

export const A4 = { width: 595.28, height: 841.89 }
/** The area content keeps to; footers stand below it. */
export const frame = { left: 42, right: A4.width - 42, top: 42, bottom: A4.height - 54, width: A4.width - 84 }
export const ink = { text: '#1a1a1a', soft: '#595959', line: '#a6a6a6', fill: '#f0f2f5', accent: '#1d3f72' }

/** Opens a document without pages. Pages stay open until {@link sealPages}, so that footers can name their number. */
export function openDocument(info: { title: string; author: string; createdAt: string }): Page {
  const created = new Date(epochOf(info.createdAt))
  const PDFDocument = need('pdfkit') as typeof import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'zh-CN',
    displayTitle: true,
    // no standard font: whatever is set uses the embedded ones
    font: null as unknown as string,
    info: {
      Title: info.title,
      Author: info.author,
      Creator: '第二课堂 Console',
      Producer: 'PDFKit',
      CreationDate: created,
      ModDate: created,
    },
  })
  sayColoursOnce(doc)
  return { doc, claims: new Map(), images: new Map(), onPage: () => frame.top }
}

/** Adds a page; answers the height at which its content starts. */
export function newPage(page: Page): number {
  page.doc.addPage()
  return page.onPage(page)
}

/** `y` if `height` more points fit on the page, else the start of a new page. */
export const roomFor = (page: Page, y: number, height: number): number =>
  y + height <= frame.bottom ? y : newPage(page)

/** Sets one line of text. A character without a glyph is an error: nothing we print shows a box. */
export function write(page: Page, text: string, x: number, baseline: number, style: Style): void {
  const { size, weight = 'regular', color = ink.text, align = 'left', width = 0, spacing = 0 } = style
  const line = printed(text)
  const free = align === 'left' ? 0 : width - widthOf(line, size, weight) - spacing * Math.max(0, [...line].length - 1)
  let at = x + (align === 'center' ? free / 2 : free)
  page.doc.fillColor(color)
  for (const run of runsOf(page, line, weight)) {
    page.doc
      .font(run.font)
      .fontSize(size)
      .text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic', characterSpacing: spacing })
    at += widthOf(run.text, size, weight) + spacing * [...run.text].length
  }
}

/** Sets a text over as many lines as it needs; answers the height below the last one. */
export function writeLines(
  page: Page,
  text: string,
  x: number,
  top: number,
  style: Style & { width: number; leading?: number },
): number {
  const { size, weight, width, leading = size * 1.5 } = style
  let y = top
  for (const line of wrap(text, width, size, weight)) {
    write(page, line, x, y + leading / 2 + size * 0.36, style)
    y += leading
  }
  return y
}

/** Draws a PNG or JPEG as large as fits a box of `width` by `height` points (a square unless given), in its middle. */
export function drawImage(
  { doc, images }: Page,
  bytes: Uint8Array,
  x: number,
  y: number,
  width: number,
  height = width,
): void {
  // missing in the types: an opened image may be drawn many times
  const opener = doc as unknown as { openImage(source: Buffer): PDFKit.Mixins.ImageSrc }
  if (!images.has(bytes)) images.set(bytes, opener.openImage(Buffer.from(bytes)))
  doc.image(images.get(bytes) as PDFKit.Mixins.ImageSrc, x, y, {
    fit: [width, height],
    align: 'center',
    valign: 'center',
  })
}

/** Draws what stands on every page once all of them exist, and closes them. */
export function sealPages(page: Page, footer: (page: number, pages: number) => void): void {
  const { start, count } = page.doc.bufferedPageRange()
  for (let at = 0; at < count; at++) {
    page.doc.switchToPage(start + at)
    footer(at + 1, count)
  }
  page.doc.flushPages()
}

interface Run {
  font: string
  text: string
}

function runsOf(page: Page, text: string, weight: Weight): Run[] {
  const runs: Run[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0)!
    const face = faceFor(codePoint, weight)
    if (!face) throw new Error(`no font holds the character U+${codePoint.toString(16).toUpperCase()}`)
    const font = claim(page, face, codePoint)
    const last = runs.at(-1)
    if (last?.font === font) last.text += character
    else runs.push({ font, text: character })
  }
  return runs
}

/**
 * The name under which the document may set this character; a glyph taken by another character is taken from an alias
 * of the font.
 */
function claim(page: Page, face: Face, codePoint: number): string {
  const glyph = face.glyphOf(codePoint)!.glyph.id
  for (let n = 1; ; n++) {
    const name = n === 1 ? face.key : `${face.key}-${n}`
    let taken = page.claims.get(name)
    if (!taken) {
      page.claims.set(name, (taken = new Map()))
      page.doc.registerFont(name, (n === 1 ? face.font : aliasOf(face.font, n)) as unknown as string)
    }
    const owner = taken.get(glyph)
    if (owner === undefined) taken.set(glyph, codePoint)
    if (owner === undefined || owner === codePoint) return name
  }
}
