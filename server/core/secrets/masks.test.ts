import { expect, test } from 'vitest'
import { networkOf } from '../base/address.ts'
import { maskedAddress, maskedContact, maskedEmail, maskedName, maskedNumber } from './masks.ts'

test.each<[(plain: string) => string, string, string]>([
  [maskedName, '张三', '张*'],
  [maskedName, '王小明', '王*明'],
  [maskedName, '欧阳小明', '欧**明'],
  [maskedName, '买买提·艾力', '买****力'],
  [maskedName, '𠮷', '*'],
  [maskedName, '', '*'],
  [maskedNumber, '2023010123', '******0123'],
  [maskedNumber, '12345', '**345'],
  [maskedNumber, '1234', '**34'],
  [maskedNumber, '12', '**'],
  [maskedNumber, '', ''],
  [maskedContact, '13812345678', '138****5678'],
  [maskedContact, '11010519491231002X', '110***********002X'],
  [maskedContact, '1234567', '*******'],
  [maskedEmail, 'wang@example.edu.cn', 'w***@example.edu.cn'],
  [maskedAddress, '10.1.2.3', '10.1.*.*'],
  [maskedAddress, '::ffff:10.1.2.3', '10.1.*.*'],
  [maskedAddress, '::ffff:a01:203', '10.1.*.*'],
  [maskedAddress, '2001:db8:0:1::5', '2001:db8:0::*'],
  [maskedAddress, '2001:DB8::1', '2001:db8:0::*'],
  [maskedAddress, '', ''],
])('%o of %s is %s', (mask, plain, shown) => expect(mask(plain)).toBe(shown))

test('a network is written in one way, however its addresses are', () => {
  expect(
    new Set(['2001:db8::1', '2001:0db8:0:0:9::', '2001:DB8:0:0:1:2:3:4'].map((address) => networkOf(address))),
  ).toEqual(new Set(['2001:db8:0:0::']))
  expect(networkOf('::1')).toBe('0:0:0:0::')
  // IPv4 written as IPv6 is that IPv4 address, and not one network with all the others
  expect(['::ffff:10.1.2.3', '::ffff:a01:203', '::ffff:a01:204'].map((address) => networkOf(address))).toEqual([
    '10.1.2.3',
    '10.1.2.3',
    '10.1.2.4',
  ])
  expect([networkOf('10.1.2.3'), networkOf('10.1.2.3', 3)]).toEqual(['10.1.2.3', '10.1.2'])
})
