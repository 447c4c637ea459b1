import { describe, expect, test } from 'vitest'
import { adviceFor, levelOf, type ShownAbility } from './advice.ts'

test.each([
  ['0', '10', 0],
  ['0.01', '10', 1],
  ['2', '10', 1],
  ['2.01', '10', 2],
  ['4', '10', 2],
  ['6', '10', 3],
  ['8.5', '10', 5],
  ['10', '10', 5],
  ['30', '10', 5],
  ['5', '0', 0],
  ['-1', '10', 0],
  ['0.6', '1', 3],
])('%s of %s is level %i', (score, max, level) => expect(levelOf(score, max)).toBe(level))

describe('advice', () => {
  const one = (
    name: string,
    score: string,
    avgGrade: string | null,
    more: Partial<ShownAbility> = {},
  ): ShownAbility => ({ name, score, max: '10', avgGrade, levels: [], modules: [], ...more })

  test('is for the three weakest against the grade, the weakest first', () => {
    const abilities = [
      one('够', '4', '5'),
      one('差', '3', '5'),
      one('很差', '1', '5'),
      one('没有', '0', '5'),
      one('最多三条', '3.9', '5'),
      one('强', '9', '5'),
    ]
    expect(adviceFor(abilities).map(({ name }) => name)).toEqual(['没有', '很差', '差'])
    expect(adviceFor([one('够', '4', '5'), one('强', '9', '5')])).toEqual([])
  })
  test('says where the student stands and what would help', () => {
    const levels = ['刚刚起步', '能够完成']
    expect(
      adviceFor([one('创新', '1.5', '4.25', { levels, modules: ['创新创业', '实践实习', '文体活动'] })])[0]!.text,
    ).toBe('得 1.5 分，比年级平均低 2.75 分，处于第 1 级（刚刚起步）。可多参加“创新创业”“实践实习”模块的活动。')
    expect(adviceFor([one('创新', '0', '4')])[0]!.text).toBe(
      '得 0 分，比年级平均低 4 分，尚无积累。目前没有评价规则给出该能力的分数。',
    )
  })
  test('without a mean compares with the third level', () => {
    expect(
      adviceFor([one('低', '3', null), one('够', '3.2', null), one('零均值', '3', '0')]).map(({ name }) => name),
    ).toEqual(['低', '零均值'])
  })
})
