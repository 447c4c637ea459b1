import type { CodeOf } from '../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { awardType, quotaType, awardTier } from '../../../contract/core/codes/rules.ts'
/**
 * [name, tier, hours, credit, points, ability factor, quota, needs proof?]; quota: persons or per cent
 * of the participants
 */
type Row = readonly [
  adName: string,
  adLevel: string,
  hours: number,
  credit: number,
  points: number,
  abilityFactor: number,
  quota?: readonly [CodeOf<typeof quotaType>, number] | null,
  needProof?: boolean,
]

interface ReadyTemplate {
  readyId: string
  atName: string
  atType: string
  atDesc: string
  rows: readonly Row[]
}

const one = [quotaType.count, 1] as const
const percent = (n: number) => [quotaType.percent, n] as const

/**
 * The sets of awards most schools give (docs/rules.md R26), to start from. Hours, credit and points are a proposal for
 * an activity at school level, in hundredths; schools change them.
 */
export const readyTemplates: readonly ReadyTemplate[] = [
  {
    readyId: 'grade',
    atName: '等级奖',
    atType: awardType.grade,
    atDesc: '按特等至优秀评奖，参与者另计',
    rows: [
      ['特等奖', awardTier.grand, 400, 40, 400, 200, one],
      ['一等奖', awardTier.first, 300, 30, 300, 150, percent(5)],
      ['二等奖', awardTier.second, 200, 20, 200, 130, percent(10)],
      ['三等奖', awardTier.third, 100, 10, 100, 120, percent(15)],
      ['优秀奖', awardTier.merit, 50, 5, 50, 100],
      ['参与奖', awardTier.participation, 0, 0, 10, 100],
    ],
  },
  {
    readyId: 'rank',
    atName: '名次奖',
    atType: awardType.rank,
    atDesc: '按比赛名次授奖，取前八名',
    rows: [
      ['冠军', awardTier.grand, 300, 30, 300, 150, one],
      ['亚军', awardTier.first, 250, 25, 250, 140, one],
      ['季军', awardTier.second, 200, 20, 200, 130, one],
      ...(['第四名', '第五名', '第六名', '第七名', '第八名'] as const).map((name): Row => [
        name,
        awardTier.merit,
        100,
        10,
        100,
        110,
        one,
      ]),
    ],
  },
  {
    readyId: 'medal',
    atName: '金银铜奖',
    atType: awardType.medal,
    atDesc: '金奖、银奖、铜奖，不设名次',
    rows: [
      ['金奖', awardTier.first, 300, 30, 300, 150, percent(10)],
      ['银奖', awardTier.second, 200, 20, 200, 130, percent(20)],
      ['铜奖', awardTier.third, 100, 10, 100, 120, percent(30)],
    ],
  },
  {
    readyId: 'title',
    atName: '荣誉称号',
    atType: awardType.title,
    atDesc: '授予个人或集体的称号，须附表彰文件',
    rows: (['优秀组织者', '优秀志愿者', '优秀学员', '最佳选手', '先进个人', '先进集体'] as const).map((name): Row => [
      name,
      awardTier.merit,
      100,
      10,
      100,
      120,
      null,
      true,
    ]),
  },
  {
    readyId: 'pass',
    atName: '合格制',
    atType: awardType.pass,
    atDesc: '培训、实践等按合格与否认定',
    rows: [
      ['优秀', awardTier.merit, 100, 10, 100, 120, percent(20)],
      ['良好', awardTier.ungraded, 50, 5, 50, 110, percent(30)],
      ['合格', awardTier.participation, 0, 0, 0, 100],
      ['不合格', awardTier.ungraded, 0, 0, 0, 100],
    ],
  },
  {
    readyId: 'post',
    atName: '任职考核',
    atType: awardType.office,
    atDesc: '学生干部任职期满考核',
    rows: [
      ['优秀', awardTier.merit, 200, 20, 200, 150, percent(20)],
      ['称职', awardTier.ungraded, 100, 10, 100, 100],
      ['基本称职', awardTier.participation, 50, 5, 50, 100],
      ['不称职', awardTier.ungraded, 0, 0, 0, 100],
    ],
  },
]

/** A row as the columns of an award. */
export const readyDetail = (
  [adName, adLevel, hours, credit, points, abilityFactor, quota, needProof = false]: Row,
  adSort: number,
) => ({
  adName,
  adLevel,
  hours,
  credit,
  points,
  abilityFactor,
  adSort,
  quotaType: quota?.[0] ?? quotaType.unlimited,
  quota: quota?.[1] ?? null,
  needProof: needProof ? yesNo.yes : yesNo.no,
})
