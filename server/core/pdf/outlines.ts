import { faceFor, printed, type Weight } from './fonts.ts'

/**
 * A line of text as paths of an SVG, its base line at `0, 0` and its beginning there: pictures made so need no font on
 * the machine. Characters that no font holds are left out.
 */
export function outlines(line: string, size: number, weight: Weight = 'regular'): { paths: string; width: number } {
  const scale = size / 1000
  let width = 0
  const paths = [...printed(line)].map((sign) => {
    const face = faceFor(sign.codePointAt(0)!, weight)
    const placed = face?.glyphOf(sign.codePointAt(0)!)
    if (!face || !placed) return ''
    const drawn = `<path transform="translate(${width.toFixed(2)} 0) scale(${scale} -${scale})" d="${face.font.getGlyph(placed.glyph.id).path.toSVG()}"/>`
    width += placed.glyph.advanceWidth * scale
    return drawn
  })
  return { paths: paths.join(''), width }
}
