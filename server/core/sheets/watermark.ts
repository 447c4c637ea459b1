import sharp from 'sharp'
import { faceFor } from '../pdf/fonts.ts'

/** One tile of the background, in points; the sheet repeats it. */
const tile = { width: 460, height: 240, slope: -18, size: 17, colour: '#dfe4ea' }

/**
 * A faint tile with lines of text, as a PNG: the background of a sheet. It is seen behind the cells on every screen and photograph of one, and is part of
 * no cell, so that the sheet reads and imports as before. The glyphs are drawn as outlines of our own font: the machine needs none.
 */
export function watermarkPng(lines: readonly string[]): Promise<Buffer> {
  const { width, height, slope, size, colour } = tile
  const rows = lines.map((line, at) => outlines(line, size, height / 2 + (at - (lines.length - 1) / 2) * size * 1.6))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g fill="${colour}" transform="rotate(${slope} ${width / 2} ${height / 2})">${rows.join('')}</g></svg>`
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}

/** A line of text as paths, its middle in the middle of the tile; characters that no font holds are left out. */
function outlines(line: string, size: number, y: number): string {
  const scale = size / 1000
  const glyphs = [...line].flatMap((sign) => {
    const face = faceFor(sign.codePointAt(0)!, 'regular')
    const placed = face?.glyphOf(sign.codePointAt(0)!)
    return face && placed ? [{ path: face.font.getGlyph(placed.glyph.id).path.toSVG(), advance: placed.glyph.advanceWidth * scale }] : []
  })
  let x = (tile.width - glyphs.reduce((sum, { advance }) => sum + advance, 0)) / 2
  return glyphs.map(({ path, advance }) => {
    const drawn = `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale} -${scale})" d="${path}"/>`
    x += advance
    return drawn
  }).join('')
}
