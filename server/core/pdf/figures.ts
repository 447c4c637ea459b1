import { need } from '../base/need.ts'
import { ink, write, type Page } from './page.ts'

/** A QR code as one filled path, `size` points wide, its quiet zone of two modules included. */
export function drawQr(page: Page, text: string, x: number, y: number, size: number): void {
  const { create } = need('qrcode') as typeof import('qrcode')
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const side = size / (modules.size + 4)
  const at = (n: number) => (n + 2) * side
  const { doc } = page
  doc.rect(x, y, size, size).fill('#ffffff')
  for (let row = 0; row < modules.size; row++) {
    // neighbours are drawn as one bar, so that no hairline shows between them
    for (let column = 0; column < modules.size; column++) {
      if (!modules.get(row, column)) continue
      const start = column
      while (column + 1 < modules.size && modules.get(row, column + 1)) column++
      doc.rect(x + at(start), y + at(row), (column - start + 1) * side, side)
    }
  }
  doc.fill('#000000')
}

/** A row of `of` stars with the first `filled` of them solid; `x`, `y` is the top left corner, `size` the height. */
export function drawStars(page: Page, filled: number, x: number, y: number, size: number, of = 5): void {
  const { doc } = page
  const radius = size / 2
  for (let n = 0; n < of; n++) {
    const [cx, cy] = [x + radius + n * size * 1.12, y + radius]
    const corners = Array.from({ length: 10 }, (_, corner): [number, number] => {
      const reach = corner % 2 === 0 ? radius : radius * 0.42
      const angle = (corner * Math.PI) / 5 - Math.PI / 2
      return [cx + reach * Math.cos(angle), cy + reach * Math.sin(angle)]
    })
    doc.polygon(...corners)
    if (n < filled) doc.fill(ink.accent)
    else doc.lineWidth(0.5).stroke(ink.line)
  }
}

export interface Spoke {
  name: string
  /** Share of the full score, 0 to 1. */
  share: number
  /** The same of those compared with, where known. */
  other?: number | undefined
  /** Colour of the point on the spoke, `#rrggbb`; none draws no point. */
  color?: string
}

/** A radar chart around a centre; at least three spokes. Names stand outside the rim. */
export function drawRadar(page: Page, spokes: Spoke[], cx: number, cy: number, radius: number): void {
  const { doc } = page
  const point = (n: number, share: number): [number, number] => {
    const angle = (2 * Math.PI * n) / spokes.length - Math.PI / 2
    return [cx + radius * share * Math.cos(angle), cy + radius * share * Math.sin(angle)]
  }
  const ring = (shares: number[]) => doc.polygon(...shares.map((share, n) => point(n, Math.min(1, Math.max(0, share)))))
  for (const level of [0.25, 0.5, 0.75, 1])
    ring(spokes.map(() => level))
      .lineWidth(0.4)
      .stroke(ink.line)
  spokes.forEach((_, n) =>
    doc
      .moveTo(cx, cy)
      .lineTo(...point(n, 1))
      .lineWidth(0.4)
      .stroke(ink.line),
  )
  if (spokes.every(({ other }) => other !== undefined))
    ring(spokes.map(({ other }) => other!))
      .lineWidth(0.8)
      .dash(2, { space: 2 })
      .stroke(ink.soft)
      .undash()
  ring(spokes.map(({ share }) => share))
    .fillOpacity(0.22)
    .lineWidth(1.1)
    .fillAndStroke(ink.accent, ink.accent)
    .fillOpacity(1)
  spokes.forEach(({ share, color }, n) => color && doc.circle(...point(n, share), 1.8).fill(color))
  spokes.forEach(({ name }, n) => {
    const [x, y] = point(n, 1 + 8 / radius)
    const side = Math.abs(x - cx) < radius * 0.15 ? 'center' : x > cx ? 'left' : 'right'
    const box = { left: x, center: x - 60, right: x - 120 }[side]
    write(page, name, box, y + 2.6 + (y - cy > radius * 0.8 ? 3 : y - cy < -radius * 0.8 ? -1 : 0), {
      size: 7.5,
      align: side,
      width: 120,
      color: ink.soft,
    })
  })
}
