import {
  applyStatus,
  creditType,
  lessonStatus,
  partakeMode,
  supplementStatus,
  supplementType,
} from '../../contract/core/codes/programme.ts'
import { dayOf } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { reversalText } from '../programme/credits/corrections.ts'
import type { TestSchool } from './school.ts'

/** A record as a test plans it; amounts in hundredths. */
export interface RecordPlan {
  name: string
  module: string
  node?: string
  source?: 'LESSON' | 'SUP'
  level?: string
  award?: string
  on: string
  hours: number
  credit?: number
  points?: number
  volunteer?: number
  ability?: [string, number][]
  /** Version of the rule it was calculated by; null for none. */
  ruleVersion?: number | null
}
export interface KeptRecord extends RecordPlan {
  bizId: string
  clIds: Record<string, string>
}
export type TestStudent = { suId: string; suiName: string; suiNumber: string }

const amounts = (plan: RecordPlan) => ({
  '1': plan.hours,
  '2': plan.credit ?? 0,
  '3': plan.points ?? 0,
  '4': plan.volunteer ?? 0,
})

/**
 * Puts a finished course (or credited supplement record) and what it gave a student into the database; `sharedBizId`
 * lets a second student take part in the same course.
 */
export async function grantRecord(
  school: TestSchool,
  { suId }: TestStudent,
  plan: RecordPlan,
  sharedBizId?: string,
): Promise<KeptRecord> {
  const { schoolId, curriculum, services, labels } = school
  const { db } = services
  const bizId = sharedBizId ?? newId()
  const moduleId = curriculum[plan.module]!
  const lsId = plan.node ? curriculum[`${plan.module}/${plan.node}`]! : moduleId
  const lsPath = plan.node ? [moduleId, lsId] : [moduleId]
  const level = plan.level ?? '5'
  const now = school.clock.now()
  if (plan.source === 'SUP') {
    await db
      .insertInto('supplement')
      .values({
        schoolId,
        lisId: bizId,
        lisName: plan.name,
        suId,
        lsId,
        lsPath,
        lisType: supplementType.competitionAward,
        lisLevel: level,
        lisObtainDate: plan.on,
        lisStatus: supplementStatus.credited,
        lisAward: plan.award ?? '',
        lisOrg: '校外单位',
      })
      .execute()
  } else {
    if (!sharedBizId) {
      await db
        .insertInto('lesson')
        .values({
          schoolId,
          liId: bizId,
          liNo: bizId,
          liName: plan.name,
          lsId,
          lsPath,
          liStatus: lessonStatus.completed,
          liLevel: level,
          liPrincipalId: school.adminId,
          liSponsorName: '计算机学院团委',
          quota: 10,
          startTime: `${plan.on} 14:00:00`,
          endTime: `${plan.on} 16:00:00`,
        })
        .execute()
    }
    await db
      .insertInto('registration')
      .values({
        schoolId,
        laId: newId(),
        liId: bizId,
        suId,
        laStatus: applyStatus.accepted,
        partakeMode: partakeMode.volunteer,
        awardName: plan.award ?? '',
      })
      .execute()
  }
  const shared = {
    schoolId,
    suId,
    lsId,
    moduleId,
    source: plan.source ?? 'LESSON',
    bizId,
    bizName: plan.name,
    occurTime: `${plan.on} 14:00:00`,
    // what is granted today is granted now: whoever looks for what is new must find it at every hour
    grantedAt: plan.on === dayOf(now) ? now : `${plan.on} 20:00:00`,
  }
  const values = [
    ...Object.entries(amounts(plan))
      .filter(([, value]) => value !== 0)
      .map(([clType, clValue]) => ({ clType, clValue, sqlId: null as string | null })),
    ...(plan.ability ?? []).map(([label, clValue]) => ({
      clType: creditType.ability,
      clValue,
      sqlId: labels[label] as string | null,
    })),
  ]
  const rows = values.map((value) => ({
    ...shared,
    ...value,
    clId: newId(),
    ruleVersion: plan.ruleVersion ?? 1,
    explain: JSON.stringify({
      text: `${plan.name}得 ${value.clValue / 100}（${value.clType}）`,
      ...(plan.ruleVersion !== undefined && { ruleVersion: plan.ruleVersion }),
    }),
  }))
  await db.insertInto('creditLedger').values(rows).execute()
  return { ...plan, bizId, clIds: Object.fromEntries(rows.map(({ clType, clId }) => [clType, clId])) }
}

/** Takes a record back, some days later. */
export async function reverseRecord(
  school: TestSchool,
  { suId }: TestStudent,
  kept: KeptRecord,
  on: string,
): Promise<void> {
  const { schoolId, curriculum, services } = school
  const moduleId = curriculum[kept.module]!
  const rows = Object.entries(kept.clIds).map(([clType, reverseOf]) => ({
    schoolId,
    clId: newId(),
    suId,
    clType,
    lsId: moduleId,
    moduleId,
    clValue: -amounts(kept)[clType as '1'],
    source: 'REVERSE',
    bizId: kept.bizId,
    bizName: kept.name,
    ruleVersion: kept.ruleVersion ?? 1,
    explain: JSON.stringify({
      text: reversalText('质疑成立'),
      ...(kept.ruleVersion !== undefined && { ruleVersion: kept.ruleVersion }),
    }),
    occurTime: `${on} 09:00:00`,
    grantedAt: `${on} 09:00:00`,
    reverseOf,
  }))
  await services.db.insertInto('creditLedger').values(rows).execute()
}

/**
 * Five records of a student's years: two modules with a child node, volunteer hours, an award, a supplement, uneven
 * amounts.
 */
export const recordPlans: RecordPlan[] = [
  {
    name: '主题团日“请党放心”',
    module: 'SXCL',
    node: '主题教育',
    on: '2026-03-05',
    hours: 250,
    credit: 25,
    points: 50,
    ability: [
      ['理想信念', 100],
      ['家国情怀', 50],
    ],
  },
  { name: '形势与政策报告会', module: 'SXCL', on: '2026-03-20', hours: 550, credit: 55 },
  {
    name: '社区敬老服务',
    module: 'ZYGY',
    node: '社区服务',
    on: '2025-10-11',
    hours: 400,
    volunteer: 400,
    credit: 33,
    ability: [['志愿奉献', 400]],
  },
  {
    name: '“挑战杯”校内选拔赛',
    module: 'CXCY',
    node: '学科竞赛',
    on: '2026-05-18',
    hours: 1600,
    credit: 160,
    points: 1250,
    award: '一等奖',
    level: '3',
  },
  {
    name: '全国英语竞赛获奖',
    module: 'CXCY',
    source: 'SUP',
    on: '2025-12-01',
    hours: 7,
    credit: 1,
    level: '2',
    award: '二等奖',
  },
]

/** A college with one major and one class, and the way to fill it. */
export async function oneClass(school: TestSchool) {
  const scId = await school.college()
  const smId = await school.major(scId)
  const scClassId = await school.schoolClass(smId, scId)
  return {
    scId,
    smId,
    scClassId,
    students: (count: number) => school.students(count, { suiCollegeId: scId, majorId: smId, scClassId }),
  }
}
