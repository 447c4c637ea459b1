import { describe, expect, test } from 'vitest'
import type { Failure } from '../../contract/core/failure.ts'
import { hintOf } from '../../contract/core/sheets.ts'
import { trySheet } from '../core/sheets/fixtures/round-trip.ts'
import type { SheetContent } from '../core/sheets/limits.ts'
import { findHeads } from './heads.ts'

const content = (rows: string[][], more: Partial<SheetContent> = {}): SheetContent => ({
  type: 'xlsx',
  merges: [],
  template: null,
  lines: rows.map((cells, at) => ({ no: at + 1, cells })),
  ...more,
})
const heads = ['学号*', '姓名*', '性别', '出生日期']
const data = ['01', '甲', '男', '2005-03-04']
const found = (rows: string[][], more?: Partial<SheetContent>) => {
  const { heads, data } = findHeads(trySheet, content(rows, more))
  return [heads.map(({ at, key }) => `${at}:${key}`).join(' '), data.map((line) => line.no)]
}
const usual = '0:suiNumber 1:suiName 2:suiSex 3:birth'

describe('heads that are understood', () => {
  test.each<[what: string, rows: string[][], columns: string, rowNos: number[]]>([
    ['as in the template', [heads, trySheet.columns.map(hintOf), data, data], usual, [3, 4]],
    ['without a hint row', [heads, data], usual, [2]],
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
    ['below a title', [['学生名单'], ['制表：教务处'], heads, data], usual, [4]],
    ['in two rows', [['基本信息', '', '其他', ''], heads, data], usual, [3]],
    [
      'in two rows, some merged downwards',
      [['学号', '姓名', '其他', ''], ['', '', '性别', '出生日期'], data],
      usual,
      [3],
    ],
  ])('%s', (_, rows, columns, rowNos) => expect(found(rows)).toEqual([columns, rowNos]))

  test('merged titles and merges beside the data do not matter', () => {
    expect(found([['名单'], heads, data], { merges: ['A1:D1', 'A9:B9'] })).toEqual([usual, [3]])
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
      [...heads, '手机号码'],
      [...data, '1'],
    ],
    {},
    'sheet-heads-wrong',
    '表头与模板不符：无法识别“手机号码”。请下载模板对照后重试',
  ],
  [
    'a column comes twice',
    [[...heads, '学号'], data],
    {},
    'sheet-heads-wrong',
    '表头与模板不符：重复“学号”。请下载模板对照后重试',
  ],
  ['no heads at all', [data, data], {}, 'sheet-heads-wrong', '缺少“学号”、“姓名”；无法识别'],
  ['no data', [heads], {}, 'sheet-empty', '没有可导入'],
  ['only hints', [heads, trySheet.columns.map(hintOf)], {}, 'sheet-empty', '没有可导入'],
  ['nothing', [], {}, 'sheet-heads-wrong', '缺少“学号”、“姓名”'],
  ['merged cells among the data', [heads, data, data], { merges: ['B2:B3'] }, 'sheet-merged', 'B2:B3 是合并单元格'],
  [
    'an older template',
    [heads, data],
    { template: { kind: 'student', version: 2 } },
    'sheet-template-wrong',
    '导入模板版本不正确',
  ],
  [
    'the template of another import',
    [heads, data],
    { template: { kind: 'teacher', version: 3 } },
    'sheet-template-wrong',
    '导入模板版本不正确',
  ],
])('refused: %s', (_, rows, more, reason, msg) => {
  let refusal: Failure | undefined
  try {
    findHeads(trySheet, content(rows, more))
  } catch (error) {
    refusal = error as Failure
  }
  expect(refusal?.reason).toBe(reason)
  expect(refusal?.msg).toContain(msg)
})
