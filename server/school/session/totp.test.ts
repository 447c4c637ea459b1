import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { addSeconds, epochOf } from '../../core/base/clock.ts'
import { foldCode, isTotp, keyAddress, newRecoveryCodes, newSecret, stepOf } from './totp.ts'

/** The secret of RFC 6238's test vectors, in Base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [2000000000, '279037'],
]
test.each(vectors)('at %i seconds the code of RFC 6238 is %s', (seconds, code) => {
  const now = addSeconds('1970-01-01 08:00:00', seconds)
  expect(stepOf(secret, code, now)).toBe(Math.floor(seconds / 30))
})

const now = '2026-11-23 23:59:45'
const distances: [seconds: number, isTaken: boolean][] = [
  [-75, false],
  [-46, false],
  [-45, true],
  [-15, true],
  [0, true],
  [14, true],
  [15, true],
  [44, true],
  [45, false],
]
test.each(distances)('a code of %i seconds from now: taken %s', (seconds, isTaken) => {
  const code = generateSync({ secret, epoch: epochOf(now) / 1000 + seconds })
  expect(stepOf(secret, code, now) !== undefined).toBe(isTaken)
})

test('what is no code of six digits belongs to no step', () => {
  for (const given of ['', '12345', '1234567', 'abcdef', '12 345']) expect(stepOf(secret, given, now)).toBeUndefined()
})

test('codes are compared without blanks, dashes, width and case', () => {
  expect(foldCode(' ０１２ 345 ')).toBe('012345')
  expect(isTotp(foldCode('012-345'))).toBe(true)
  expect(foldCode('ab3de-fghjk')).toBe('AB3DEFGHJK')
})

test('a secret has 160 bits, ten recovery codes differ and are none of an authenticator', () => {
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(newSecret())
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(isTotp(foldCode(code))).toBe(false)
  }
})

test('an authenticator is told whose secret it is and where it belongs', () => {
  const address = new URL(keyAddress(secret, 'T001', '演示大学'))
  expect(address.protocol).toBe('otpauth:')
  expect(decodeURIComponent(address.pathname)).toContain('演示大学:T001')
  expect(address.searchParams.get('secret')).toBe(secret)
  expect(address.searchParams.get('issuer')).toBe('演示大学')
})
