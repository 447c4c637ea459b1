import { outlines } from './outlines.ts'

/** One tile of the background, in points; the sheet repeats it. */
export const tile = { width: 460, height: 240, slope: -18, size: 17, colour: '#dfe4ea' }

/**
 * A faint tile with lines of text, as a PNG: the background of a sheet. It is seen behind the cells on every screen and
 * photograph of one, and is part of no cell, so that the sheet reads and imports as before. The glyphs are drawn as
 * outlines of our own font: the machine needs none.
 */
export async function watermarkPng(lines: readonly string[]): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const { width, height, slope, size, colour } = tile
  const rows = lines.map((line, at) => {
    const { paths, width: wide } = outlines(line, size)
    return `<g transform="translate(${((width - wide) / 2).toFixed(1)} ${(height / 2 + (at - (lines.length - 1) / 2) * size * 1.6).toFixed(1)})">${paths}</g>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g fill="${colour}" transform="rotate(${slope} ${width / 2} ${height / 2})">${rows.join('')}</g></svg>`
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}
