import { describe, expect, test } from 'vitest'
import { studentSheet } from '../../../contract/school/people/people.sheets.ts'
import type { SheetLine } from '../../core/sheets/limits.ts'
import { fileColumnsOf, headerKey, headerKeys } from './match-columns.ts'

const lines = (...rows: string[][]): SheetLine[] => rows.map((cells, at) => ({ no: at + 1, cells }))
const meant = (...headers: string[]) =>
  Object.fromEntries(
    fileColumnsOf(
      studentSheet,
      lines(
        headers,
        headers.map(() => 'x'),
      ),
      undefined,
    ).columns.map(({ head: header, key }) => [header, key]),
  )

describe('what a column seems to mean', () => {
  test.each<[head: string, key: string]>([
    ['学号', 'suiNumber'],
    ['学号（必填）', 'suiNumber'],
    ['学生学号 *', 'suiNumber'],
    ['学生的学号', 'suiNumber'],
    ['姓名全称', 'suiName'],
    ['学院名称', 'collegeName'],
    ['院系名称', 'collegeName'],
    ['专业方向', 'majorName'],
    ['行政班级', 'className'],
    ['入学年级', 'suiGrade'],
    ['出生年月日', 'birth'],
    ['身份证件号', 'suiIdCard'],
    ['联系手机', 'suiPhone'],
    ['E-mail', 'suiEmail'],
    ['宿舍号', ''],
    ['备注', ''],
    ['错误原因', ''],
    ['序号', ''],
  ])('%s', (header, key) => expect(meant(header)).toEqual({ [header]: key }))

  test('each field is offered once, to the column that fits best', () => {
    expect(meant('学号', '原学号', '手机', '家长手机')).toEqual({
      学号: 'suiNumber',
      原学号: '',
      手机: 'suiPhone',
      家长手机: '',
    })
  })

  test('samples are the first different values below the headers; columns without anything are left out', () => {
    const {
      headNo: headerNo,
      headNos: headerNos,
      columns,
    } = fileColumnsOf(
      studentSheet,
      lines(
        ['名册'],
        ['编号', '', '姓名'],
        ['1', '', '甲'],
        ['1', '', '乙'],
        ['2', '', '丙'],
        ['3', '', '丁'],
        ['4', '', '戊'],
      ),
      undefined,
    )
    expect([headerNo, headerNos]).toEqual([2, [1, 2, 3, 4, 5, 6, 7]])
    expect(columns).toEqual([
      { at: 0, letter: 'A', head: '编号', samples: ['1', '2', '3'], key: '' },
      { at: 2, letter: 'C', head: '姓名', samples: ['甲', '乙', '丙'], key: 'suiName' },
    ])
  })

  test('another row may be told to be the headers', () => {
    const top = lines(['学号', '姓名'], ['号', '名'], ['1', '甲'])
    expect(fileColumnsOf(studentSheet, top, 2).columns).toMatchObject([
      { head: '号', samples: ['1'] },
      { head: '名', samples: ['甲'] },
    ])
  })
})

test('headers are known again however they are spaced, and by the row they stand in', () => {
  expect(headerKey({ cells: ['学 号', '姓名：', ''] })).toBe(headerKey({ cells: ['学号', '姓名'] }))
  expect(headerKey({ cells: ['学号', '姓名'] })).not.toBe(headerKey({ cells: ['姓名', '学号'] }))
  const keys = headerKeys(studentSheet, lines(['名册'], ['号', '名']))
  expect(keys.map(({ no }) => no)).toEqual([1, 2])
  expect(keys[1]!.key).toBe(headerKey({ cells: ['号', '名'] }))
})
