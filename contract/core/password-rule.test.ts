import { describe, expect, test } from 'vitest'
import { passwordFault } from '../../server/core/secrets/passwords.ts'
import { newPasswordFault } from '../../web/app/password-rule.ts'
import { passwordRule, type PasswordProfile } from './password-rule.ts'

const both = ['dengbao', 'asvs'] as const
const dengbaoOnly = ['dengbao'] as const
const neither = [] as const

/** A password, and the profiles under which its look is refused. */
const cases: [what: string, password: string, refusedUnder: readonly PasswordProfile[]][] = [
  ['seven characters of four classes', 'Xy7!kqz', both],
  ['eight characters of four classes', 'Xy7!kqzw', neither],
  ['three classes: no symbol', 'Xy7ukqzw', neither],
  ['three classes: no digit', 'Xyu!kqzw', neither],
  ['three classes: no capital', 'xy7!kqzw', neither],
  ['three classes: no small letter', 'XY7!KQZW', neither],
  ['two classes: letters', 'Xyukqzwv', dengbaoOnly],
  ['two classes: small letters and digits', 'xy7ukqzw', dengbaoOnly],
  ['one class: a phrase of Chinese characters', '春天来了花开满园', dengbaoOnly],
  ['21 characters', 'Xy7!kqzwvXy7!kqzwvXy7', neither],
  ['128 characters', 'Xy7!'.repeat(32), neither],
  ['129 characters', `${'Xy7!'.repeat(32)}k`, both],
  ['128 characters, most of them outside the first plane', `${'😀'.repeat(125)}Xy7`, neither],
  ['seven characters outside the first plane', '😀😁😂😃😄😅😆', both],
]

describe.each(both)('under %s', (profile) => {
  test.each(cases)('%s: service and console agree', (_, password, refusedUnder) => {
    const fault = refusedUnder.includes(profile) ? `密码须 ${passwordRule(profile)}` : undefined
    expect(newPasswordFault(password, profile)).toBe(fault)
    expect(passwordFault(password, profile, [])?.msg).toBe(fault)
  })
})

test('the rule as people read it', () => {
  expect(passwordRule('dengbao')).toBe('8–128 位，至少含大写字母、小写字母、数字、符号中的三类')
  expect(passwordRule('asvs')).toBe('8–128 位')
})

test('the console asks for a password that is missing', () => {
  expect(newPasswordFault('', 'dengbao')).toBe('请输入新密码')
})
