import { yesNo } from '../../contract/core/codes/platform.ts'
import { awardTier, flowStepType, flowType, quotaType } from '../../contract/core/codes/rules.ts'
import { readyTemplates } from '../rules/awards/ready-templates.ts'
import { curriculumSeed, levelSeed } from '../setup/seeds.ts'
import { bulkInsert } from './bulk.ts'
import { makeCalendar } from './demo-calendar.ts'
import { askForHours } from './demo-rules.ts'
import type { DemoSchool } from './demo-school.ts'

/**
 * Hours of an activity of the school by module, in hundredths: half a day of service counts for more than a lecture.
 */
const hoursOf: Record<string, number> = {
  SXCL: 200,
  SJSX: 800,
  ZYGY: 400,
  CXCY: 300,
  WTHD: 200,
  GZLL: 400,
  JNTC: 400,
  LDJY: 400,
}
/** What an activity of a level counts for, in per cent of one of the school; never more than a day's eight hours. */
const shareOf: Record<string, number> = {
  '1': 200,
  '2': 175,
  '3': 150,
  '4': 125,
  '5': 100,
  '6': 75,
  '7': 50,
  '8': 50,
}
const baseHoursOf = (code: string, llId: string): number =>
  Math.min(800, Math.round((hoursOf[code]! * shareOf[llId]!) / 100 / 50) * 50)

/** Which abilities the modules build, with weights of 100 in all. */
const abilitiesOf: Record<string, [string, number][]> = {
  SXCL: [
    ['理想信念', 60],
    ['家国情怀', 40],
  ],
  SJSX: [
    ['职业技能', 50],
    ['劳动实践', 50],
  ],
  ZYGY: [
    ['志愿奉献', 70],
    ['道德诚信', 30],
  ],
  CXCY: [
    ['创新创造', 60],
    ['学习研究', 40],
  ],
  WTHD: [
    ['审美表达', 50],
    ['身心健康', 50],
  ],
  GZLL: [
    ['职业技能', 60],
    ['意志毅力', 40],
  ],
  JNTC: [
    ['数字素养', 50],
    ['职业技能', 50],
  ],
  LDJY: [
    ['劳动实践', 80],
    ['意志毅力', 20],
  ],
}

/** [template, type, rows: name, hours, credit, points, persons at most] */
const awardTemplates: [string, string, [string, number, number, number, number | null][]][] = [
  [
    '等级奖',
    '1',
    [
      ['特等奖', 400, 40, 400, 1],
      ['一等奖', 300, 30, 300, 3],
      ['二等奖', 200, 20, 200, 6],
      ['三等奖', 100, 10, 100, 10],
      ['优秀奖', 50, 5, 50, null],
    ],
  ],
  [
    '名次奖',
    '2',
    [
      ['冠军', 300, 30, 300, 1],
      ['亚军', 200, 20, 200, 1],
      ['季军', 100, 10, 100, 1],
    ],
  ],
  [
    '称号',
    '4',
    [
      ['优秀组织者', 100, 10, 100, 5],
      ['优秀志愿者', 100, 10, 100, 10],
      ['优秀学员', 100, 10, 100, 10],
    ],
  ],
]

/** The tier of an award by its name, as the ready-made templates have it. */
const tiers = new Map(readyTemplates.flatMap(({ rows }) => rows.map(([name, tier]) => [name, tier])))

export interface DemoConfiguration {
  /** `module code/level` -> rule id. */
  rules: Record<
    string,
    { esId: string; baseHours: number; credit: number; abilityRules: { sqlId: string; weight: number }[] }
  >
  awards: {
    atId: string
    details: { adId: string; adName: string; hours: number; credit: number; points: number; quota: number | null }[]
  }[]
  flows: { school: { wfId: string; wfName: string }; college: { wfId: string; wfName: string } }
}

/**
 * The calendar of the years, evaluation rules for every module and level, award templates, and the workflows of
 * docs/rules.md R56.
 */
export async function makeConfiguration(school: DemoSchool): Promise<DemoConfiguration> {
  const { db, stamp, random, start } = school
  await makeCalendar(school)
  await askForHours(school)
  const rules: DemoConfiguration['rules'] = {}
  const rows = curriculumSeed.flatMap(([code, module]) =>
    levelSeed.map(([llId, llName]) => {
      const esId = random.id()
      const baseHours = baseHoursOf(code, llId)
      const abilityRules = abilitiesOf[code]!.map(([label, weight]) => ({ sqlId: start.labels[label]!, weight }))
      rules[`${code}/${llId}`] = { esId, baseHours, credit: baseHours / 10, abilityRules }
      return {
        ...stamp,
        esId,
        esName: `${module}·${llName}`,
        lsId: start.curriculum[code]!,
        esLessonLevel: llId,
        baseHours,
        credit: baseHours / 10,
        points: baseHours,
        hourCap: null,
        // in force since before anybody of today's students came
        effectFrom: `${Number(school.now.slice(0, 4)) - 5}-09-01`,
        abilityRules,
        awardRules: [],
        modeRules: [],
      }
    }),
  )
  await bulkInsert(db, 'evaluation', rows)

  const awards = awardTemplates.map(([atName, atType, details]) => ({
    atId: random.id(),
    atName,
    atType,
    details: details.map(([adName, hours, credit, points, quota]) => ({
      adId: random.id(),
      adName,
      hours,
      credit,
      points,
      quota,
    })),
  }))
  await bulkInsert(
    db,
    'awardTemplate',
    awards.map(({ details: _, ...template }) => ({ ...stamp, ...template })),
  )
  await bulkInsert(
    db,
    'awardDetail',
    awards.flatMap(({ atId, details }) =>
      details.map((detail, adSort) => ({
        schoolId: stamp.schoolId,
        atId,
        ...detail,
        adLevel: tiers.get(detail.adName) ?? awardTier.ungraded,
        quotaType: detail.quota === null ? quotaType.unlimited : quotaType.count,
        adSort,
      })),
    ),
  )
  return { rules, awards, flows: await makeFlows(school) }
}

type StepSeed = [node: string, name: string, checkerType: string, checkers: string[]]

async function makeFlows({ db, stamp, random, start }: DemoSchool): Promise<DemoConfiguration['flows']> {
  const categories = ['课程流程', '补录流程'].map((wfcName, wfcSort) => ({
    ...stamp,
    wfcId: random.id(),
    wfcName,
    wfcSort,
  }))
  await bulkInsert(db, 'workflowCategory', categories)
  const audit = [start.roles['SCHOOL_AUDIT']!]
  const school = { wfId: random.id(), wfName: '校级课程标准流程' }
  const college = { wfId: random.id(), wfName: '院级课程流程' }
  const add = async (
    flow: { wfId: string; wfName: string },
    wfType: string,
    wfcId: string,
    more: { levels?: string[]; isDefault?: string; wfDesc: string; wfIcon: string },
    steps: StepSeed[],
  ) => {
    await db
      .insertInto('workflow')
      .values({ ...stamp, ...flow, wfType, wfcId, ...more })
      .execute()
    const sorts = new Map<string, number>()
    const rows = steps.map(([wfsNodeName, wfsStepName, wfsCheckerType, checkers]) => {
      const wfsSort = (sorts.get(wfsNodeName) ?? 0) + 1
      sorts.set(wfsNodeName, wfsSort)
      return {
        row: {
          schoolId: stamp.schoolId,
          wfsId: random.id(),
          wfId: flow.wfId,
          wfsNodeName,
          wfsStepName,
          wfsStepType: flowStepType.anyOne,
          wfsCheckerType,
          wfsSort,
          noApproverPolicy: 'admin',
          timeoutHours: 72,
        },
        checkers,
      }
    })
    await bulkInsert(
      db,
      'workflowStep',
      rows.map(({ row }) => row),
    )
    await bulkInsert(
      db,
      'workflowChecker',
      rows.flatMap(({ row, checkers }) =>
        checkers.map((wfcCheckerId, wfcSort) => ({
          schoolId: stamp.schoolId,
          wfsId: row.wfsId,
          wfcCheckerId,
          wfcSort,
        })),
      ),
    )
  }
  const [lessons, supplements] = categories
  await add(
    school,
    flowType.lesson,
    lessons!.wfcId,
    { isDefault: yesNo.yes, wfDesc: '国家级、省级与校级课程，院系团委初审、校团委终审', wfIcon: 'school' },
    [
      ['PUBLISH', '院系团委初审', '4', []],
      ['PUBLISH', '校团委终审', '2', audit],
      ['RESULT', '院系团委审核结果', '4', []],
      ['RESULT', '校团委审核结果', '2', audit],
      ['PUBLICITY', '校团委处理质疑', '2', audit],
    ],
  )
  await add(
    college,
    flowType.lesson,
    lessons!.wfcId,
    { levels: ['6', '7', '8'], wfDesc: '院级、班级与社团课程，由院系团委审批', wfIcon: 'college' },
    [
      ['PUBLISH', '院系团委审批', '4', []],
      ['RESULT', '院系团委审核结果', '4', []],
      ['PUBLICITY', '院系团委处理质疑', '4', []],
    ],
  )
  await add(
    { wfId: random.id(), wfName: '补录标准流程' },
    flowType.supplement,
    supplements!.wfcId,
    { isDefault: yesNo.yes, wfDesc: '团支书、院系团委、校团委三级审核', wfIcon: 'supplement' },
    [
      ['SUPPLEMENT', '班级审核', '6', []],
      ['SUPPLEMENT', '院系团委审核', '4', []],
      ['SUPPLEMENT', '校团委终审', '2', audit],
    ],
  )
  return { school, college }
}
