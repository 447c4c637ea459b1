import { expect, test } from 'vitest'
import { idDocument, personSex } from '../../core/codes/school.ts'
import { idCardFault, readIdCard } from './id-card.ts'

test.each([
  ['11010519491231002X', { birth: '1949-12-31', sex: personSex.female }],
  ['11010519491231002x', { birth: '1949-12-31', sex: personSex.female }],
  ['110105194912310021', null],
  ['11010519490229002X', null],
  ['110105491231002', null],
  ['01010519491231002X', null],
  ['', null],
])('an identity number %s says %o', (number, facts) => {
  expect(readIdCard(number)).toEqual(facts)
})

test.each([
  [{ suiIdCard: '11010519491231002X', birth: '1949-12-31', suiSex: personSex.female }, null],
  [{ suiIdCard: '11010519491231002X', suiSex: personSex.unknown }, null],
  [{ suiIdCard: '11010519491231002X', birth: '1949-12-30' }, '身份证号与出生日期不一致'],
  [{ suiIdCard: '11010519491231002X', suiSex: personSex.male }, '身份证号与性别不一致'],
  [{ suiIdCard: 'E12345678', suiIdType: idDocument.passport, birth: '2000-01-01' }, null],
  [{ suiIdCard: 'E12345678' }, '身份证号不正确，请核对位数与校验位'],
  [{ birth: '2000-01-01' }, null],
  [{ suiIdCard: '110***********002X', birth: '2000-01-01' }, null],
  [{ suiIdCard: '11010519491231002X', birth: '****-**-**' }, null],
])('papers %o are judged %s', (facts, fault) => {
  expect(idCardFault(facts)).toBe(fault)
})
