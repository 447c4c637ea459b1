import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { changeRate } from '../../../contract/outcomes/statistics/change.ts'
import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'

/** Students, and how many of them are at each level of warning. */
export interface LevelCounts {
  total: number
  level1: number
  level2: number
  level3: number
}

const lines = {
  [warnLevel.severe]: '某项指标低于严重警告线，或上学期没有学时',
  [warnLevel.moderate]: '最严重的一项低于警告线',
  [warnLevel.mild]: '最严重的一项低于一般警告线',
  [warnLevel.normal]: '各项指标均达到检查点的要求，或检查点未到',
} as const
const atLevel = (level: keyof typeof lines) => ({
  key: `level${level}`,
  name: labelOf('warn_level', level),
  unit: '人',
  definition: `${lines[level]}。在读与延期学生，每晚计算；环比与同比为上学期末与上年同学期末`,
  value: (of: LevelCounts) => (level === warnLevel.normal ? of.total - warned(of) : of[`level${level}`]),
})
const warned = ({ level1, level2, level3 }: LevelCounts): number => level1 + level2 + level3
/** The cards that are calculated from the levels alone. */
export const levelKinds = [
  ...([warnLevel.severe, warnLevel.moderate, warnLevel.mild, warnLevel.normal] as const).map(atLevel),
  {
    key: 'rate',
    name: '预警率',
    unit: '%',
    definition: '各等级预警学生 ÷ 学生人数',
    value: (of: LevelCounts) => (of.total === 0 ? null : Math.round((warned(of) * 10_000) / of.total) / 100),
  },
]

export const finalShortKind = {
  key: 'finalShort',
  name: '预计毕业时不足',
  unit: '人',
  definition: '按入学以来的速度，到最后一学期末总学时仍达不到毕业要求的学生',
}

/** The figures of now beside those at the end of the term before and of the same term last year. Pure. */
export function cardsOf(
  { finalShort, ...now }: LevelCounts & { finalShort: number },
  before: LevelCounts | null,
  lastYear: LevelCounts | null,
): Card[] {
  return [
    ...levelKinds.map(({ value, ...kind }): Card => {
      const [own, prev, last] = [value(now), before && value(before), lastYear && value(lastYear)]
      return {
        ...kind,
        value: own,
        prev,
        changeRate: changeRate(own, prev),
        lastYear: last,
        lastYearRate: changeRate(own, last),
      }
    }),
    {
      ...finalShortKind,
      value: finalShort,
      prev: null,
      changeRate: null,
      lastYear: null,
      lastYearRate: null,
    },
  ]
}
