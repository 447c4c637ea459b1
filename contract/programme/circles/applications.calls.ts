import { z } from 'zod'
import { circleApplyType, circleReview } from '../../core/codes/programme.ts'
import { difference } from '../../core/difference.ts'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, fileIds, id, pick, reason, search, integer } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'
import { circleDays, circlePairs } from './circles.schema.ts'

const filters = {
  ciName: search('圈子名称').optional(),
  ciAuthStatus: pick('审核状态', valuesOf('circle_auth_status')).optional(),
  caType: pick('申请类型', valuesOf('circle_apply_type')).optional(),
  ciId: id('圈子').optional(),
  ...circleDays,
}

/**
 * What is asked for a circle; `cpiPersonId` is whom it is about: the person in charge, the next one (change), or who
 * wants to join.
 */
const application = z.object({
  caId: z.string(),
  caType: z.string(),
  ciId: z.string(),
  ciName: z.string(),
  ccName: z.string(),
  collegeName: z.string(),
  cpiPersonId: z.string(),
  cpiPersonName: z.string(),
  /** The person in charge now. */
  leaderName: z.string(),
  ciAuthStatus: z.string(),
  applyReason: z.string(),
  materials: z.array(z.object({ id: z.string(), name: z.string() })),
  crYear: z.number().nullable(),
  crResult: z.string().nullable(),
  /** `dictionary.circle_star`. */ crStar: z.string().nullable(),
  applyName: z.string(),
  applyTime: z.string(),
  auditName: z.string(),
  auditTime: z.string().nullable(),
  reason: z.string(),
  /** How it differs from the last one of its kind that was refused or withdrawn. */
  differences: z.array(difference),
  can: z.array(z.enum(['decide', 'withdraw'])),
})
export type CircleApplication = z.output<typeof application>

/** Kinds that are applied for here; founding (1) is applied for by adding the circle. */
const appliedFor = [
  circleApplyType.joining,
  circleApplyType.handOver,
  circleApplyType.yearlyReview,
  circleApplyType.dissolution,
] as const

const circleApplyForm = z
  .strictObject({
    ciId: id('圈子'),
    caType: pick('申请类型', appliedFor),
    /** Who is to join or to take charge. */
    cpiPersonId: id('人员').optional(),
    applyReason: reason('申请说明'),
    materials: fileIds('材料', 9),
    crYear: integer('年审年度', 2000, 2100).optional(),
    crResult: pick('自评结果', valuesOf('circle_review')).optional(),
    crStar: pick('自评星级', valuesOf('circle_star')).optional(),
  })
  .check((ctx) => {
    const { caType, cpiPersonId, crYear, crResult, crStar } = ctx.value
    const fault = (path: string, message: string) =>
      ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message })
    if ((caType === circleApplyType.joining || caType === circleApplyType.handOver) && !cpiPersonId)
      fault('cpiPersonId', caType === circleApplyType.joining ? '请选择要加入的学生' : '请选择新的负责人')
    if (caType === circleApplyType.yearlyReview && crYear === undefined) fault('crYear', '请填写年审年度')
    if (caType === circleApplyType.yearlyReview && !crResult) fault('crResult', '请选择自评结果')
    if (crResult === circleReview.failed && crStar) fault('crStar', '自评不合格的年度不能填写星级')
  })

/** All applications that the list finds, each as it was found. */
const ofList: ForAll[] = [
  {
    list: '/api/schoolbase/circleApplyInfo/queryCircleApplyInfoList',
    row: 'ciId',
    name: ['ciName', 'cpiPersonName'],
    ids: 'ciIds',
    pair: { field: 'cpiPersonIds', row: 'cpiPersonId' },
  },
]

/**
 * Founding, joining, a change of the person in charge, the yearly review and closing: asked for by a circle, decided by
 * who looks after circles.
 */
export const circleApplyApi = {
  list: call('GET', '/circleApplyInfo/queryCircleApplyInfoList', {
    summary: '圈子申请列表',
    permit: 'circle:list',
    input: sortedPaging.extend(filters),
    output: paged(application),
  }),
  exportList: fileCall('POST', '/circleApplyInfo/circleApplyExport', {
    summary: '导出圈子申请',
    permit: 'circle:export',
    needsFreshCode: true,
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  apply: call('POST', '/circleApplyInfo/apply', {
    summary: '提交圈子申请',
    permit: 'circle:edit',
    input: circleApplyForm,
    output: z.object({ caId: z.string() }),
  }),
  withdraw: call('POST', '/circleApplyInfo/withdraw', {
    summary: '撤回圈子申请',
    permit: 'circle:edit',
    input: z.strictObject({ caId: id('申请') }),
    output: done,
  }),
  pass: call('POST', '/circleApplyInfo/isPass', {
    summary: '通过圈子申请',
    permit: 'circle:audit',
    input: circlePairs({
      reason: z
        .string()
        .trim()
        .max(500, '审核意见不能超过 500 个字')
        .optional()
        .meta({ label: '审核意见', max: 500, area: true }),
    }),
    output: done,
    forAll: ofList,
  }),
  refuse: call('POST', '/circleApplyInfo/isNotPass', {
    summary: '驳回圈子申请',
    permit: 'circle:audit',
    input: circlePairs({ reason: reason('驳回原因') }),
    output: done,
    forAll: ofList,
  }),
}
