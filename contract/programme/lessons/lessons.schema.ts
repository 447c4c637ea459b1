import { z } from 'zod'
import { isOneOf } from '../../core/codes/code-list.ts'
import { applyUnit, applyWay, lessonForm as lessonFormCodes, lessonKind, signType } from '../../core/codes/programme.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, choice, flag, id, dateTime, optionalText, pick, text, version, integer } from '../../core/fields.ts'
import { industryExt, industryNeeds } from './industry.ts'

/** What may be done to a course in its present state by the person who asks; the server checks state and rights. */
export const lessonAction = z.enum([
  'edit',
  'submit',
  'series',
  'withdraw',
  'del',
  'publish',
  'unpublish',
  'cancel',
  'abnormal',
  'archive',
  'purge',
  'register',
  'signManagers',
  'sign',
  'codes',
  'award',
  'resultAudit',
  'publicty',
  'unpublicty',
  'exit',
  'export',
])
export type LessonAction = z.infer<typeof lessonAction>

/** A course as lists show it. Amounts are decimal text. */
export const lessonRow = z.object({
  liId: z.string(),
  liNo: z.string(),
  liName: z.string(),
  lsId: z.string(),
  /** Module and node, `思想成长 / 主题教育`. */
  lsName: z.string(),
  liStatus: z.string(),
  /** Computed from the clock, only while published: 1 before sign-up … 5 over, result due. */
  liPhase: z.string().nullable(),
  liLevel: z.string(),
  liLevelName: z.string(),
  liKind: z.string(),
  liScheme: z.string(),
  /** 0 single, 1 first of a series, 2 later one of a series, whose first is `parentLiId`. */
  itemCategory: z.string(),
  parentLiId: z.string().nullable(),
  /** A change to it is under approval; until then it stays as it was approved. */
  isChanging: z.boolean(),
  liCollegeId: z.string().nullable(),
  liSponsorName: z.string(),
  liPrincipalId: z.string(),
  liPrincipalName: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  applyStart: z.string().nullable(),
  applyEnd: z.string().nullable(),
  placeText: z.string(),
  quota: z.number(),
  applyCount: z.number(),
  pendingCount: z.number(),
  passCount: z.number(),
  signCount: z.number(),
  resultCount: z.number(),
  liHours: z.string(),
  liCredit: z.string(),
  liPublictySdate: z.string().nullable(),
  liPublictyEdate: z.string().nullable(),
  createName: z.string(),
  createTime: z.string(),
  version: z.number(),
  can: z.array(lessonAction),
})
export type LessonRow = z.infer<typeof lessonRow>

const person = z.object({ suId: z.string(), suiName: z.string(), suiNumber: z.string() })
const named = z.object({ id: z.string(), name: z.string() })

/** One field of a course that differs from what was approved, in words. */
export const difference = z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() })
export type Difference = z.infer<typeof difference>

/** A running or ended approval of a course, step by step, for the flow diagram. */
export const flowProgress = z.object({
  insId: z.string(),
  nodeName: z.string(),
  bizType: z.string(),
  wfName: z.string(),
  wfVersion: z.number(),
  insStatus: z.string(),
  startName: z.string(),
  startTime: z.string(),
  endTime: z.string().nullable(),
  /** `remind`: the initiator may ask those it waits for to hurry. */
  can: z.array(z.enum(['remind'])),
  /** When it was sent back to an earlier step, and why. */
  returns: z.array(
    z.object({
      fromStep: z.string(),
      toStep: z.string(),
      checkerName: z.string(),
      opinion: z.string(),
      handleTime: z.string(),
    }),
  ),
  steps: z.array(
    z.object({
      stepSort: z.number(),
      stepName: z.string(),
      stepType: z.string(),
      state: z.enum(['passed', 'refused', 'waiting', 'coming', 'skipped', 'withdrawn']),
      /** `behalfName`: for whom they decide, where they stand in for somebody. */
      people: z.array(
        z.object({
          checkerId: z.string(),
          checkerName: z.string(),
          behalfName: z.string(),
          taskStatus: z.string(),
          opinion: z.string(),
          arriveTime: z.string().nullable(),
          handleTime: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type FlowProgress = z.infer<typeof flowProgress>

/** A course with everything its pages show. */
export const lessonDetail = lessonRow.extend({
  lsPath: z.array(z.string()),
  liIntro: z.string(),
  liForm: z.string(),
  isQuestionedAudit: z.string(),
  liPoster: z.string().nullable(),
  liPlan: named.nullable(),
  liAttachments: z.array(named),
  liDepartmentId: z.string().nullable(),
  /** The circle that holds it, where one does. */
  liCircleId: z.string().nullable(),
  circleName: z.string(),
  principal: person,
  teachers: z.array(person),
  signers: z.array(person),
  contactName: z.string(),
  contactPhone: z.string(),
  campus: z.string(),
  applyWay: z.string(),
  applyUnit: z.string(),
  waitlistOn: z.string(),
  rangeColleges: z.array(named),
  rangeGrades: z.array(z.string()),
  signType: z.array(z.string()),
  lateMinutes: z.number(),
  signOutOn: z.string(),
  /** Per cent of the sessions that a participant must have come to; 0 asks for none. */
  minAttendRate: z.number(),
  /** When it publishes itself once it is approved. */
  publishAt: z.string().nullable(),
  liPoints: z.string(),
  atId: z.string().nullable(),
  atName: z.string(),
  publictyDays: z.number(),
  resultSummary: z.string(),
  exitReason: z.string(),
  publishTime: z.string().nullable(),
  completeTime: z.string().nullable(),
  sessions: z.array(z.object({ lseNo: z.number(), startTime: z.string(), endTime: z.string(), placeText: z.string() })),
  liExt: z.record(z.string(), z.unknown()),
  /** The papers that `liExt` names. */
  extFiles: z.array(named),
  /** The change under approval: what would be different. */
  change: z
    .object({ lcId: z.string(), createName: z.string(), createTime: z.string(), differences: z.array(difference) })
    .nullable(),
  /** All courses of its series in their order, itself included; empty where it belongs to none. */
  series: z.array(
    z.object({
      liId: z.string(),
      liName: z.string(),
      liStatus: z.string(),
      liPhase: z.string().nullable(),
      startTime: z.string(),
      endTime: z.string(),
      placeText: z.string(),
    }),
  ),
  flows: z.array(flowProgress),
})
export type LessonDetail = z.infer<typeof lessonDetail>

const session = z.strictObject({
  startTime: dateTime('场次开始时间'),
  endTime: dateTime('场次结束时间'),
  placeText: optionalText('场次地点', 100),
})

/** The add and edit form: an id selects update, no id create. `submit` sends it into approval at once. */
export const lessonForm = z
  .strictObject({
    liId: id().optional(),
    version: version.optional(),
    submit: flag('提交审批').optional(),
    liName: text('课程名称', 200).min(2, '课程名称至少 2 个字'),
    lsId: choice('课程体系'),
    liLevel: z
      .string('请选择课程级别')
      .trim()
      .min(1, '请选择课程级别')
      .max(10, '课程级别不正确')
      .meta({ label: '课程级别', pick: true }),
    liKind: pick('课程类型', valuesOf('lesson_kind')).default(lessonKind.activity),
    liForm: pick('开展形式', valuesOf('lesson_form')).default(lessonFormCodes.onSite),
    liScheme: pick('课程表单', valuesOf('form_scheme')).default('standard'),
    liExt: industryExt.default({}),
    liPoster: id('海报').optional(),
    liIntro: text('课程简介', 20_000),
    liPlan: id('策划书').optional(),
    liAttachments: z.array(id('附件')).max(20, '附件最多 20 个').default([]),
    liCollegeId: id('主办学院').optional(),
    liDepartmentId: id('主办部门').optional(),
    liCircleId: id('所属圈子').optional(),
    liPrincipalId: choice('负责人'),
    teacherIds: z.array(id('指导老师')).max(20, '指导老师最多 20 人').default([]),
    signerIds: z.array(id('签到负责人')).max(50, '签到负责人最多 50 人').default([]),
    contactName: optionalText('联系人', 50),
    contactPhone: optionalText('联系电话', 20),
    campus: optionalText('校区', 50),
    placeText: text('活动地点', 100),
    applyWay: pick('报名方式', valuesOf('apply_way')).default(applyWay.review),
    applyUnit: pick('报名单位', valuesOf('apply_unit')).default(applyUnit.individual),
    quota: integer('名额', 1, 100_000),
    waitlistOn: flag('候补').default(false),
    rangeColleges: z.array(id('学院')).max(200).default([]),
    rangeGrades: z.array(z.string().max(10)).max(20).default([]),
    applyStart: dateTime('报名开始时间').optional(),
    applyEnd: dateTime('报名截止时间').optional(),
    startTime: dateTime('活动开始时间'),
    endTime: dateTime('活动结束时间'),
    sessions: z.array(session).max(60, '场次最多 60 个').default([]),
    signType: z.array(pick('签到方式', valuesOf('sign_type'))).default([signType.manual]),
    /** Left out, the school's own settings hold: a new course takes them over, an edited one keeps what it has. */
    lateMinutes: integer('迟到界限（分钟）', 0, 240).optional(),
    signOutOn: flag('需要签退').default(false),
    minAttendRate: integer('最低出勤率', 0, 100).default(0),
    publishAt: dateTime('自动发布时间').optional(),
    liHours: amount('认定学时', 200).optional(),
    atId: id('奖励模板').optional(),
    publictyDays: integer('公示工作日', 1, 30).optional(),
    isQuestionedAudit: flag('质疑须审批').default(true),
  })
  .check((ctx) => {
    const form = ctx.value
    const fault = (field: string, message: string) =>
      ctx.issues.push({ code: 'custom', message, path: [field], input: form })
    if (form.liId && form.version === undefined) fault('version', '缺少数据版本，请刷新后重试')
    if (form.liScheme === 'industry')
      for (const [field, message] of Object.entries(industryNeeds))
        if (!form.liExt[field as keyof typeof industryNeeds]) fault(`liExt.${field}`, message)
    if (form.endTime <= form.startTime) fault('endTime', '结束时间必须晚于开始时间')
    if ((form.applyStart === undefined) !== (form.applyEnd === undefined))
      fault(form.applyStart ? 'applyEnd' : 'applyStart', '报名开始与截止时间须同时填写')
    if (form.applyStart && form.applyEnd && form.applyEnd <= form.applyStart)
      fault('applyEnd', '报名截止时间必须晚于报名开始时间')
    if (form.applyEnd && form.applyEnd > form.startTime) fault('applyEnd', '报名截止时间不能晚于活动开始时间')
    if (form.publishAt && form.publishAt >= (form.applyEnd ?? form.startTime))
      fault('publishAt', `自动发布时间须早于${form.applyEnd ? '报名截止' : '活动开始'}时间`)
    if (!isOneOf(form.applyWay, applyWay.importedList, applyWay.noRegistration) && !form.applyStart)
      fault('applyStart', '请选择报名时间')
    form.sessions.forEach((one, at) => {
      if (one.endTime <= one.startTime) fault(`sessions.${at}.endTime`, '结束时间必须晚于开始时间')
      if (one.startTime < form.startTime || one.endTime > form.endTime)
        fault(`sessions.${at}.startTime`, '场次须在活动时间之内')
    })
  })
