import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../contract/core/failure.ts'
import { hintOf } from '../../../contract/core/sheets.ts'
import { trySheet } from '../../core/sheets/fixtures/round-trip.ts'
import type { SheetContent } from '../../core/sheets/limits.ts'
import { findHeaders } from './headers.ts'

const content = (rows: string[][], more: Partial<SheetContent> = {}): SheetContent => ({
  type: 'xlsx',
  merges: [],
  template: null,
  lines: rows.map((cells, at) => ({ no: at + 1, cells })),
  ...more,
})
const headers = ['学号*', '姓名*', '性别', '出生日期']
const data = ['01', '甲', '男', '2005-03-04']
const found = (rows: string[][], more?: Partial<SheetContent>) => {
  const { heads: headers, data } = findHeaders(trySheet, content(rows, more))
  return [headers.map(({ at, key }) => `${at}:${key}`).join(' '), data.map((line) => line.no)]
}
const usual = '0:suiNumber 1:suiName 2:suiSex 3:birth'

describe('headers that are understood', () => {
  test.each<[what: string, rows: string[][], columns: string, rowNos: number[]]>([
    ['as in the template', [headers, trySheet.columns.map(hintOf), data, data], usual, [3, 4]],
    ['without a hint row', [headers, data], usual, [2]],
    ['varied by people', [[' 学 号 ', '学生姓名：', '性别', '出生日期（yyyy-MM-dd）'], data], usual, [2]],
    [
      'in another order, with a counter and the columns of our error workbook',
      [
        ['序号', '姓名', '学号', '行号', '错误原因'],
        ['1', '甲', '01', '9', 'x'],
      ],
      '1:suiName 2:suiNumber',
      [2],
    ],
    ['below a title', [['学生名单'], ['制表：教务处'], headers, data], usual, [4]],
    ['in two rows', [['基本信息', '', '其他', ''], headers, data], usual, [3]],
    [
      'in two rows, some merged downwards',
      [['学号', '姓名', '其他', ''], ['', '', '性别', '出生日期'], data],
      usual,
      [3],
    ],
  ])('%s', (_, rows, columns, rowNos) => expect(found(rows)).toEqual([columns, rowNos]))

  test('merged titles and merges beside the data do not matter', () => {
    expect(found([['名单'], headers, data], { merges: ['A1:D1', 'A9:B9'] })).toEqual([usual, [3]])
  })
})

test.each<[what: string, rows: string[][], more: Partial<SheetContent>, reason: string, msg: string]>([
  [
    'a required column is missing',
    [
      ['姓名', '性别'],
      ['甲', '男'],
    ],
    {},
    'sheet-heads-wrong',
    '表头与模板不符：缺少“学号”。请下载模板对照后重试',
  ],
  [
    'a column is unknown',
    [
      [...headers, '手机号码'],
      [...data, '1'],
    ],
    {},
    'sheet-heads-wrong',
    '表头与模板不符：无法识别“手机号码”。请下载模板对照后重试',
  ],
  [
    'a column comes twice',
    [[...headers, '学号'], data],
    {},
    'sheet-heads-wrong',
    '表头与模板不符：重复“学号”。请下载模板对照后重试',
  ],
  ['no heads at all', [data, data], {}, 'sheet-heads-wrong', '缺少“学号”、“姓名”；无法识别'],
  ['no data', [headers], {}, 'sheet-empty', '没有可导入'],
  ['only hints', [headers, trySheet.columns.map(hintOf)], {}, 'sheet-empty', '没有可导入'],
  ['nothing', [], {}, 'sheet-heads-wrong', '缺少“学号”、“姓名”'],
  ['merged cells among the data', [headers, data, data], { merges: ['B2:B3'] }, 'sheet-merged', 'B2:B3 是合并单元格'],
  [
    'an older template',
    [headers, data],
    { template: { kind: 'student', version: 2 } },
    'sheet-template-wrong',
    '导入模板版本不正确',
  ],
  [
    'the template of another import',
    [headers, data],
    { template: { kind: 'teacher', version: 3 } },
    'sheet-template-wrong',
    '导入模板版本不正确',
  ],
])('refused: %s', (_, rows, more, reason, msg) => {
  let refusal: Failure | undefined
  try {
    findHeaders(trySheet, content(rows, more))
  } catch (error) {
    refusal = error as Failure
  }
  expect(refusal?.reason).toBe(reason)
  expect(refusal?.msg).toContain(msg)
})
