import { describe, expect, test } from 'vitest'
import { settings } from '../../../contract/school/school/settings.ts'
import { circleParts, lessonParts, livelinessFormula } from '../../../contract/outcomes/statistics/liveliness.ts'
import { byLiveliness, circleWeights, lessonWeights, type Measured } from './liveliness.ts'

const values = Object.fromEntries(
  Object.entries(settings).map(([key, { default: value }]) => [key, value]),
) as unknown as Parameters<typeof circleWeights>[0]
const nothing = { count: 0, signed: 0, passed: 0, stars: 0, starTimes: 0 }
const rows = (...given: (Partial<Measured> & { id: string })[]) => given.map((one) => ({ ...nothing, ...one }))
const ranked = (given: ReturnType<typeof rows>, weights = lessonWeights(values)) =>
  byLiveliness(given, weights, ({ id }) => id).map(({ id, rank, score }) => [id, rank, score])

describe('scores', () => {
  test('of a hundred points for whoever is first in everything', () => {
    expect(ranked(rows({ id: 'a', count: 4, signed: 20, passed: 20, stars: 50, starTimes: 10 }))).toEqual([
      ['a', 1, 100],
    ])
  })

  test('amounts are measured by the largest, rates by what is possible', () => {
    expect(
      ranked(
        rows(
          { id: 'a', count: 4, signed: 10, passed: 20, stars: 8, starTimes: 2 },
          { id: 'b', count: 2, signed: 40, passed: 40 },
        ),
      ),
    ).toEqual([
      ['b', 1, 30 / 2 + 40 + 20],
      ['a', 2, 30 + 40 / 4 + 20 / 2 + 8],
    ])
  })

  test('nothing at all is no point and no fault', () => {
    expect(ranked(rows({ id: 'a' }))).toEqual([['a', 1, 0]])
    expect(ranked([])).toEqual([])
  })

  test('who has as many points shares the rank, and the next comes after both', () => {
    const same = { count: 1, signed: 5, passed: 5 }
    expect(
      ranked(rows({ id: 'c', ...same, passed: 10 }, { id: 'b', ...same }, { id: 'a', ...same })).map(([id, rank]) => [
        id,
        rank,
      ]),
    ).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
    ])
  })

  test('the parts add up to the score', () => {
    for (const { score, parts } of byLiveliness(
      rows(
        { id: 'a', count: 3, signed: 7, passed: 9, stars: 11, starTimes: 3, members: 30, membersSigned: 7 },
        { id: 'b', count: 7, signed: 5, passed: 9, members: 4, membersSigned: 3 },
      ),
      circleWeights(values),
      ({ id }) => id,
    )) {
      expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBeCloseTo(score, 1)
    }
  })
})

describe('the weights of the school decide', () => {
  const [many, full, liked, own] = [
    { id: '多', count: 10, signed: 10, passed: 40, members: 10 },
    { id: '满', count: 1, signed: 30, passed: 30, members: 10 },
    { id: '好', count: 1, signed: 1, passed: 10, stars: 5, starTimes: 1, members: 10 },
    { id: '己', count: 1, signed: 4, passed: 20, members: 10, membersSigned: 4 },
  ]
  const only = (key: string) => ({ count: 0, people: 0, sign: 0, rating: 0, members: 0, [key]: 100 })
  test.each([
    ['count', '多'],
    ['people', '满'],
    ['sign', '满'],
    ['rating', '好'],
    ['members', '己'],
  ])('all for %s: %s is first', (key, first) => {
    expect(ranked(rows(many, full, liked, own), only(key))[0]).toEqual([first, 1, key === 'members' ? 40 : 100])
  })
})

test('the formula names every part with its weight', () => {
  expect(
    livelinessFormula(circleParts, circleWeights({ ...values, circleByCount: 20, circleByMembers: 20 })),
  ).toContain('活跃度 = 活动数 × 20% + 参与人次 × 30% + 签到率 × 20% + 评分 × 10% + 成员参与 × 20%；活动数与')
  expect(livelinessFormula(lessonParts)).toContain('活跃度 = 场次 + 参与人次 + 签到率 + 评分；')
})
