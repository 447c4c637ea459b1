/** The part of fontkit that is used here; the package brings no types. */
declare module 'fontkit' {
  export interface Glyph {
    id: number
    codePoints: number[]
    advanceWidth: number
  }
  export interface GlyphPosition {
    xAdvance: number
    yAdvance: number
    xOffset: number
    yOffset: number
    advanceWidth?: number
  }
  export interface GlyphRun {
    glyphs: Glyph[]
    positions: GlyphPosition[]
    advanceWidth: number
  }
  export interface Font {
    postscriptName: string
    unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string): GlyphRun
    getGlyph(id: number): { path: { toSVG(): string } }
  }
  export function create(data: Uint8Array): Font
}
