import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { sheetIn } from '../../testing/sheet-in.ts'
import { text } from './columns.ts'
import { writeCsv } from './csv.ts'

/** Texts that people write, each in a list of which the next column must stay the next column. */
test.each([
  ['one line', '情况属实'],
  ['two lines as a browser sends them', '第一行\n第二行'],
  ['two lines as Windows writes them', '第一行\r\n第二行'],
  ['two lines as old programs write them', '第一行\r第二行'],
  ['commas and quotes', '“同意”,"同意", 同意'],
  ['what a spreadsheet program would calculate', '=1+1'],
  ['several such lines', '=1\n=2'],
])('a row with %s is one row', async (_, written) => {
  async function* rows() {
    yield [{ written }, { written: '后一行' }]
  }
  const columns = [text('意见', 'written'), { label: '其后', valueOf: () => '其后' }]
  const { lines } = await sheetIn(await buffer(writeCsv<{ written: string }>(columns, rows())))
  expect(lines.map(({ cells }) => cells)).toEqual([
    ['意见', '其后'],
    [written, '其后'],
    ['后一行', '其后'],
  ])
})
