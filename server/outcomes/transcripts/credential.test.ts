import { readdirSync, readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../core/base/hashes.ts'
import { canonicalJson } from '../../core/credentials/canonical-json.ts'
import { multikeyOf } from '../../core/credentials/ed25519.ts'
import { apart, unbase58 } from '../../testing/credentials.ts'
import { credentialText, isProven, proofFor, readCredential, substanceOf, transcriptIn } from './credential.ts'

/** The key that signed the papers of `papers/`: its seed is 32 times the byte 7. */
const keys = {
  privateKey: Buffer.alloc(32, 7),
  publicKey: Buffer.from('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c', 'hex'),
}

/**
 * Papers as they were issued on 2026-11-20 (a whole one, an extract full of odd characters, an empty one), by the
 * program as it was then. Papers outlive programs: these files are never made anew, and every later program must find
 * them good.
 */
const papers = readdirSync(`${import.meta.dirname}/papers`).map((name) => ({
  name,
  text: readFileSync(`${import.meta.dirname}/papers/${name}`, 'utf8').trimEnd(),
}))
/** SHA-256 of the signed document, and of what decides whether a new paper is needed. */
const recorded: Record<string, [digest: string, substance: string]> = {
  'whole.txt': [
    'a3b81272338bd56907268cf87e864aefc65b05f9d12b2abf438b98439d9854a1',
    'e757dc686aeee0460d7c894b7e807e8d54ab4f0f366c1c561b76cb971dc310cd',
  ],
  'extract.txt': [
    'e8d39a22252a2647a0511985aeeaa85b1ef94877873f1b6f36a6f496bfcb7158',
    '467659f9daae4ba08944c00a6328d3ee3cfff21f2e2582398f4b9f2d73530ccb',
  ],
  'empty.txt': [
    '7da866ad755c2a7638b7c3cde540c87ba990d3225deb4537f923a510e19e2b34',
    'e655c22649c9692c328bf83dca09c873befca47622dadf14836a045fd7dde1f1',
  ],
}

describe.each(papers)('the paper $name', ({ name, text }) => {
  const { content, proof } = readCredential(text)!
  test('is found good, whatever the order of its fields', () => {
    expect(isProven(content, proof, keys.publicKey)).toBe(true)
    const shuffled = readCredential(JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toReversed())))!
    expect(shuffled.content).toBe(content)
    expect(isProven(shuffled.content, shuffled.proof, keys.publicKey)).toBe(true)
  })
  test('is made of the same bytes today', () => {
    const [digest, substance] = recorded[name]!
    expect(sha256(content).toString('hex')).toBe(digest)
    expect(apart(text).digest).toBe(digest)
    expect(substanceOf(transcriptIn(content)).toString('hex')).toBe(substance)
    expect(credentialText(content, proofFor(content, keys, '2026-11-20 09:31:05'))).toBe(text)
  })
  test.each<[string, object]>([
    ['another time of signing', { created: '2026-11-20T09:31:06+08:00' }],
    ['another signature', { proofValue: proof.proofValue.replace(/.$/, (last) => (last === 'M' ? 'N' : 'M')) }],
    ['a signature cut short', { proofValue: proof.proofValue.slice(0, 40) }],
    ['characters that base58 does not have', { proofValue: `z0OIl${proof.proofValue.slice(5)}` }],
    ['a signature without end', { proofValue: `z${'2'.repeat(1_000_000)}` }],
    ['no signature', { proofValue: 1 }],
    ['half a surrogate pair', { note: '\ud800' }],
    ['fields within fields', { note: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown }],
  ])('is not good with %s', (_, change) =>
    expect(isProven(content, { ...proof, ...change } as typeof proof, keys.publicKey)).toBe(false),
  )
})

// the first, third and fourth are examples of RFC 8785
test.each<[string, object, string]>([
  [
    'keys in order',
    { b: 1, a: { d: [3, { z: null, y: undefined }], c: 'x' } },
    '{"a":{"c":"x","d":[3,{"z":null}]},"b":1}',
  ],
  ['what is empty', [undefined, null, true, [], {}], '[null,null,true,[],{}]'],
  [
    'keys beyond ASCII',
    { '€': 5, '\r': 1, '\ufb33': 7, '1': 2, '\u{1f600}': 6, '\u0080': 3, ö: 4, '10': 'x', '': '' },
    '{"":"","\\r":1,"1":2,"10":"x","\u0080":3,"ö":4,"€":5,"\u{1f600}":6,"\ufb33":7}',
  ],
  [
    'numbers',
    JSON.parse('[0, -0, 1e21, 1e-7, 333333333.33333329, 4.50, 2e-3, 1e-27, 9007199254740993, -1]') as number[],
    '[0,0,1e+21,1e-7,333333333.3333333,4.5,0.002,1e-27,9007199254740992,-1]',
  ],
  [
    'signs',
    ['\u0000\b\f\n\r\t\u001f"\\/\u2028\u2029\u007f𠮷é'],
    '["\\u0000\\b\\f\\n\\r\\t\\u001f\\"\\\\/\u2028\u2029\u007f𠮷é"]',
  ],
])('canonical JSON: %s', (_, value, text) => expect(canonicalJson(value)).toBe(text))

test.each([[[Number.NaN]], [[Infinity]], [['\ud800']], [{ '\udc00': 1 }]])('%j has no canonical form', (value) =>
  expect(() => canonicalJson(value)).toThrow(),
)

test.each([
  ['', ''],
  ['00', '1'],
  ['00000000', '1111'],
  ['61', '2g'],
  ['0000287fb4cd', '11233QC4'],
  ['516b6fcd0f', 'ABnLTmg'],
  ['ff'.repeat(64), '67rpwLCuS5DGA8KGZXKsVQ7dnPb9goRLoKfgGbLfQg9WoLUgNY77E2jT11fem3coV9nAkguBACzrU1iyZM4B8roQ'],
])('base58 of %s', (hex, text) => {
  expect(base58.encode(Buffer.from(hex, 'hex'))).toBe(text)
  expect(Buffer.from(base58.decode(text)).toString('hex')).toBe(hex)
  expect(unbase58(text).toString('hex')).toBe(hex)
})

test('a public key is written as did:key writes it', () =>
  expect(unbase58(multikeyOf(keys.publicKey).slice(1)).toString('hex')).toBe(`ed01${keys.publicKey.toString('hex')}`))
