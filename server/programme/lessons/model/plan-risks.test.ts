import { expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyWay, lessonForm } from '../../../../contract/core/codes/programme.ts'
import { planRisks, type Plan, type PlanFacts } from './plan-risks.ts'

const day = '2027-01-11'
const plan: Plan = {
  startTime: `${day} 09:00:00`,
  endTime: `${day} 11:00:00`,
  placeText: '礼堂',
  sessions: [],
  quota: 50,
  applyWay: applyWay.review,
  hasRange: true,
  liForm: lessonForm.onSite,
  insurance: undefined,
  hasSafetyPlan: false,
  hasPlan: true,
  contact: '王老师',
  liHours: 200,
}
const facts: PlanFacts = {
  places: [{ plName: '礼堂', plCapacity: 50 }],
  examWeeks: [],
  inClass: { students: 0, sample: '' },
  inRange: 60,
  isBelowSchool: true,
  normHours: 200,
  ownSteps: [],
}
const exams = { ewName: '期末考试周', ewStart: '2027-01-11', ewEnd: '2027-01-15' }
const earlier = { startTime: '2027-01-08 09:00:00', endTime: '2027-01-08 11:00:00', placeText: '' }

const cases: [string, Partial<Plan>, Partial<PlanFacts>, string[]][] = [
  ['nothing to say', {}, {}, []],
  ['more people than the place holds', { quota: 51 }, {}, ['名额 51 人，超过礼堂可容纳的 50 人']],
  ['within an exam week', {}, { examWeeks: [exams] }, ['活动时间与期末考试周（2027-01-11 至 2027-01-15）重叠']],
  [
    'sessions beside the exam week',
    {
      startTime: earlier.startTime,
      sessions: [earlier, { ...earlier, startTime: '2027-01-18 09:00:00', endTime: '2027-01-18 10:00:00' }],
    },
    { examWeeks: [exams] },
    [],
  ],
  ['principal among the checkers', {}, { ownSteps: ['院系审核'] }, ['课程负责人同时是审批人：院系审核']],
  [
    'off campus with nothing',
    { liForm: lessonForm.offCampus },
    {},
    ['校外活动尚未购买意外险', '校外活动尚未上传安全预案'],
  ],
  [
    'off campus, insured and planned',
    { liForm: lessonForm.offCampus, insurance: yesNo.yes, hasSafetyPlan: true },
    {},
    [],
  ],
  [
    'off campus, said not to be insured',
    { liForm: lessonForm.offCampus, insurance: yesNo.no, hasSafetyPlan: true },
    {},
    ['校外活动尚未购买意外险'],
  ],
  [
    'students who have class',
    {},
    { inClass: { students: 38, sample: '2026-09-09（周三）08:00–09:35 高等数学' } },
    ['按课表，可报名的学生中有 38 人届时有课，如 2026-09-09（周三）08:00–09:35 高等数学'],
  ],
  ['a range without students', {}, { inRange: 0 }, ['报名范围内没有在读学生']],
  ['a range of too few', {}, { inRange: 49 }, ['报名范围内只有 49 名在读学生，少于名额 50 人']],
  ['open to all below school level', { hasRange: false }, { inRange: null }, ['未限定报名范围，全校学生均可报名']],
  ['open to all at school level', { hasRange: false }, { inRange: null, isBelowSchool: false }, []],
  ['nobody registers', { hasRange: false, applyWay: applyWay.importedList }, { inRange: null }, []],
  ['more hours than the rule gives', { liHours: 300 }, {}, ['认定 3 学时，高于该级别标准的 2 学时']],
  ['no rule', { liHours: 300 }, { normHours: null }, []],
  ['no papers, nobody to ask', { hasPlan: false, contact: '' }, {}, ['未上传策划书', '未填写联系人']],
]
test.each(cases)('%s', (_, change, more, expected) =>
  expect(planRisks({ ...plan, ...change }, { ...facts, ...more }).map(({ text }) => text)).toEqual(expected),
)
