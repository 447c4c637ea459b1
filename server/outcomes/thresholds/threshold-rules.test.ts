import { describe, expect, test } from 'vitest'
import {
  defaultExpectations,
  forecastAt,
  gapText,
  goalOf,
  levelOf,
  positionOf,
  evaluateStudent,
  type Expectation,
} from './threshold-rules.ts'

const cut = { springStart: '02-15', autumnStart: '08-16' }

describe('where a year is in its studies', () => {
  test.each([
    ['2024', '2024-08-16', 1, 0],
    ['2024', '2024-09-01', 1, 16 / 183],
    ['2024', '2025-01-31', 1, 168 / 183],
    ['2024', '2025-02-14', 1, 182 / 183],
    ['2024', '2025-02-15', 2, 0],
    ['2024', '2025-08-15', 2, 181 / 182],
    ['2024', '2026-11-21', 5, 97 / 183],
    ['2026', '2026-08-15', 0, 181 / 182],
    ['2022', '2026-06-30', 8, 135 / 182],
  ])('%s on %s: term %i, share %d', (grade, day, termNo, share) => {
    const position = positionOf(grade, day, cut)
    expect(position.termNo).toBe(termNo)
    expect(position.share).toBeCloseTo(share, 10)
  })
})

test.each([
  [1600, 0],
  [1599, 1],
  [1200, 1],
  [1199, 2],
  [800, 2],
  [799, 3],
  [0, 3],
  [-100, 3],
])('with %i of lines 1600, 1200, 800 the level is %i', (have, level) =>
  expect(levelOf(have, [1600, 1200, 800])).toBe(level),
)

test.each([
  [1000, 4, { termNo: 3, share: 0 }, 2000],
  [1000, 8, { termNo: 3, share: 0.5 }, 3200],
  [1000, 2, { termNo: 3, share: 0 }, 1000],
  [1000, 1, { termNo: 3, share: 0 }, 1000],
  [100, 8, { termNo: 1, share: 0.01 }, 1600],
  [0, 8, { termNo: 5, share: 0 }, 0],
  [333, 3, { termNo: 2, share: 0 }, 999],
])('%i in term and share become %i by term', (have, term, position, forecast) =>
  expect(forecastAt(have, term, position)).toBe(forecast),
)

describe('checking', () => {
  const total = (checkpointTerm: number, required: number, warn: Expectation['warn']): Expectation => ({
    key: 'total',
    name: '总学时',
    checkpointTerm,
    required,
    warn,
  })
  const virtue = (checkpointTerm: number, required: number, warn: Expectation['warn']): Expectation => ({
    key: 'm1',
    name: '思想成长',
    checkpointTerm,
    required,
    warn,
  })
  const expected = [
    total(4, 3200, [3200, 2400, 1600]),
    total(2, 1600, [1600, 1200, 800]),
    total(8, 6400, [6400, 6400, 6400]),
    virtue(4, 400, [400, 200, 0]),
  ]
  const have = (of: Record<string, number>) => (key: string) => of[key] ?? 0

  test.each([
    ['before any checkpoint nobody is warned', 2, { total: 0 }, null, 0],
    ['a checkpoint counts once its term has ended', 3, { total: 1599, m1: 400 }, null, 1],
    ['reaching it is enough', 3, { total: 1600, m1: 0 }, null, 0],
    ['the worst of all counts', 5, { total: 3200, m1: 150 }, null, 2],
    ['the last checkpoint that has ended counts, not the ones before', 5, { total: 1700, m1: 400 }, null, 2],
    ['no hours in a whole term are severe', 3, { total: 2000, m1: 400 }, 0, 3],
    ['a term brought below nothing is none either', 3, { total: 2000, m1: 400 }, -50, 3],
    ['in the first term there is no term before', 1, { total: 0 }, 0, 0],
    ['after all checkpoints the last one holds', 12, { total: 6399, m1: 400 }, 100, 3],
  ])('%s', (_, termNo, of, recent, level) =>
    expect(evaluateStudent(expected, { termNo, share: 0 }, { term: 8, required: 6400 }, have(of), recent).level).toBe(
      level,
    ),
  )

  test('tells what the next checkpoint needs, what it will be, and the gap at the end', () => {
    expect(
      evaluateStudent(
        expected,
        { termNo: 3, share: 0.5 },
        { term: 8, required: 6400 },
        have({ total: 1500, m1: 450 }),
        300,
      ),
    ).toEqual({
      level: 1,
      gaps: [
        {
          key: 'total',
          name: '总学时',
          level: 1,
          checkpointTerm: 4,
          required: 3200,
          have: 1500,
          gap: 1700,
          forecast: 2400,
        },
      ],
      missing: [],
      totalHave: 1500,
      totalNeed: 3200,
      totalGap: 1700,
      finalGap: 1600,
      zeroTerm: false,
    })
  })
  test('tells missing modules, the worst first', () => {
    const { gaps, missing } = evaluateStudent(
      expected,
      { termNo: 5, share: 0 },
      { term: 8, required: 6400 },
      have({ total: 6400, m1: 100 }),
      null,
    )
    expect(gaps.map(({ key, level, gap }) => [key, level, gap])).toEqual([['m1', 2, 300]])
    expect(missing).toEqual(['m1'])
  })
  test('credibility is no hours and does not grow', () => {
    const line: Expectation = {
      key: 'credibility',
      name: '诚信分',
      checkpointTerm: 8,
      required: 10_000,
      warn: [8000, 6000, 0],
    }
    const { gaps, missing, level } = evaluateStudent(
      [line],
      { termNo: 3, share: 0 },
      null,
      have({ credibility: 7000 }),
      null,
    )
    expect([gaps[0]?.forecast, missing, level]).toEqual([7000, [], 0])
  })

  describe('the gap at graduation, whatever the base values end with', () => {
    const cases: [
      string,
      Expectation[],
      number,
      Partial<{ termNo: number; share: number; total: number }>,
      { need: number; gap: number; final: number },
    ][] = [
      ['base values to the end of the studies', expected, 4, {}, { need: 3200, gap: 1700, final: 2400 }],
      [
        'base values that end at term 2: what the school asks for',
        [total(2, 1600, [1600, 1200, 800])],
        4,
        {},
        { need: 1600, gap: 100, final: 2400 },
      ],
      [
        'base values that end at term 4',
        [total(2, 1600, [0, 0, 0]), total(4, 3200, [0, 0, 0])],
        4,
        {},
        { need: 3200, gap: 1700, final: 2400 },
      ],
      [
        'its own figure for the last term wins over that of the school',
        [total(8, 4800, [0, 0, 0])],
        4,
        {},
        { need: 4800, gap: 3300, final: 800 },
      ],
      ['base values for modules only', [virtue(4, 400, [400, 200, 0])], 4, {}, { need: 6400, gap: 4900, final: 2400 }],
      [
        'three years end at term 6',
        [total(2, 1600, [0, 0, 0]), total(8, 8000, [0, 0, 0])],
        3,
        {},
        { need: 8000, gap: 6500, final: 3400 },
      ],
      ['five years end at term 10', [total(4, 3200, [0, 0, 0])], 5, {}, { need: 3200, gap: 1700, final: 1400 }],
      ['enough already', [total(2, 1600, [0, 0, 0])], 4, { total: 6400 }, { need: 1600, gap: 0, final: 0 }],
      [
        'past the last term nothing grows any more',
        [total(2, 1600, [0, 0, 0])],
        4,
        { termNo: 10, total: 6000 },
        { need: 1600, gap: 0, final: 400 },
      ],
    ]
    test.each(cases)('%s', (_, line, years, { termNo = 4, share = 0, total: own = 1500 }, { need, gap, final }) => {
      const evaluated = evaluateStudent(
        line,
        { termNo, share },
        goalOf(line, years, 6400),
        have({ total: own, m1: 400 }),
        null,
      )
      expect([evaluated.totalNeed, evaluated.totalGap, evaluated.finalGap]).toEqual([need, gap, final])
    })
    test('without a base value of all hours the gap is told and nobody warned', () => {
      expect(
        evaluateStudent(
          [virtue(4, 400, [400, 200, 0])],
          { termNo: 9, share: 0 },
          goalOf([], 4, 6400),
          have({ total: 1000, m1: 400 }),
          null,
        ),
      ).toMatchObject({
        level: 0,
        totalNeed: 6400,
        finalGap: 5400,
        gaps: [{ key: 'total', level: 0, checkpointTerm: 8, gap: 5400 }],
      })
    })
    test('a school that asks for no hours misses none', () =>
      expect(
        evaluateStudent(
          [virtue(4, 400, [0, 0, 0])],
          { termNo: 3, share: 0 },
          goalOf([], 4, 0),
          have({ total: 5 }),
          null,
        ),
      ).toMatchObject({ totalNeed: 0, finalGap: 0 }))
  })
  test('nothing expected is nothing missed', () =>
    expect(evaluateStudent([], { termNo: 5, share: 0 }, null, have({ total: 0 }), null)).toMatchObject({
      level: 0,
      gaps: [],
      totalNeed: 0,
    }))
})

test('the rules of the school: steps year by year, graduation in the last year', () => {
  const rules = {
    warnSteps: [
      { year: 1, hours: 1600, level: '1' },
      { year: 2, hours: 3200, level: '2' },
    ],
    warnFinal: '3',
    totalHours: 6400,
    modules: [
      { lsId: 'm1', lsName: '思想成长', required: true, minHours: 800 },
      { lsId: 'm2', lsName: '技能特长', required: false, minHours: 200 },
    ],
  }
  const level = (years: number, termNo: number, total: number) =>
    evaluateStudent(
      defaultExpectations(rules, years),
      { termNo, share: 0 },
      { term: years * 2, required: 6400 },
      (key) => (key === 'total' ? total : 0),
      null,
    ).level
  expect([
    level(4, 3, 1599),
    level(4, 3, 1600),
    level(4, 5, 3199),
    level(4, 5, 3200),
    level(4, 7, 6399),
    level(4, 7, 6400),
    level(4, 9, 6399),
  ]).toEqual([1, 0, 2, 0, 3, 0, 3])
  // three years: the second year already leads into the last one
  expect([level(3, 3, 1599), level(3, 5, 6399), level(3, 5, 6400)]).toEqual([1, 3, 0])
  // modules are told as missing and not warned of
  expect(
    evaluateStudent(
      defaultExpectations(rules, 4),
      { termNo: 9, share: 0 },
      { term: 8, required: 6400 },
      (key) => (key === 'total' ? 6400 : 0),
      null,
    ),
  ).toMatchObject({ level: 0, missing: ['m1'] })
})

test.each([
  [
    [
      { name: '总学时', gap: '12.5' },
      { name: '志愿公益', gap: '4' },
    ],
    false,
    '总学时还差 12.5，志愿公益还差 4',
  ],
  [[{ name: '总学时', gap: '0' }], true, '上学期没有获得学时'],
  [[], false, '目前没有缺口'],
])('%j is told as a sentence', (gaps, zeroTerm, words) => expect(gapText(gaps, zeroTerm)).toBe(words))
