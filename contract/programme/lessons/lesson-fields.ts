import { z } from 'zod'
import { applyUnit, applyWay, lessonForm as lessonFormCodes, lessonKind, signType } from '../../core/codes/programme.ts'
import { quotaUnit } from '../../core/codes/teams.ts'
import { valuesOf } from '../../core/dictionary.ts'
import {
  amount,
  choice,
  dateTime,
  flag,
  fileIds,
  id,
  integer,
  labelIn,
  optionalText,
  pick,
  text,
} from '../../core/fields.ts'
import { richText } from '../../core/rich-text.ts'
import { admissionFields } from './admission-fields.ts'
import { applyQuestions } from './apply-questions.ts'
import { industryExt } from './industry.ts'
import type { LessonField } from './lesson-field.ts'

export type { LessonField } from './lesson-field.ts'

const session = z.strictObject({
  startTime: dateTime('场次开始时间'),
  endTime: dateTime('场次结束时间'),
  placeText: optionalText('场次地点', 100),
})

/** Every field of a course's form, in the order of the form. */
export const lessonFields = {
  liName: {
    schema: text('课程名称', 200, true).min(2, '课程名称至少 2 个字'),
    stored: 'value',
    change: 'approved',
    row: z.string(),
  },
  lsId: {
    schema: choice('课程体系'),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    refersTo: 'curriculum',
  },
  liLevel: {
    schema: z
      .string('请选择课程级别')
      .trim()
      .min(1, '请选择课程级别')
      .max(10, '课程级别不正确')
      .meta({ label: '课程级别', pick: true }),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    refersTo: 'level',
  },
  liKind: {
    schema: pick('课程类型', valuesOf('lesson_kind')).default(lessonKind.activity),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    dictionary: 'lesson_kind',
    fact: { group: 'basics' },
  },
  liForm: {
    schema: pick('开展形式', valuesOf('lesson_form')).default(lessonFormCodes.onSite),
    stored: 'value',
    change: 'approved',
    detail: z.string(),
    dictionary: 'lesson_form',
    fact: { group: 'basics' },
  },
  liScheme: {
    schema: pick('课程表单', valuesOf('form_scheme')).default('standard'),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    dictionary: 'form_scheme',
  },
  liExt: {
    schema: industryExt.default({}),
    stored: 'json',
    change: 'free',
    detail: z.record(z.string(), z.unknown()),
  },
  liLabels: {
    schema: z
      .array(pick('课程标签', valuesOf('lesson_label')))
      .max(5, '课程标签最多 5 个')
      .default([])
      .meta({ label: '课程标签' }),
    stored: 'value',
    change: 'free',
    detail: z.array(z.string()),
    dictionary: 'lesson_label',
    fact: { group: 'basics' },
    exported: { width: 22 },
  },
  liPoster: {
    schema: id('海报').optional(),
    stored: 'null',
    change: 'free',
    detail: z.string().nullable(),
    refersTo: 'file',
  },
  liIntro: {
    schema: richText('课程简介', 20_000),
    format: 'rich',
    stored: 'value',
    change: 'free',
    detail: z.string(),
    fact: { group: 'intro', label: '简介', isWide: true },
    imported: { max: 5000, width: 40 },
  },
  liPlan: { schema: id('策划书').optional(), stored: 'null', change: 'free', refersTo: 'file' },
  liAttachments: {
    schema: fileIds('附件', 20),
    stored: 'value',
    change: 'free',
    refersTo: 'file',
  },
  liCollegeId: {
    schema: id('主办学院').optional(),
    stored: 'null',
    change: 'approved',
    row: z.string().nullable(),
    refersTo: 'college',
  },
  liDepartmentId: {
    schema: id('主办部门').optional(),
    stored: 'null',
    change: 'approved',
    refersTo: 'department',
  },
  organiserIds: {
    schema: z.array(id('承办部门')).max(20, '承办部门最多 20 个').default([]).meta({ label: '承办部门' }),
    stored: 'value',
    change: 'free',
    refersTo: 'department',
  },
  coOrganisers: {
    schema: optionalText('协办单位', 200),
    stored: 'blank',
    change: 'free',
    detail: z.string(),
    imported: { max: 200, width: 22, hint: '多个单位以顿号分隔' },
    exported: { width: 22 },
  },
  liCircleId: {
    schema: id('所属圈子').optional(),
    stored: 'null',
    change: 'approved',
    detail: z.string().nullable(),
    refersTo: 'circle',
  },
  liPrincipalId: {
    schema: choice('负责人'),
    stored: 'value',
    change: 'free',
    row: z.string(),
    refersTo: 'person',
  },
  teacherIds: {
    schema: z.array(id('指导老师')).max(20, '指导老师最多 20 人').default([]).meta({ label: '指导老师' }),
    stored: 'apart',
    change: 'free',
    refersTo: 'person',
  },
  signerIds: {
    schema: z.array(id('签到负责人')).max(50, '签到负责人最多 50 人').default([]).meta({ label: '签到负责人' }),
    stored: 'apart',
    change: 'free',
    refersTo: 'person',
  },
  contactName: { schema: optionalText('联系人', 50), stored: 'blank', change: 'free', detail: z.string() },
  contactPhone: { schema: optionalText('联系电话', 20), stored: 'blank', change: 'free', detail: z.string() },
  campus: { schema: optionalText('校区', 50), stored: 'blank', change: 'free', detail: z.string() },
  placeText: {
    schema: text('活动地点', 100),
    stored: 'value',
    change: 'free',
    row: z.string(),
    exported: { label: '地点', width: 22 },
  },
  applyWay: {
    schema: pick('报名方式', valuesOf('apply_way')).default(applyWay.review),
    stored: 'value',
    change: 'approved',
    detail: z.string(),
    dictionary: 'apply_way',
  },
  applyUnit: {
    schema: pick('报名单位', valuesOf('apply_unit')).default(applyUnit.individual),
    stored: 'value',
    change: 'approved',
    detail: z.string(),
    dictionary: 'apply_unit',
  },
  /** How many a team has at least and at most; only where teams register. */
  teamMin: {
    schema: integer('每队最少人数', 2, 100).optional(),
    stored: 'null',
    change: 'approved',
    detail: z.number().nullable(),
    unit: ' 人',
  },
  teamMax: {
    schema: integer('每队最多人数', 2, 100).optional(),
    stored: 'null',
    change: 'approved',
    detail: z.number().nullable(),
    unit: ' 人',
  },
  quotaUnit: {
    schema: pick('名额单位', valuesOf('quota_unit')).default(quotaUnit.person),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    dictionary: 'quota_unit',
  },
  quota: {
    schema: integer('名额', 1, 100_000),
    stored: 'value',
    change: 'approved',
    row: z.number(),
    exported: { kind: 'integer' },
  },
  waitlistOn: { schema: flag('候补').default(false), stored: 'flag', change: 'free', detail: z.string() },
  rangeColleges: {
    schema: z.array(id('学院')).max(200).default([]).meta({ label: '可报名学院' }),
    stored: 'value',
    change: 'approved',
    refersTo: 'college',
    none: '不限',
  },
  rangeGrades: {
    schema: z.array(z.string().max(10)).max(20).default([]).meta({ label: '可报名年级' }),
    stored: 'value',
    change: 'approved',
    detail: z.array(z.string()),
    none: '不限',
  },
  ...admissionFields,
  /** Answered by students who register themselves; each answer is kept with its question. */
  applyQuestions: {
    schema: applyQuestions,
    stored: 'blank',
    change: 'approved',
    detail: z.string(),
    none: '不提问',
    fact: { group: 'registration', isWide: true },
  },
  applyStart: {
    schema: dateTime('报名开始时间').optional(),
    stored: 'null',
    change: 'approved',
    row: z.string().nullable(),
    isTimed: true,
  },
  applyEnd: {
    schema: dateTime('报名截止时间').optional(),
    stored: 'null',
    change: 'approved',
    row: z.string().nullable(),
    isTimed: true,
  },
  startTime: {
    schema: dateTime('活动开始时间'),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    isTimed: true,
  },
  endTime: {
    schema: dateTime('活动结束时间'),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    isTimed: true,
  },
  sessions: {
    schema: z.array(session).max(60, '场次最多 60 个').default([]).meta({ label: '场次' }),
    stored: 'apart',
    change: 'approved',
    isTimed: true,
  },
  signType: {
    schema: z
      .array(pick('签到方式', valuesOf('sign_type')))
      .default([signType.manual])
      .meta({ label: '签到方式' }),
    stored: 'value',
    change: 'free',
    detail: z.array(z.string()),
    dictionary: 'sign_type',
    fact: { group: 'registration' },
  },
  /** Left out, the school's own settings hold: a new course takes them over, an edited one keeps what it has. */
  lateMinutes: {
    schema: integer('迟到界限（分钟）', 0, 240).optional(),
    stored: 'value',
    change: 'approved',
    detail: z.number(),
  },
  /** Approved like the hours: without it, whoever left early would pass. */
  signOutOn: { schema: flag('需要签退').default(false), stored: 'flag', change: 'approved', detail: z.string() },
  /** Per cent of the sessions that a participant must have come to; 0 asks for none. */
  minAttendRate: {
    schema: integer('最低出勤率', 0, 100).default(0),
    stored: 'value',
    change: 'approved',
    detail: z.number(),
    unit: '%',
  },
  /** When it publishes itself once it is approved. */
  publishAt: {
    schema: dateTime('自动发布时间').optional(),
    stored: 'null',
    change: 'free',
    detail: z.string().nullable(),
    isTimed: true,
  },
  liHours: {
    schema: amount('认定学时', 200).optional(),
    stored: 'value',
    change: 'approved',
    row: z.string(),
    unit: ' 学时',
  },
  atId: {
    schema: id('奖励模板').optional(),
    stored: 'null',
    change: 'approved',
    detail: z.string().nullable(),
    refersTo: 'awardTemplate',
    none: '不设奖项',
  },
  /** What participants hand in, in the organiser's words; blank: nothing. */
  workRequest: {
    schema: optionalText('成果要求', 500),
    stored: 'blank',
    change: 'free',
    detail: z.string(),
    none: '不提交成果',
    fact: { group: 'evaluation', isWide: true },
  },
  publictyDays: {
    schema: integer('公示工作日', 1, 30).optional(),
    stored: 'value',
    change: 'approved',
    detail: z.number(),
    unit: ' 个工作日',
  },
  isQuestionedAudit: {
    schema: flag('质疑须审批').default(true),
    stored: 'flag',
    change: 'approved',
    row: z.string(),
    fact: { group: 'evaluation' },
  },
} as const satisfies Record<string, LessonField>

type Fields = typeof lessonFields
export type LessonFieldName = keyof Fields
/** Names of the fields whose description has this in it. */
export type FieldsWith<Part> = { [K in LessonFieldName]: Fields[K] extends Part ? K : never }[LessonFieldName]

/** All names, in the order of the form. */
export const lessonFieldNames = Object.keys(lessonFields) as LessonFieldName[]

/** The description of a field; undefined where a course has no such field. */
export const lessonField = (name: string): LessonField | undefined =>
  Object.hasOwn(lessonFields, name) ? lessonFields[name as LessonFieldName] : undefined

/** The fields whose description has a word on this, each with what it says there, in the order of the form. */
export const fieldsTelling = <P extends keyof LessonField>(part: P) =>
  lessonFieldNames.flatMap((name) => {
    const meta = (lessonFields[name] as LessonField)[part]
    return meta === undefined ? [] : [[name, meta] as [FieldsWith<Record<P, unknown>>, NonNullable<LessonField[P]>]]
  })

const shapeOf = <P extends 'schema' | 'row' | 'detail'>(part: P) =>
  Object.fromEntries(fieldsTelling(part)) as unknown as {
    [K in FieldsWith<Record<P, z.ZodType>>]: Fields[K] extends Record<P, infer S> ? S : never
  }

/** The fields as shapes of schemas: of the form, of a row in lists, and of one course beyond its row. */
export const formShape = shapeOf('schema')
export const rowShape = shapeOf('row')
export const detailShape = shapeOf('detail')

/** The label of a field, as its schema tells it. */
export const fieldLabel = (name: LessonFieldName): string => labelIn(lessonFields[name].schema) ?? name
