import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyWay as applyWays, lessonForm } from '../../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { roomFor } from '../../../../contract/programme/lessons/team-fields.ts'
import type { planRiskKinds } from '../../../../contract/programme/lessons/plan.schema.ts'
import { figure } from '../../../../contract/core/figure.ts'

/** The part of a plan that is looked at. Hours in hundredths; null: not said. */
export interface Plan {
  startTime: string
  endTime: string
  placeText: string
  sessions: readonly { startTime: string; endTime: string; placeText: string }[]
  quota: number
  /** What a place is for, and how many a team has at most; people unless told. */
  quotaUnit?: string | undefined
  teamMax?: number | null | undefined
  applyWay: string
  hasRange: boolean
  liForm: string
  insurance: unknown
  hasSafetyPlan: boolean
  hasPlan: boolean
  contact: string
  liHours: number | null
}

/** What the school knows that a plan is held against. */
export interface PlanFacts {
  places: readonly { plName: string; plCapacity: number }[]
  examWeeks: readonly { ewName: string; ewStart: string; ewEnd: string }[]
  /** Students who may register and have class at that time by the timetable, with one such meeting in words. */
  inClass: { students: number; sample: string }
  /** Students who may register by the range; null where there is none. */
  inRange: number | null
  /** Whether the level stands below that of the school. */
  isBelowSchool: boolean
  /** Hours that the rule of module and level gives (hundredths); null without a rule. */
  normHours: number | null
  /** Steps of its flow at which the principal would decide. */
  ownSteps: readonly string[]
}

interface PlanRisk {
  kind: (typeof planRiskKinds)[number]
  level: 'info' | 'warning'
  text: string
}

/**
 * What planner and reviewer should look at twice in a plan, in plain sentences: pure (docs/rules.md R8). Nothing of it
 * is refused.
 */
export function planRisks(plan: Plan, facts: PlanFacts): PlanRisk[] {
  const risks: PlanRisk[] = []
  const warn = (kind: PlanRisk['kind'], text: string) => risks.push({ kind, level: 'warning', text })
  const note = (kind: PlanRisk['kind'], text: string) => risks.push({ kind, level: 'info', text })
  const people = roomFor(plan)
  for (const { plName, plCapacity } of facts.places)
    if (people > plCapacity)
      warn('capacity', `名额 ${figure(people)} 人，超过${plName}可容纳的 ${figure(plCapacity)} 人`)
  const times = plan.sessions.length > 0 ? plan.sessions : [plan]
  for (const { ewName, ewStart, ewEnd } of facts.examWeeks)
    if (times.some((one) => one.startTime.slice(0, 10) <= ewEnd && one.endTime.slice(0, 10) >= ewStart))
      warn('exam', `活动时间与${ewName}（${ewStart} 至 ${ewEnd}）重叠`)
  if (facts.inClass.students > 0)
    warn('class', `按课表，可报名的学生中有 ${facts.inClass.students} 人届时有课，如 ${facts.inClass.sample}`)
  if (facts.ownSteps.length > 0) warn('checker', `课程负责人同时是审批人：${facts.ownSteps.join('、')}`)
  if (plan.liForm === lessonForm.offCampus) {
    if (plan.insurance !== yesNo.yes) warn('insurance', '校外活动尚未购买意外险')
    if (!plan.hasSafetyPlan) warn('safety', '校外活动尚未上传安全预案')
  }
  const isOpen = plan.applyWay !== applyWays.importedList && plan.applyWay !== applyWays.noRegistration
  if (facts.inRange === 0) warn('range', '报名范围内没有在读学生')
  else if (facts.inRange !== null && facts.inRange < people)
    note('range', `报名范围内只有 ${figure(facts.inRange)} 名在读学生，少于名额 ${figure(people)} 人`)
  else if (isOpen && !plan.hasRange && facts.isBelowSchool) note('range', '未限定报名范围，全校学生均可报名')
  if (facts.normHours !== null && plan.liHours !== null && plan.liHours > facts.normHours)
    note('norm', `认定 ${fromHundredths(plan.liHours)} 学时，高于该级别标准的 ${fromHundredths(facts.normHours)} 学时`)
  if (!plan.hasPlan) note('papers', '未上传策划书')
  if (!plan.contact) note('contact', '未填写联系人')
  return risks
}
