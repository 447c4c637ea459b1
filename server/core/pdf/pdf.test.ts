import { buffer } from 'node:stream/consumers'
import { create } from 'qrcode'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pdfFonts, pdfPicture, pdfText } from '../../testing/pdf.ts'
import { drawQr } from './figures.ts'
import { unmapped } from './fonts.ts'
import { fitSize, widthOf, wrap } from './lines.ts'
import { frame, newPage, openDocument, sealPages, write, type Page } from './page.ts'
import { drawTable } from './table.ts'

const pageWith = async (draw: (page: Page) => void): Promise<Buffer> => {
  const page = openDocument({ title: '测试', author: '测试大学', createdAt: '2026-11-20 08:00:00' })
  newPage(page)
  draw(page)
  sealPages(page, () => {})
  page.doc.end()
  return buffer(page.doc)
}

describe('lines', () => {
  test.each([
    ['breaks Chinese anywhere', '第二课堂成绩单', 40, ['第二课堂', '成绩单']],
    ['keeps closing signs off the start of a line', '第二课堂，成绩单', 40, ['第二课', '堂，成绩', '单']],
    ['keeps opening signs off the end of a line', '第二课（堂）成绩', 40, ['第二课', '（堂）成', '绩']],
    ['keeps Latin words whole', '学 JavaScript 语言', 60, ['学', 'JavaScript', '语言']],
    ['breaks a word wider than the line', 'aaaaaaaaaaaaaaaaaaaa', 30, ['aaaaa', 'aaaaa', 'aaaaa', 'aaaaa']],
    ['keeps line ends', '课程\n质疑中', 100, ['课程', '质疑中']],
    ['is one empty line for nothing', '', 100, ['']],
    ['takes a character beyond the basic plane as one', '𠮷𠮷𠮷', 20, ['𠮷𠮷', '𠮷']],
  ])('%s', (_, text, width, lines) => {
    const got = wrap(text, width, 10)
    expect(got).toEqual(lines)
    for (const line of got) expect(widthOf(line, 10)).toBeLessThanOrEqual(width)
  })

  test('a title is set smaller until it fits, down to a least size', () => {
    const title = '一所名字很长的师范大学'
    expect(fitSize(title, 200, 15, 8)).toBe(15)
    const size = fitSize(title, 120, 15, 8)
    expect(size).toBeLessThan(15)
    expect(widthOf(title, size)).toBeLessThanOrEqual(120)
    expect(fitSize(title, 20, 15, 8)).toBe(8)
  })
})

describe('fonts', () => {
  test('characters without a picture in any font are told, joiners and variants are not', () => {
    expect(unmapped('𠮷䶮㛃喆·ÀéΩЖ①★—“”')).toEqual([])
    expect(unmapped('\u200d喆\ufe0f\u{e0100}\u202e')).toEqual([])
    expect(unmapped('节日🎉快乐🎉')).toEqual(['🎉'])
  })

  test('a character without a glyph is an error and never a box', async () => {
    await expect(pageWith((page) => write(page, '节日🎉', 42, 100, { size: 10 }))).rejects.toThrow('U+1F389')
  })

  test('characters that share one glyph are copied out as themselves, also in later documents', async () => {
    // the radical and the character look alike and share a glyph in these fonts
    const radical = await pageWith((page) => write(page, '\u2f00一\u2f00', 42, 100, { size: 10 }))
    expect((await pdfText(radical)).trim()).toBe('\u2f00一\u2f00')
    const plain = await pageWith((page) => write(page, '一二', 42, 100, { size: 10 }))
    expect((await pdfText(plain)).trim()).toBe('一二')
  })

  test('what the main font lacks comes from another, all embedded as subsets', async () => {
    const pdf = await pageWith((page) => {
      write(page, '𠮷田䶮', 42, 100, { size: 10 })
      write(page, '合计 e\u0301', 42, 120, { size: 10, weight: 'bold' })
    })
    expect((await pdfText(pdf)).normalize('NFC')).toContain('𠮷田䶮')
    expect((await pdfText(pdf)).normalize('NFC')).toContain('合计 é')
    const fonts = await pdfFonts(pdf)
    expect(fonts.map(({ name }) => name?.split('+')[1]).toSorted()).toEqual([
      'NotoSansJP-Regular',
      'NotoSansSC-Bold',
      'NotoSansSC-Regular',
    ])
    for (const font of fonts) expect(font).toMatchObject({ embedded: true, subset: true, unicode: true })
    expect(pdf.length).toBeLessThan(40_000)
  })
})

test('a table repeats its head on every page and keeps a heading with its first row', async () => {
  const pdf = await pageWith((page) => {
    drawTable(
      page,
      frame.top,
      [
        { title: '名称', width: 200, cell: (n: number) => `行${n}` },
        { title: '说明', width: 200, cell: () => '两行的说明文字，占满这一格之后还要继续写到下一行才算完' },
      ],
      [
        { heading: '甲组', rows: Array.from({ length: 30 }, (_, n) => n) },
        { heading: '乙组', rows: Array.from({ length: 40 }, (_, n) => 100 + n) },
      ],
    )
  })
  const pages = (await pdfText(pdf)).trimEnd().split('\f')
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(page.split('\n')[0]).toBe('名称 说明')
  expect(pages.join('\n').match(/^行\d+/gm)).toHaveLength(70)
  for (const page of pages) expect(page.trim()).not.toMatch(/[甲乙]组$/)
})

test('a QR code is drawn module by module', async () => {
  const text = 'https://console.example.edu.cn/verify?serial=10999-2023010101'
  const pdf = await pageWith((page) => drawQr(page, text, 100, 100, 120))
  const { data, info } = await sharp(await pdfPicture(pdf, 1, 300))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const side = 120 / (modules.size + 4)
  const drawn: string[] = []
  const meant: string[] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      const [x, y] = [column, row].map((n) => Math.round(((100 + (n + 2.5) * side) * 300) / 72)) as [number, number]
      drawn.push(data[y * info.width + x]! < 128 ? '1' : '0')
      meant.push(modules.get(row, column) ? '1' : '0')
    }
  }
  expect(drawn.join('')).toBe(meant.join(''))
})
