import { buffer } from 'node:stream/consumers'
import { drawQr } from '../../core/pdf/figures.ts'
import { unmapped } from '../../core/pdf/fonts.ts'
import { fitSize } from '../../core/pdf/lines.ts'
import { A4, ink, newPage, openDocument, sealPages, write, writeLines, type Page } from '../../core/pdf/page.ts'
import { printedCode } from './activation-code.ts'

/** What one slip says. */
export interface Slip {
  suiNumber: string
  suiName: string
  scName: string
  scClassName: string
  code: string
}

/** What is the same on all slips of a file. */
export interface SlipPrinting {
  schoolId: string
  schName: string
  expireTime: string
  /** The address the product is reached at; without it a slip has no QR code. */
  origin: string | undefined
  at: string
  byName: string
}

const columns = 2
const rows = 4
const cell = { width: (A4.width - 60) / columns, height: (A4.height - 76) / rows }
const qr = 92

/**
 * Slips to be cut apart, eight on a page of A4. The QR code leads to the page of activation with school, number and
 * code in the fragment of its address, which browsers send to nobody.
 */
export async function slipsPdf(slips: readonly Slip[], printing: SlipPrinting): Promise<Uint8Array> {
  const page = openDocument({ title: '账号激活单', author: printing.schName, createdAt: printing.at })
  const done = buffer(page.doc)
  for (const [n, slip] of slips.entries()) {
    const at = n % (columns * rows)
    if (at === 0) newPage(page)
    drawSlip(page, slip, printing, 30 + (at % columns) * cell.width, 26 + Math.floor(at / columns) * cell.height)
  }
  sealPages(page, (n, pages) =>
    write(
      page,
      printable(`${printing.byName} 打印于 ${printing.at.slice(0, 16)}，发放后剩余的请销毁　${n} / ${pages}`),
      30,
      A4.height - 22,
      { size: 7.5, color: ink.soft, align: 'center', width: A4.width - 60 },
    ),
  )
  page.doc.end()
  return done
}

function drawSlip(page: Page, slip: Slip, printing: SlipPrinting, x: number, y: number): void {
  const { schoolId, schName, expireTime, origin } = printing
  const { doc } = page
  doc.lineWidth(0.5).dash(3, { space: 3 }).rect(x, y, cell.width, cell.height).stroke(ink.line).undash()
  const [left, right] = [x + 14, x + cell.width - 14]
  const link =
    origin && `${origin}/m/activate#${new URLSearchParams({ s: schoolId, n: slip.suiNumber, c: slip.code }).toString()}`
  const width = right - left - (link ? qr + 8 : 0)
  const school = printable(schName)
  write(page, school, left, y + 22, { size: fitSize(school, right - left, 9, 5), color: ink.soft })
  write(page, '第二课堂账号激活单', left, y + 40, { size: 13, weight: 'bold', color: ink.accent })
  const line = (text: string, at: number, size: number, weight: 'regular' | 'bold' = 'regular') =>
    write(page, text, left, y + at, { size: fitSize(text, width, size, 4, weight), weight })
  line(printable(slip.suiName), 64, 13, 'bold')
  line(`学号 ${printable(slip.suiNumber)}`, 81, 9.5)
  const place = printable([slip.scName, slip.scClassName].filter(Boolean).join(' '))
  if (place) line(place, 96, 8.5)
  write(page, '激活码', left, y + 116, { size: 8, color: ink.soft })
  line(printedCode(slip.code), 133, 14, 'bold')
  write(page, `有效期至 ${expireTime.slice(0, 16)}`, left, y + 149, { size: 8, color: ink.soft })
  if (link) drawQr(page, link, right - qr, y + 50, qr)
  writeLines(
    page,
    link
      ? `手机扫码，或打开 ${origin}/m/activate 输入学号与激活码，自己设置密码。只能用一次，请勿转给他人。`
      : '在第二课堂手机端登录页点“首次登录？激活账号”，输入学号与激活码，自己设置密码。只能用一次，请勿转给他人。',
    left,
    y + 156,
    { size: 7.5, width: right - left, leading: 10.5, color: ink.soft },
  )
}

/** A text as it can be set: what no font holds, such as a rare character of a name, is a blank square. */
function printable(text: string): string {
  const missing = new Set(unmapped(text))
  return missing.size === 0 ? text : Array.from(text, (sign) => (missing.has(sign) ? '□' : sign)).join('')
}
