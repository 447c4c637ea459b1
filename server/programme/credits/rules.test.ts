import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { creditType, partakeMode, resultStatus } from '../../../contract/core/codes/programme.ts'
import { entitlementOf, entriesFor, type Rated } from './rules.ts'

const rule = {
  versionNo: 3,
  hourCap: 400,
  credit: 20,
  points: 100,
  modeRules: [{ partakeMode: partakeMode.organiser, factor: 150 }],
  awardRules: [{ adName: '一等奖', hours: 100, credit: 10, points: 50 }],
  abilityRules: [
    { sqlId: 'a', weight: 60 },
    { sqlId: 'b', weight: 40 },
  ],
  teamRules: [{ size: 3, ratios: [60, 30, 20] }],
  bestOnlyGroup: '',
  yearCap: null,
}
const rated = (more: Partial<Rated> = {}): Rated => ({
  declaredHours: 200,
  rule,
  levelName: '院（系）级',
  levelFactor: 80,
  partakeMode: partakeMode.participant,
  laResult: resultStatus.passed,
  award: null,
  volunteer: false,
  ...more,
})
const first = { adName: '一等奖', hours: 999, credit: 999, points: 999 }
const second = { adName: '二等奖', hours: 30, credit: 5, points: 10 }

describe('what a participation is worth', () => {
  const cases: [string, Partial<Rated>, [number, number, number]][] = [
    ['a participant', {}, [200, 20, 80]],
    ['an organiser counts 1.5 times', { partakeMode: partakeMode.organiser }, [300, 30, 120]],
    ['not passed', { laResult: resultStatus.failed }, [0, 0, 0]],
    ['not rated', { laResult: resultStatus.unrated }, [0, 0, 0]],
    ['an award that the rule knows', { laResult: resultStatus.awarded, award: first }, [300, 30, 130]],
    ['an award that only the template knows', { laResult: resultStatus.awarded, award: second }, [230, 25, 90]],
    ['an award without the result for it', { award: second }, [200, 20, 80]],
    [
      'the cap holds for all of it',
      { declaredHours: 350, partakeMode: partakeMode.organiser, laResult: resultStatus.awarded, award: first },
      [400, 40, 170],
    ],
    ['without a rule the declared hours count', { rule: null, declaredHours: 150 }, [150, 0, 0]],
    ['without a rule an award still adds', { rule: null, laResult: resultStatus.awarded, award: second }, [230, 5, 10]],
    ['a team shares by rank', { team: { size: 3, rank: 2 } }, [60, 6, 24]],
    [
      'a team shares its award too',
      { team: { size: 3, rank: 1 }, laResult: resultStatus.awarded, award: first },
      [180, 18, 78],
    ],
    ['a size the rule does not name shares nothing', { team: { size: 4, rank: 2 } }, [200, 20, 80]],
    [
      'a day counts for so much after factors',
      { dayCap: { perDay: 250, days: 1 }, partakeMode: partakeMode.organiser },
      [250, 30, 120],
    ],
    [
      'as many days, as often that',
      { dayCap: { perDay: 250, days: 2 }, partakeMode: partakeMode.organiser },
      [300, 30, 120],
    ],
    ['halves are rounded to hundredths', { declaredHours: 33, partakeMode: partakeMode.organiser }, [50, 30, 120]],
  ]
  test.each(cases)('%s', (_, more, [hours, credit, points]) =>
    expect(entitlementOf(rated(more))).toEqual({ hours, credit, points }),
  )
})

describe('ledger entries', () => {
  test('say how they came about', () => {
    const texts = entriesFor(
      rated({ declaredHours: 350, partakeMode: partakeMode.organiser, laResult: resultStatus.awarded, award: first }),
    ).map(({ explain }) => explain.text)
    expect(texts).toEqual([
      '基础 3.5 学时 × 组织者系数 1.5 ＋ 一等奖 1，超过上限，按 4 计 ＝ 4 学时（评价规则第 3 版，院（系）级）',
      '基础 0.2 学分 × 组织者系数 1.5 ＋ 一等奖 0.1 ＝ 0.4 学分（评价规则第 3 版，院（系）级）',
      '基础 1 积分 × 院（系）级系数 0.8 × 组织者系数 1.5 ＋ 一等奖 0.5 ＝ 1.7 积分（评价规则第 3 版，院（系）级）',
      '所获 4 学时按 60% 计入该能力 ＝ 2.4',
      '所获 4 学时按 40% 计入该能力 ＝ 1.6',
    ])
  })
  test('a sum that a team shares stands in brackets; a day that is full says so', () => {
    const [hours] = entriesFor(
      rated({
        team: { size: 3, rank: 1 },
        laResult: resultStatus.awarded,
        award: first,
        dayCap: { perDay: 170, days: 1 },
      }),
    )
    expect(hours!.explain.text).toBe(
      '（基础 2 学时 ＋ 一等奖 1）× 3 人团队第 1 位 0.6，超过每天最多 1.7 学时（共 1 天），按 1.7 计 ＝ 1.7 学时（评价规则第 3 版，院（系）级）',
    )
    expect(entriesFor(rated({ team: { size: 3, rank: 1 } }))[0]!.explain.text).toMatch(
      /^基础 2 学时 × 3 人团队第 1 位 0.6 ＝ 1.2 学时/,
    )
  })
  test('volunteer hours are the hours once more', () => {
    expect(entriesFor(rated({ volunteer: true })).map(({ clType, value }) => [clType, value])).toEqual([
      [creditType.hours, 200],
      [creditType.credit, 20],
      [creditType.points, 80],
      [creditType.volunteerHours, 200],
      [creditType.ability, 120],
      [creditType.ability, 80],
    ])
  })
  test('nothing is written for zero', () =>
    expect(entriesFor(rated({ rule: null })).map(({ clType }) => clType)).toEqual([creditType.hours]))
  test('the approved result stands, whatever the templates say by now', () => {
    const entries = entriesFor(rated(), { hours: 150, credit: 20, points: 0 })
    expect(entries.map(({ clType, value }) => [clType, value])).toEqual([
      [creditType.hours, 150],
      [creditType.credit, 20],
      [creditType.ability, 90],
      [creditType.ability, 60],
    ])
    expect(entries[0]!.explain.text).toBe('按审批通过的结果计 1.5 学时')
  })
  test('an award may count more for the abilities of its holder, and says so', () => {
    const entries = entriesFor(
      rated({ laResult: resultStatus.awarded, award: { ...first, abilityFactor: 150 } }),
    ).filter(({ clType }) => clType === creditType.ability)
    // 2 hours and 1 of the award's: 3 x 1.5
    expect(entries.map(({ value }) => value)).toEqual([270, 180])
    expect(entries[0]!.explain).toMatchObject({
      factor: 150,
      text: '所获 3 学时 × 一等奖能力系数 1.5，按 60% 计入该能力 ＝ 2.7',
    })
    expect(
      entriesFor(rated({ laResult: resultStatus.passed, award: { ...first, abilityFactor: 150 } }))
        .filter(({ clType }) => clType === creditType.ability)
        .map(({ value }) => value),
    ).toEqual([120, 80])
  })
  test('abilities share out the hours to the last hundredth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 }),
        (declaredHours, weights) => {
          const abilityRules = weights.map((weight, at) => ({ sqlId: String(at), weight }))
          const entries = entriesFor(rated({ declaredHours, rule: { ...rule, hourCap: null, abilityRules } }))
          const sum = entries
            .filter(({ clType }) => clType === creditType.ability)
            .reduce((total, { value }) => total + value, 0)
          expect(sum).toBe(declaredHours)
          expect(entries.every(({ value }) => Number.isInteger(value) && value > 0)).toBe(true)
        },
      ),
    )
  })
})

describe('what the student has already', () => {
  const best = (hours: number, credit = 0, points = 0) => ({
    best: { group: '英语', had: { hours, credit, points } },
    rooms: [],
  })
  const room = (...left: number[]) => ({
    rooms: left.map((hours, at) => ({ name: ['本学期', '本学年'][at]!, left: hours })),
  })
  const cases: [string, Parameters<typeof entriesFor>[2], [string, number][], string][] = [
    [
      'nothing yet in the group',
      best(0),
      [
        ['1', 200],
        ['2', 20],
        ['3', 80],
        ['5', 120],
        ['5', 80],
      ],
      '基础 2 学时 ＝ 2 学时（评价规则第 3 版，院（系）级）',
    ],
    [
      'less in the group: the difference',
      best(150, 20, 90),
      [
        ['1', 50],
        ['2', 0],
        ['3', 0],
        ['5', 30],
        ['5', 20],
      ],
      '基础 2 学时 ＝ 2 学时（评价规则第 3 版，院（系）级）；“英语”就高，已计 1.5，补差 0.5 学时',
    ],
    [
      'more in the group: nothing, which is told',
      best(300, 30, 100),
      [
        ['1', 0],
        ['2', 0],
        ['3', 0],
      ],
      '基础 2 学时 ＝ 2 学时（评价规则第 3 版，院（系）级）；“英语”就高，已计 3，补差 0 学时',
    ],
    [
      'room enough',
      room(900, 200),
      [
        ['1', 200],
        ['2', 20],
        ['3', 80],
        ['5', 120],
        ['5', 80],
      ],
      '基础 2 学时 ＝ 2 学时（评价规则第 3 版，院（系）级）',
    ],
    [
      'the least room counts',
      room(150, 50),
      [
        ['1', 50],
        ['2', 20],
        ['3', 80],
        ['5', 30],
        ['5', 20],
      ],
      '基础 2 学时 ＝ 2 学时（评价规则第 3 版，院（系）级）；本学期还可计 1.5，按 1.5 学时计；本学年还可计 0.5，按 0.5 学时计',
    ],
    [
      'a cap that is passed already',
      room(-100),
      [
        ['1', 0],
        ['2', 20],
        ['3', 80],
      ],
      '基础 2 学时 ＝ 2 学时（评价规则第 3 版，院（系）级）；本学期还可计 0，按 0 学时计',
    ],
  ]
  test.each(cases)('%s', (_, limits, values, text) => {
    const entries = entriesFor(rated(), undefined, limits)
    expect(entries.map(({ clType, value }) => [clType, value])).toEqual(values)
    expect(entries[0]!.explain.text).toBe(text)
    expect(entries[0]!.explain.bestGroup).toBe(limits?.best?.group)
  })
  test.each([
    ['credit only', { had: best(0, 20), values: [200, 0, 80], cut: [creditType.credit] }],
    ['credit in part', { had: best(0, 15), values: [200, 5, 80], cut: [creditType.credit] }],
    ['points only', { had: best(0, 0, 90), values: [200, 20, 0], cut: [creditType.points] }],
    [
      'credit and points',
      { had: best(100, 20, 80), values: [100, 0, 0], cut: [creditType.hours, creditType.credit, creditType.points] },
    ],
    ['none of it', { had: best(0), values: [200, 20, 80], cut: [] }],
  ])('what a group brings to nothing stays and is marked, to be found again: %s', (_, { had, values, cut }) => {
    const entries = entriesFor(rated(), undefined, had).filter(({ clType }) => clType !== creditType.ability)
    expect(entries.map(({ value }) => value)).toEqual(values)
    expect(entries.filter(({ explain }) => explain.limited).map(({ clType }) => clType)).toEqual(cut)
  })
  test('volunteer hours are cut with the hours', () => {
    expect(
      entriesFor(rated({ volunteer: true }), undefined, room(50)).filter(
        ({ clType }) => clType === creditType.volunteerHours,
      )[0],
    ).toMatchObject({ value: 50 })
  })
  test('in any order the best of a group is what counts in the end', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 8 }), (hours) => {
        let had = 0
        for (const declaredHours of hours)
          had += entriesFor(rated({ declaredHours, rule: { ...rule, hourCap: null } }), undefined, best(had)).find(
            ({ clType }) => clType === creditType.hours,
          )!.value
        expect(had).toBe(Math.max(...hours))
      }),
    )
  })
})
