import { expect, test } from 'vitest'
import { idCardFault, readIdCard } from './id-card.ts'

test.each([
  ['11010519491231002X', { birth: '1949-12-31', sex: '2' }],
  ['11010519491231002x', { birth: '1949-12-31', sex: '2' }],
  ['110105194912310021', null],
  ['11010519490229002X', null],
  ['110105491231002', null],
  ['01010519491231002X', null],
  ['', null],
])('an identity number %s says %o', (number, facts) => {
  expect(readIdCard(number)).toEqual(facts)
})

test.each([
  [{ suiIdCard: '11010519491231002X', birth: '1949-12-31', suiSex: '2' }, null],
  [{ suiIdCard: '11010519491231002X', suiSex: '0' }, null],
  [{ suiIdCard: '11010519491231002X', birth: '1949-12-30' }, '身份证号与出生日期不一致'],
  [{ suiIdCard: '11010519491231002X', suiSex: '1' }, '身份证号与性别不一致'],
  [{ suiIdCard: 'E12345678', suiIdType: '2', birth: '2000-01-01' }, null],
  [{ suiIdCard: 'E12345678' }, '身份证号不正确，请核对位数与校验位'],
  [{ birth: '2000-01-01' }, null],
  [{ suiIdCard: '110***********002X', birth: '2000-01-01' }, null],
  [{ suiIdCard: '11010519491231002X', birth: '****-**-**' }, null],
])('papers %o are judged %s', (facts, fault) => {
  expect(idCardFault(facts)).toBe(fault)
})
