import { crc32 } from 'node:zlib'
import { faceFor, printed } from '../../core/pdf/fonts.ts'

/** What stands on the picture of a badge. */
interface BadgeWords {
  school: string
  name: string
  holder: string
  on: string
}

/** The namespace and the keyword of Open Badges 3.0, sections 5.3.1 and 5.3.2, in which a credential is baked in. */
const namespace = 'https://purl.imsglobal.org/ob/v3p0'
const keyword = 'openbadgecredential'

/** Bytes of the signature of a PNG and of its first chunk. */
const headerEnd = 8 + 25

const size = 600
const centre = size / 2
/** Characters of a line of the name, and lines of it. */
const [lineMax, linesMax] = [10, 3]

/** A badge as a picture that carries the signed credential itself. */
export const bakedSvg = (words: BadgeWords, credential: object): string =>
  pictureOf(
    words,
    // within a text of JSON the sign may be written by its number, and nowhere else can it stand
    `<openbadges:credential><![CDATA[${JSON.stringify(credential).replaceAll(']]>', ']]\\u003e')}]]></openbadges:credential>`,
  )

/** The same as PNG. */
export async function bakedPng(words: BadgeWords, credential: object): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const png = await sharp(Buffer.from(pictureOf(words, '')))
    .png({ palette: true })
    .toBuffer()
  const text = Buffer.concat([
    // keyword, not compressed, no language, no translated keyword
    Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'),
    Buffer.from(JSON.stringify(credential)),
  ])
  // right after the header, where readers look that do not go through the picture itself
  return Buffer.concat([png.subarray(0, headerEnd), chunk('iTXt', text), png.subarray(headerEnd)])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A round medal with the words as outlines, so that it looks the same wherever it is opened. */
function pictureOf({ school, name, holder, on }: BadgeWords, baked: string): string {
  const lines = linesOf(name)
  const top = centre + 14 - (lines.length - 1) * 27
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:openbadges="${namespace}" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">`,
    baked,
    `<circle cx="${centre}" cy="${centre}" r="292" fill="#1f4e8c"/>`,
    `<circle cx="${centre}" cy="${centre}" r="272" fill="#fff"/>`,
    `<circle cx="${centre}" cy="${centre}" r="262" fill="none" stroke="#c9a227" stroke-width="4"/>`,
    line(school, 132, 28, '#1f4e8c'),
    `<path d="M180 160H420" stroke="#c9a227" stroke-width="2"/>`,
    ...lines.map((one, at) => line(one, top + at * 54, 44, '#1b2430')),
    `<path d="M180 418H420" stroke="#c9a227" stroke-width="2"/>`,
    line(holder, 462, 30, '#1b2430'),
    line(on, 502, 22, '#5b6675'),
    '</svg>',
  ].join('')
}

function linesOf(name: string): string[] {
  const characters = [...printed(name)]
  const lines = Array.from({ length: Math.min(linesMax, Math.ceil(characters.length / lineMax)) }, (_, at) =>
    characters.slice(at * lineMax, (at + 1) * lineMax).join(''),
  )
  if (characters.length > lineMax * linesMax) lines[linesMax - 1] = `${lines[linesMax - 1]!.slice(0, -1)}…`
  return lines
}

/** A text in the middle of a line, no wider than the medal is there. */
function line(text: string, y: number, wanted: number, fill: string): string {
  let width = 0
  const outlines: string[] = []
  for (const character of printed(text)) {
    const codePoint = character.codePointAt(0)!
    const face = faceFor(codePoint, 'bold')
    const glyph = face?.glyphOf(codePoint)?.glyph
    if (face && glyph)
      outlines.push(`<path transform="translate(${width} 0)" d="${face.font.getGlyph(glyph.id).path.toSVG()}"/>`)
    width += glyph?.advanceWidth ?? 1000
  }
  const scale = Math.min(wanted / 1000, 460 / Math.max(width, 1))
  const x = centre - (width * scale) / 2
  return `<g fill="${fill}" transform="translate(${x.toFixed(2)} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})">${outlines.join('')}</g>`
}
