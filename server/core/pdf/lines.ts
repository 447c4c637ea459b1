import { advanceOf, printed, type Weight } from './fonts.ts'

/** Width of a text in points. */
export const widthOf = (text: string, size: number, weight: Weight = 'regular'): number =>
  widthAsSet(printed(text), size, weight)

/** The same of a text that {@link printed} has been asked about already. */
function widthAsSet(text: string, size: number, weight: Weight): number {
  let units = 0
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at)!
    if (codePoint > 0xffff) at++
    units += advanceOf(codePoint, weight)
  }
  return (units * size) / 1000
}

/**
 * What stays together on a line: opening brackets, a Latin word or a single character, closing brackets and stops,
 * blanks.
 */
const unit =
  /[（《「『【〔〈“‘([{]*(?:[\p{Script=Latin}\p{N}@&._/+:#%*-]+|[^])?\p{M}*[，。、；：？！）》」』】〕〉”’…—·％,;?!)\]}]*\s*/gu

/**
 * Breaks a text into lines no wider than `width` points. Chinese breaks anywhere but before closing and after opening
 * brackets, Latin words stay whole unless one is wider than the line; a line end in the text is kept. A text without
 * characters is one empty line.
 */
export const wrap = (text: string, width: number, size: number, weight: Weight = 'regular'): string[] =>
  text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, size, weight))

function wrapParagraph(text: string, width: number, size: number, weight: Weight): string[] {
  const line = printed(text)
  if (widthAsSet(line.trimEnd(), size, weight) <= width) return [line.trimEnd()]
  const lines: string[] = []
  let [begun, taken] = ['', 0]
  const put = (piece: string, solid: number) => {
    // blanks at the end of a line take no room
    if (begun !== '' && solid > 0 && taken + solid > width) {
      lines.push(begun.trimEnd())
      ;[begun, taken] = ['', 0]
    }
    begun += piece
    taken += widthAsSet(piece, size, weight)
  }
  for (const piece of line.match(unit) ?? []) {
    const solid = widthAsSet(piece.trimEnd(), size, weight)
    if (solid <= width) put(piece, solid)
    else for (const character of piece) put(character, widthAsSet(character.trimEnd(), size, weight))
  }
  if (begun.trimEnd() !== '' || lines.length === 0) lines.push(begun.trimEnd())
  return lines
}

/**
 * The largest size of `from` … `least` at which the text fits on one line of `width` points; `least` where none does.
 */
export function fitSize(text: string, width: number, from: number, least: number, weight: Weight = 'regular'): number {
  const wanted = widthOf(text, from, weight)
  return wanted <= width ? from : Math.max(least, Math.floor((from * width * 4) / wanted) / 4)
}
