import { setTimeout as sleep } from 'node:timers/promises'
import { buffer, text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { fileOf } from './fixtures/craft.ts'
import { roundTripBook, roundTripRows, trySheet } from './fixtures/round-trip.ts'
import { readRow } from './read-row.ts'
import { readSheet } from './read-sheet.ts'
import type { SheetRecord } from './sheet-xml.ts'
import { watermarkPng } from '../pdf/watermark.ts'
import { writeXlsx } from './write-xlsx.ts'

/** All files of an archive as text. Sizes and checksums are compared on the way. */
async function unpacked(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes, { autoClose: false, lazyEntries: true })
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = await textOf(await zip.openReadStreamPromise(entry))
  return files
}

const written = (): Promise<Buffer> =>
  buffer(writeXlsx({ ...roundTripBook, maker: { name: '张&三', time: '2026-01-02 03:04:05' } }))

test('every part is well-formed XML and listed among the content types', async () => {
  const files = await unpacked(await written())
  for (const [name, xml] of Object.entries(files)) {
    if (name.endsWith('.png')) continue
    let tags = 0
    const parser = new SaxesParser({ xmlns: true, fileName: name })
    parser.on('opentag', () => void tags++)
    parser.write(xml).close()
    expect(tags, name).toBeGreaterThan(0)
    if (!name.endsWith('.rels') && name !== '[Content_Types].xml')
      expect(files['[Content_Types].xml']).toContain(`PartName="/${name}"`)
  }
  expect(Object.keys(files)).toContain('xl/worksheets/sheet2.xml')
})

test('what was written is what is read, formulas remaining texts', async () => {
  const read = await readSheet(fileOf(await written()))
  expect(read.template).toEqual({ kind: 'student', version: 3 })
  const rows = read.lines.slice(2).map(({ cells }) => cells)
  expect(rows[0]).toEqual(['0020230001', '张三', '男', '2005-03-04', '4', '2.5', '2026-05-06 07:08:09'])
  expect(rows.map(([number, name]) => [number, name])).toEqual(
    roundTripRows.map(({ suiNumber, suiName }) => [suiNumber, suiName]),
  )
  const { row, faults } = readRow(
    trySheet,
    Object.fromEntries(trySheet.columns.map(({ key }, at) => [key, rows[0]![at]!])),
  )
  expect(faults).toEqual([])
  expect(row).toEqual(roundTripRows[0])
})

test('another program opens and saves it without changing a value, a hidden sheet or the template mark', async () => {
  const saved = await readSheet(fileURLToPath(new URL('./fixtures/round-trip.xlsx', import.meta.url)))
  const own = await readSheet(fileOf(await written()))
  expect(saved).toEqual(own)
})

test('text that begins like a formula is a string cell marked as quoted, and there is no formula anywhere', async () => {
  const files = await unpacked(await written())
  const sheet = files['xl/worksheets/sheet1.xml']!
  expect(sheet).not.toMatch(/<f[ >]/)
  const quoted = /<c r="A4" s="(\d+)" t="inlineStr"><is><t xml:space="preserve">=1\+1<\/t>/.exec(sheet)
  const styles = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(files['xl/styles.xml']!)![1]!.split('</xf>')
  expect(styles[Number(quoted![1])]).toContain('quotePrefix="1"')
})

test('a template freezes its headers, offers its choices and leaves filters out; a list has a filter over its real rows', async () => {
  const template = (await unpacked(await written()))['xl/worksheets/sheet1.xml']!
  expect(template).toContain('<pane ySplit="2" topLeftCell="A3"')
  expect(template).toContain(`<formula1>'_template'!$A$2:$A$3</formula1>`)
  expect(template).not.toContain('<autoFilter')
  expect(template).toContain('张&amp;&amp;三 2026-01-02 03:04:05')
  const list = await unpacked(
    await buffer(writeXlsx({ sheets: [{ name: "一/二'三", columns: trySheet.columns, rows: [roundTripRows] }] })),
  )
  expect(list['xl/worksheets/sheet1.xml']).toContain('<autoFilter ref="A1:G8"/>')
  expect(list['xl/workbook.xml']).toContain(`'一 二''三'!$A$1:$G$8`)
  expect(list['xl/workbook.xml']).not.toContain('_template')
})

/** Endless rows that tell how many batches were asked for and whether they were ended. */
function endless() {
  const seen = { batches: 0, ended: false }
  async function* rows(): AsyncGenerator<SheetRecord[]> {
    try {
      for (;;) {
        seen.batches++
        yield Array.from({ length: 200 }, () => ({
          suiNumber: Math.random().toString(36),
          suiName: Math.random().toString(36),
        }))
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, rows }
}

test('who made it stands behind the cells of every visible sheet, in no cell', async () => {
  const files = await unpacked(await written())
  expect(Object.keys(files)).toContain('xl/media/watermark.png')
  expect(files['xl/worksheets/sheet1.xml']).toMatch(/<\/headerFooter><picture r:id="rId1"\/><\/worksheet>$/)
  expect(files['xl/worksheets/_rels/sheet1.xml.rels']).toContain('Target="../media/watermark.png"')
  expect(files['docProps/core.xml']).toContain('由 张&amp;三 于 2026-01-02 03:04:05 导出')
  const plain = await unpacked(await buffer(writeXlsx(roundTripBook)))
  expect(Object.keys(plain).filter((name) => /media|sheet1.xml.rels/.test(name))).toEqual([])
})

test('the mark is drawn with our own font: other names give other pictures, an empty one a blank', async () => {
  const [one, two, none] = await Promise.all([
    watermarkPng(['张三（T001）', '2026-01-02 03:04']),
    watermarkPng(['李四（T002）', '2026-01-02 03:04']),
    watermarkPng(['']),
  ])
  expect(one.equals(two)).toBe(false)
  expect([...one.subarray(1, 4)]).toEqual([...Buffer.from('PNG')])
  const { channels } = await sharp(one).stats()
  expect(channels[0]!.min).toBeLessThan(240)
  expect((await sharp(none).stats()).channels[0]!.min).toBe(255)
})

test('rows are asked for only as fast as bytes are taken, and no more once the reader left', async () => {
  const { seen, rows } = endless()
  const stream = writeXlsx({ sheets: [{ name: 'x', columns: trySheet.columns, rows: rows() }] })
  stream.read(1)
  await sleep(300)
  const untouched = seen.batches
  await sleep(300)
  expect(seen.batches).toBe(untouched)
  expect(untouched).toBeLessThan(300)
  stream.destroy()
  await expect.poll(() => seen.ended).toBe(true)
})

test('a failing source ends the stream with its error', async () => {
  async function* rows(): AsyncGenerator<SheetRecord[]> {
    yield [{ suiNumber: '1' }]
    throw new Error('source failed')
  }
  await expect(buffer(writeXlsx({ sheets: [{ name: 'x', columns: trySheet.columns, rows: rows() }] }))).rejects.toThrow(
    'source failed',
  )
})
