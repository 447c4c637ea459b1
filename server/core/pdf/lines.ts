import { faceFor, printed, type Weight } from './fonts.ts'

/** Width of a text in points. */
export function widthOf(text: string, size: number, weight: Weight = 'regular'): number {
  let units = 0
  for (const sign of printed(text)) {
    const codePoint = sign.codePointAt(0)!
    units += faceFor(codePoint, weight)?.glyphOf(codePoint)?.glyph.advanceWidth ?? 1000
  }
  return (units * size) / 1000
}

/** What stays together on a line: opening signs, a Latin word or a single character, closing signs, blanks. */
const unit = /[（《「『【〔〈“‘([{]*(?:[\p{Script=Latin}\p{N}@&._/+:#%*-]+|[^])?\p{M}*[，。、；：？！）》」』】〕〉”’…—·％,;?!)\]}]*\s*/gu

/**
 * Breaks a text into lines no wider than `width` points. Chinese breaks anywhere but before closing and after opening signs,
 * Latin words stay whole unless one is wider than the line; a line end in the text is kept. A text without characters is one
 * empty line.
 */
export const wrap = (text: string, width: number, size: number, weight: Weight = 'regular'): string[] =>
  text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, size, weight))

function wrapParagraph(text: string, width: number, size: number, weight: Weight): string[] {
  const lines: string[] = []
  let line = ''
  const put = (piece: string) => {
    if (line !== '' && widthOf((line + piece).trimEnd(), size, weight) > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  for (const piece of printed(text).match(unit) ?? []) {
    if (widthOf(piece.trimEnd(), size, weight) <= width) put(piece)
    else for (const sign of piece) put(sign)
  }
  if (line.trimEnd() !== '' || lines.length === 0) lines.push(line.trimEnd())
  return lines
}

/** The largest size of `from` … `least` at which the text fits on one line of `width` points; `least` where none does. */
export function fitSize(text: string, width: number, from: number, least: number, weight: Weight = 'regular'): number {
  const wanted = widthOf(text, from, weight)
  return wanted <= width ? from : Math.max(least, Math.floor((from * width * 4) / wanted) / 4)
}
