import { z } from 'zod'
import { valuesOf } from '../../core/dictionary.ts'
import { admissionFields } from './admission-fields.ts'
import { amount, dateTime, id, integer, pick } from '../../core/fields.ts'

/** Kinds of hints about a plan: other courses in its way, and what is risky about it itself. */
export const planConflictKinds = ['place', 'principal', 'teacher', 'name', 'students'] as const
export const planRiskKinds = [
  'capacity',
  'exam',
  'class',
  'checker',
  'insurance',
  'safety',
  'range',
  'norm',
  'papers',
  'contact',
] as const

/** A plan as far as it is filled in. */
export const plan = z.object({
  liId: id('课程').optional(),
  startTime: dateTime('活动开始时间'),
  endTime: dateTime('活动结束时间'),
  placeText: z.string().trim().max(100).optional(),
  liName: z.string().trim().max(200).optional(),
  liPrincipalId: id('负责人').optional(),
  teacherIds: z.array(id('指导老师')).max(20).default([]),
  /** The rest of the form: with module and level the risks of the plan are told as well. */
  lsId: id('课程体系').optional(),
  liLevel: z.string().max(10).optional(),
  liCollegeId: id('主办学院').optional(),
  liDepartmentId: id('主办部门').optional(),
  liCircleId: id('所属圈子').optional(),
  quota: integer('名额', 1, 100_000).optional(),
  quotaUnit: pick('名额单位', valuesOf('quota_unit')).optional(),
  teamMax: integer('每队最多人数', 2, 100).optional(),
  applyWay: pick('报名方式', valuesOf('apply_way')).optional(),
  rangeColleges: z.array(id('学院')).max(200).default([]),
  rangeGrades: z.array(z.string().max(10)).max(20).default([]),
  rangeMajors: admissionFields.rangeMajors.schema,
  rangeClasses: admissionFields.rangeClasses.schema,
  rangeCircles: admissionFields.rangeCircles.schema,
  rangePolitical: admissionFields.rangePolitical.schema,
  rangeSexes: admissionFields.rangeSexes.schema,
  liForm: pick('开展形式', valuesOf('lesson_form')).optional(),
  liExt: z.object({ insurance: z.string().optional(), safetyPlanFile: z.string().optional() }).default({}),
  liPlan: id('策划书').optional(),
  contactName: z.string().trim().max(50).optional(),
  liHours: amount('认定学时', 200).optional(),
  sessions: z
    .array(
      z.object({
        startTime: dateTime('场次开始时间').optional(),
        endTime: dateTime('场次结束时间').optional(),
        placeText: z.string().trim().max(100).optional(),
      }),
    )
    .max(60)
    .default([]),
})

/** What should be looked at twice; with the courses that stand in its way. */
export const planHint = z.object({
  kind: z.enum([...planConflictKinds, ...planRiskKinds]),
  text: z.string(),
  lessons: z.array(z.object({ liId: z.string(), liName: z.string(), startTime: z.string(), endTime: z.string() })),
})
