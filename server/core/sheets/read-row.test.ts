import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { trySheet } from './fixtures/round-trip.ts'
import { readDay, readMoment, readRow, normalizeText } from './read-row.ts'

test.each([
  ['2008-03-04', '2008-03-04'],
  ['2008/3/4', '2008-03-04'],
  ['2008.3.4', '2008-03-04'],
  ['20080304', '2008-03-04'],
  ['2008年3月4日', '2008-03-04'],
  ['2008年 3月 4号', '2008-03-04'],
  ['２００８－０３－０４', '2008-03-04'],
  ['2008-03-04 00:00:00', '2008-03-04'],
  ['2008-02-30', null],
  ['1899-12-31', null],
  ['2008-13-01', null],
  ['08-3-4', null],
  ['infinity', null],
  ['2008-03-04 08:00', null],
])('day %s', (text, day) => expect(readDay(text)).toBe(day))

test.each([
  ['2026-05-06 07:08', '2026-05-06 07:08:00'],
  ['2026/5/6 7:08:09', '2026-05-06 07:08:09'],
  ['2026年5月6日 07:08', '2026-05-06 07:08:00'],
  ['2026-05-06T07:08:09', '2026-05-06 07:08:09'],
  ['2026-05-06', '2026-05-06 00:00:00'],
  ['2026-05-06 24:00', null],
  ['07:08', null],
])('moment %s', (text, moment) => expect(readMoment(text)).toBe(moment))

test.each([
  ['　Ａ１２ ', 'A12'],
  ['\u200b张三\ufeff', '张三'],
  ['计算机（中外合作）', '计算机（中外合作）'],
  ['无', ''],
  [' NULL', ''],
  ['无锡', '无锡'],
  ['0012', '0012'],
])('tidy %j', (text, clean) => expect(normalizeText(text)).toBe(clean))

describe('rows', () => {
  const base = { suiNumber: '01', suiName: '甲' }
  const faultOf = (texts: Record<string, string>) =>
    readRow(trySheet, texts).faults.map(({ key, msg }) => `${key}:${msg}`)

  test('a whole row', () => {
    expect(
      readRow(trySheet, {
        ...base,
        suiSex: '女',
        birth: '20050304',
        suiStudyYears: '４.0',
        lisHours: '2.5',
        signTime: '',
      }),
    ).toEqual({
      row: { ...base, suiSex: '女', birth: '2005-03-04', suiStudyYears: 4, lisHours: 250, signTime: '' },
      faults: [],
    })
  })

  test.each([
    [{ suiName: '甲' }, 'suiNumber:学号不能为空'],
    [{ ...base, suiName: '无' }, 'suiName:姓名不能为空'],
    [{ ...base, suiNumber: '1'.repeat(21) }, 'suiNumber:学号不能超过 20 个字'],
    [{ ...base, suiSex: '公' }, 'suiSex:性别“公”不在可选范围内：男、女'],
    [{ ...base, birth: '昨天' }, 'birth:出生日期“昨天”不是有效日期'],
    [{ ...base, suiStudyYears: '9' }, 'suiStudyYears:学制须为 1 至 8 的整数'],
    [{ ...base, suiStudyYears: '4.5' }, 'suiStudyYears:学制须为 1 至 8 的整数'],
    [{ ...base, lisHours: '0.001' }, 'lisHours:学时须为 0 至 100 之间、最多两位小数的数'],
    [{ ...base, lisHours: 'NaN' }, 'lisHours:学时须为 0 至 100 之间、最多两位小数的数'],
  ])('fault %#', (texts, fault) => expect(faultOf(texts)).toEqual([fault]))

  test('all faults of a row are told, and marks win over what the cell says', () => {
    const { faults, row } = readRow(trySheet, { suiNumber: '2', suiSex: 'x' }, { suiNumber: 'formula' })
    expect(faults.map((fault) => fault.key)).toEqual(['suiNumber', 'suiName', 'suiSex'])
    expect(row.suiNumber).toBe('')
  })

  test('any texts give a row of the right types, never an error', () => {
    const keys = trySheet.columns.map((column) => column.key)
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.string({ unit: 'binary' })), (texts) => {
        const { row } = readRow(trySheet, texts)
        expect(Object.keys(row)).toEqual(keys)
        expect([null, ...(Number.isInteger(row.lisHours) ? [row.lisHours] : [])]).toContain(row.lisHours)
        expect(row.birth).toMatch(/^(\d{4}-\d\d-\d\d)?$/)
      }),
    )
  })
})
