import { readFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit'
import { need } from '../base/need.ts'

/**
 * The fonts of our documents. Noto Sans SC holds 30,890 characters; what it lacks is looked for in the Japanese and the
 * Hong Kong cut, character by character. The files stay in their packages and are read once per process; the two
 * fallback cuts only when a text asks for them.
 */
export type Weight = 'regular' | 'bold'

/** One font file in memory. `font` is handed to the PDF writer; its layout is our own quick one. */
export interface Face {
  key: string
  font: Font
  glyphOf(codePoint: number): Placed | undefined
}

/** A glyph with the advance it is set with; font units are thousandths of the size. */
export interface Placed {
  glyph: Glyph
  position: GlyphPosition & { advanceWidth: number }
}

const cuts = ['sc', 'jp', 'hk'] as const
const fileOf = { regular: '400Regular', bold: '700Bold' } as const
const faces = new Map<string, Face>()

/** Reads the main fonts and sets a line in each, so that the first document of the day is not a slow one. */
export async function warmFonts(): Promise<void> {
  for (const weight of ['regular', 'bold'] as const) {
    for (const character of '第二课堂成绩单 0123456789') faceFor(character.codePointAt(0)!, weight)
    await breathe()
  }
}

const faceOf = { regular: new Map<number, Face | undefined>(), bold: new Map<number, Face | undefined>() }

/** The first cut that holds the character, or undefined where none does. */
export function faceFor(codePoint: number, weight: Weight): Face | undefined {
  const known = faceOf[weight]
  const face = known.get(codePoint)
  if (face || known.has(codePoint)) return face
  const cut = cuts.find((one) => openFace(one, weight).glyphOf(codePoint))
  const found = cut && openFace(cut, weight)
  known.set(codePoint, found)
  return found
}

/** Width of a character in thousandths of the size it is set in; a whole square where no font holds it. */
export const advanceOf = (codePoint: number, weight: Weight): number =>
  faceFor(codePoint, weight)?.glyphOf(codePoint)?.glyph.advanceWidth ?? 1000

/** The characters of a text that no font holds; empty for a text that can be printed. */
export function unmapped(text: string): string[] {
  const missing = new Set<string>()
  for (const character of printed(text)) if (!faceFor(character.codePointAt(0)!, 'regular')) missing.add(character)
  return [...missing]
}

/**
 * The text as it is set: line ends become spaces, and signs without a picture of their own (joiners, direction marks,
 * variants) go.
 */
export const printed = (text: string): string =>
  plain.test(text) ? text : text.replace(/[\t\n\r\u0085\u2028\u2029]+/g, ' ').replace(invisible, '')

/** Chinese and ASCII text, of which nothing goes: almost all there is. */
const plain = /^[ -~\u3001-\u3020\u4e00-\u9fff\uff01-\uff5e]*$/
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The same font under a second name: used where one glyph stands for two characters and both must be copied out right.
 */
export const aliasOf = (font: Font, n: number): Font =>
  Object.create(font, { postscriptName: { value: `${font.postscriptName}-${n}` } }) as Font

function openFace(cut: (typeof cuts)[number], weight: Weight): Face {
  const key = `${cut}-${weight}`
  const known = faces.get(key)
  if (known) return known
  const file = need.resolve(
    `@expo-google-fonts/noto-sans-${cut}/${fileOf[weight]}/NotoSans${cut.toUpperCase()}_${fileOf[weight]}.ttf`,
  )
  const { create } = need('fontkit') as typeof import('fontkit')
  const source = create(readFileSync(file))
  if (source.unitsPerEm !== 1000) throw new Error(`${file}: ${source.unitsPerEm} units per em where 1000 are expected`)
  const glyphs = new Map<number, Placed | undefined>()
  const glyphOf = (codePoint: number): Placed | undefined => {
    if (glyphs.has(codePoint)) return glyphs.get(codePoint)
    const placed = source.hasGlyphForCodePoint(codePoint) ? place(source, codePoint) : undefined
    glyphs.set(codePoint, placed)
    return placed
  }
  const face: Face = {
    key,
    glyphOf,
    font: Object.create(source, { layout: { value: (text: string) => layout(source, glyphOf, text) } }) as Font,
  }
  faces.set(key, face)
  return face
}

// The glyph is a copy: fontkit keeps one object per glyph with the characters it was first asked for, and would tell
// them to all later documents.
function place(source: Font, codePoint: number): Placed {
  const { id, advanceWidth } = source.glyphForCodePoint(codePoint)
  return {
    glyph: { id, advanceWidth, codePoints: [codePoint] },
    position: { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth },
  }
}

/**
 * One glyph a character, no kerning: what Chinese needs, at a tenth of the cost of full shaping. Texts with combining
 * marks are shaped in full.
 */
function layout(source: Font, glyphOf: Face['glyphOf'], text: string): GlyphRun {
  if (/\p{M}/u.test(text)) return source.layout(text)
  const run: GlyphRun = { glyphs: [], positions: [], advanceWidth: 0 }
  for (const character of text) {
    const placed = glyphOf(character.codePointAt(0)!) ?? place(source, 0)
    run.glyphs.push(placed.glyph)
    run.positions.push(placed.position)
    run.advanceWidth += placed.glyph.advanceWidth
  }
  return run
}
