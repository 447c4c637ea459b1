import { difference } from '../../core/difference.ts'
import { z } from 'zod'
import { isOneOf } from '../../core/codes/code-list.ts'
import { applyUnit, applyWay } from '../../core/codes/programme.ts'
import { flag, id, version } from '../../core/fields.ts'
import { admissionFaults } from './admission-fields.ts'
import { industryNeeds, type IndustryExt } from './industry.ts'
import { detailShape, formShape, rowShape } from './lesson-fields.ts'
import { medicalNeeds } from './medical.ts'
import { teamFieldFaults } from './team-fields.ts'
import { figure } from '../../core/figure.ts'

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
  ...rowShape,
  liId: z.string(),
  liNo: z.string(),
  /** Module and node, `思想成长 / 主题教育`. */
  lsName: z.string(),
  liStatus: z.string(),
  /** Computed from the clock, only while published: 1 before sign-up … 5 over, result due. */
  liPhase: z.string().nullable(),
  liLevelName: z.string(),
  /** 0 single, 1 first of a series, 2 later one of a series, whose first is `parentLiId`. */
  itemCategory: z.string(),
  parentLiId: z.string().nullable(),
  /** A change to it is under approval; until then it stays as it was approved. */
  isChanging: z.boolean(),
  liSponsorName: z.string(),
  liPrincipalName: z.string(),
  applyCount: z.number(),
  pendingCount: z.number(),
  passCount: z.number(),
  signCount: z.number(),
  resultCount: z.number(),
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
  /** Who ended it without a decision, and why; empty for all others. */
  endName: z.string(),
  endReason: z.string(),
  /** `remind`: the initiator may ask those it waits for to hurry; `terminate`: the person may end it. */
  can: z.array(z.enum(['remind', 'terminate'])),
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
      /**
       * `behalfName`: for whom they decide, where they stand in for somebody; `askedByName`: who wants their opinion,
       * where they do not decide. `recall`: the person may take the task back from them; `removeSigner`: they were
       * added, and the person may take them off again.
       */
      people: z.array(
        z.object({
          checkerId: z.string(),
          checkerName: z.string(),
          behalfName: z.string(),
          taskStatus: z.string(),
          opinion: z.string(),
          arriveTime: z.string().nullable(),
          handleTime: z.string().nullable(),
          isAdded: z.boolean(),
          /** Whose place in the step it is. */
          seatId: z.string(),
          askedByName: z.string(),
          /** Empty where nobody has been asked; of an opinion the task of whoever wants it. */
          taskId: z.string(),
          can: z.array(z.enum(['recall', 'removeSigner'])),
        }),
      ),
    }),
  ),
})
export type FlowProgress = z.infer<typeof flowProgress>

/** A course with everything its pages show. */
export const lessonDetail = lessonRow.extend({
  ...detailShape,
  lsPath: z.array(z.string()),
  liPlan: named.nullable(),
  liAttachments: z.array(named),
  liDepartmentId: z.string().nullable(),
  /** The circle that holds it, where one does. */
  circleName: z.string(),
  principal: person,
  teachers: z.array(person),
  signers: z.array(person),
  /** Whom the flow that approved the course names for these stages; from its publication on. */
  signUpCheckers: z.array(person),
  signInCheckers: z.array(person),
  organiserIds: z.array(named),
  rangeColleges: z.array(named),
  rangeMajors: z.array(named),
  rangeClasses: z.array(named),
  rangeCircles: z.array(named),
  quotaByCollege: z.array(z.object({ scId: z.string(), scName: z.string(), quota: z.number() })),
  reservedIds: z.array(person),
  liPoints: z.string(),
  atName: z.string(),
  resultSummary: z.string(),
  /** The mean of the stars of those who were there, with how many gave any; null below `minStarAnswers`. */
  stars: z.object({ mean: z.number(), answers: z.number() }).nullable(),
  exitReason: z.string(),
  publishTime: z.string().nullable(),
  completeTime: z.string().nullable(),
  sessions: z.array(z.object({ lseNo: z.number(), startTime: z.string(), endTime: z.string(), placeText: z.string() })),
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

/** The add and edit form: an id selects update, no id create. `submit` sends it into approval at once. */
export const lessonForm = z
  .strictObject({
    liId: id().optional(),
    version: version.optional(),
    submit: flag('提交审批').optional(),
    ...formShape,
  })
  .check((ctx) => {
    const form = ctx.value
    const fault = (field: string, message: string) =>
      ctx.issues.push({ code: 'custom', message, path: [field], input: form })
    const needs = form.liScheme === 'industry' ? industryNeeds : form.liScheme === 'medical' ? medicalNeeds : {}
    for (const [field, message] of Object.entries(needs))
      if (!form.liExt[field as keyof IndustryExt]) fault(`liExt.${field}`, message as string)
    if (form.endTime <= form.startTime) fault('endTime', '结束时间必须晚于开始时间')
    if ((form.applyStart === undefined) !== (form.applyEnd === undefined))
      fault(form.applyStart ? 'applyEnd' : 'applyStart', '报名开始与截止时间须同时填写')
    if (form.applyStart && form.applyEnd && form.applyEnd <= form.applyStart)
      fault('applyEnd', '报名截止时间必须晚于报名开始时间')
    if (form.applyEnd && form.applyEnd > form.startTime) fault('applyEnd', '报名截止时间不能晚于活动开始时间')
    if (form.publishAt && form.publishAt >= (form.applyEnd ?? form.startTime))
      fault('publishAt', `自动发布时间须早于${form.applyEnd ? '报名截止' : '活动开始'}时间`)
    for (const [field, message] of teamFieldFaults(form)) fault(field, message)
    for (const [field, message] of admissionFaults(form)) fault(field, message)
    if (form.reservedIds.length > form.quota) fault('reservedIds', `预留名单不能多于名额 ${figure(form.quota)} 人`)
    if (form.reservedIds.length > 0 && form.applyUnit === applyUnit.team)
      fault('reservedIds', '组队报名的课程不能设预留名单')
    if (!isOneOf(form.applyWay, applyWay.importedList, applyWay.noRegistration) && !form.applyStart)
      fault('applyStart', '请选择报名时间')
    form.sessions.forEach((one, at) => {
      if (one.endTime <= one.startTime) fault(`sessions.${at}.endTime`, '结束时间必须晚于开始时间')
      if (one.startTime < form.startTime || one.endTime > form.endTime)
        fault(`sessions.${at}.startTime`, '场次须在活动时间之内')
    })
  })
