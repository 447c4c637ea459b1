import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertFrom, convertMode, convertTo, rounding } from '../../../contract/core/codes/rules.ts'
import { convert, ruleText, type ConversionRule } from './convert.ts'

const rule = (more: Partial<ConversionRule> = {}): ConversionRule => ({
  fromType: convertFrom.hours,
  toType: convertTo.credit,
  mode: convertMode.linear,
  ratio: 5,
  segments: [],
  rounding: rounding.nearest,
  decimals: 2,
  cap: null,
  ...more,
})
const marks = [
  { min: 3000, value: 8000 },
  { min: 4000, value: 9000 },
  { min: 5000, value: 10_000 },
]
const falling = [
  { min: 0, value: 10 },
  { min: 2000, value: 5 },
]

test.each([
  ['linear', rule(), 3200, 160, '32 学时：× 0.05 ＝ 1.6 学分'],
  ['linear, half up', rule({ decimals: 0, ratio: 25 }), 1000, 300, '10 学时：× 0.25 ＝ 3 学分'],
  [
    'linear, down',
    rule({ decimals: 0, ratio: 25, rounding: rounding.down }),
    1199,
    200,
    '11.99 学时：× 0.25 ＝ 2 学分',
  ],
  ['linear, up', rule({ decimals: 1, ratio: 25, rounding: rounding.up }), 1001, 260, '10.01 学时：× 0.25 ＝ 2.6 学分'],
  ['linear, capped', rule({ cap: 200 }), 10_000, 200, '100 学时：× 0.05，超过上限，按 2 计 ＝ 2 学分'],
  [
    'by segments',
    rule({ mode: convertMode.bands, segments: falling }),
    3000,
    250,
    '30 学时：20 × 0.1 ＋ 10 × 0.05 ＝ 2.5 学分',
  ],
  [
    'by segments, within the first',
    rule({ mode: convertMode.bands, segments: falling }),
    500,
    50,
    '5 学时：5 × 0.1 ＝ 0.5 学分',
  ],
  [
    'by segments, before the first',
    rule({ mode: convertMode.bands, segments: [{ min: 1000, value: 10 }] }),
    1000,
    0,
    '10 学时：未达到起点 ＝ 0 学分',
  ],
  [
    'by table, at the edge',
    rule({ mode: convertMode.lookup, toType: convertTo.mark, segments: marks }),
    4000,
    9000,
    '40 学时：达到 40 ＝ 90 成绩',
  ],
  [
    'by table, just below',
    rule({ mode: convertMode.lookup, toType: convertTo.mark, segments: marks }),
    3999,
    8000,
    '39.99 学时：达到 30 ＝ 80 成绩',
  ],
  [
    'by table, not reached',
    rule({ mode: convertMode.lookup, toType: convertTo.mark, segments: marks }),
    2999,
    0,
    '29.99 学时：未达到起点 ＝ 0 成绩',
  ],
  [
    'stars end at five',
    rule({ toType: convertTo.stars, ratio: 100, decimals: 0 }),
    900,
    500,
    '9 学时：× 1，超过上限，按 5 计 ＝ 5 星级',
  ],
  ['what was taken back counts as nothing', rule(), -300, 0, '0 学时：× 0.05 ＝ 0 学分'],
])('%s', (_, one, amount, value, explain) => expect(convert(one, amount)).toEqual({ value, explain }))

const anyRule = fc.record({
  fromType: fc.constantFrom(convertFrom.hours, convertFrom.credit, convertFrom.points, convertFrom.volunteerHours),
  toType: fc.constantFrom(convertTo.credit, convertTo.mark, convertTo.stars),
  mode: fc.constantFrom(convertMode.linear, convertMode.bands, convertMode.lookup),
  ratio: fc.nat(100_000),
  rounding: fc.constantFrom(rounding.nearest, rounding.down, rounding.up),
  decimals: fc.nat(2),
  cap: fc.option(fc.nat(1_000_000)),
  segments: fc
    .uniqueArray(fc.record({ min: fc.nat(500_000), value: fc.nat(10_000) }), {
      selector: ({ min }) => min,
      minLength: 1,
      maxLength: 8,
    })
    .map((rows) => rows.toSorted((a, b) => a.min - b.min)),
})

test('more never becomes less, where the rows of a table rise', () => {
  fc.assert(
    fc.property(anyRule, fc.nat(1_000_000), fc.nat(1_000_000), (one, a, b) => {
      const rising = {
        ...one,
        segments:
          one.mode === convertMode.lookup
            ? one.segments.map(({ min }, at) => ({ min, value: at * 100 }))
            : one.segments,
      }
      expect(convert(rising, Math.max(a, b)).value).toBeGreaterThanOrEqual(convert(rising, Math.min(a, b)).value)
    }),
  )
})
test('a result is whole hundredths with no more decimals than asked, and within its limits', () => {
  fc.assert(
    fc.property(anyRule, fc.nat(1_000_000), (one, amount) => {
      const { value } = convert(one, amount)
      expect(Number.isInteger(value)).toBe(true)
      if (one.cap === null) expect(value % 10 ** (2 - one.decimals)).toBe(0)
      expect(value).toBeLessThanOrEqual(
        Math.min(
          one.cap ?? Infinity,
          one.toType === convertTo.stars ? 500 : one.toType === convertTo.mark ? 10_000 : Infinity,
        ),
      )
    }),
  )
})

test.each([
  [rule({ cap: 200 }), '学时 × 0.05 → 学分，最高 2'],
  [
    rule({ mode: convertMode.lookup, toType: convertTo.mark, segments: marks }),
    '学时：≥30 为 80，≥40 为 90，≥50 为 100 → 成绩',
  ],
  [rule({ mode: convertMode.bands, segments: falling }), '学时：0 起 × 0.1，20 起 × 0.05 → 学分'],
])('a rule in words', (one, text) => expect(ruleText(one)).toBe(text))
